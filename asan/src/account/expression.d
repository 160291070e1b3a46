/tmp/wt-app/asan/src/account/expression.o: src/account/expression.c \
 src/account/expression.h src/account/dimension.h src/account/account.h \
 src/account/suffix.h src/account/text.h
src/account/expression.h:
src/account/dimension.h:
src/account/account.h:
src/account/suffix.h:
src/account/text.h:
