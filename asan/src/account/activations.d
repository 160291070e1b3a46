/tmp/wt-app/asan/src/account/activations.o: src/account/activations.c \
 src/account/activations.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/shapes.h src/account/text.h
src/account/activations.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/shapes.h:
src/account/text.h:
