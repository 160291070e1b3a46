/tmp/wt-app/asan/src/account/terms.o: src/account/terms.c \
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
