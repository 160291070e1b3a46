/tmp/wt-app/asan/src/account/scene.o: src/account/scene.c \
 src/account/text.h src/account/account.h
src/account/text.h:
src/account/account.h:
