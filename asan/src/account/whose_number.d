/tmp/wt-app/asan/src/account/whose_number.o: src/account/whose_number.c \
 src/account/dimension.h src/account/account.h src/account/suffix.h \
 src/account/text.h src/account/whose.h
src/account/dimension.h:
src/account/account.h:
src/account/suffix.h:
src/account/text.h:
src/account/whose.h:
