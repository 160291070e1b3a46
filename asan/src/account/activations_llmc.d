/tmp/wt-app/asan/src/account/activations_llmc.o: \
 src/account/activations_llmc.c src/account/activations.h \
 src/account/tables.h src/account/account.h src/account/whole.h \
 src/account/text.h
src/account/activations.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
