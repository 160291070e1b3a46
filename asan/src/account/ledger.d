/tmp/wt-app/asan/src/account/ledger.o: src/account/ledger.c \
 src/account/sheet.h src/account/mesh.h src/account/shapes.h \
 src/account/tables.h src/account/account.h src/account/whole.h \
 src/account/text.h
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
