/tmp/wt-app/asan/src/account/shards.o: src/account/shards.c \
 src/account/shards.h src/account/text.h src/account/account.h
src/account/shards.h:
src/account/text.h:
src/account/account.h:
