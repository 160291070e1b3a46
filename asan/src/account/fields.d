/tmp/wt-app/asan/src/account/fields.o: src/account/fields.c \
 src/account/fields.h src/account/sheet.h src/account/mesh.h \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h
src/account/fields.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
