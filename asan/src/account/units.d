/tmp/wt-app/asan/src/account/units.o: src/account/units.c \
 src/account/text.h src/account/account.h
src/account/text.h:
src/account/account.h:
