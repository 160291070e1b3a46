/tmp/wt-app/asan/src/account/activation_parts.o: \
 src/account/activation_parts.c src/account/activations.h \
 src/account/tables.h src/account/account.h src/account/whole.h
src/account/activations.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
