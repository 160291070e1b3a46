/tmp/wt-app/asan/src/account/flops.o: src/account/flops.c \
 src/account/activations.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/shapes.h
src/account/activations.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/shapes.h:
