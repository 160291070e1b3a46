/tmp/wt-app/asan/src/account/field_kinds.o: src/account/field_kinds.c \
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
