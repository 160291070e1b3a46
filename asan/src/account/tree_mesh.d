/tmp/wt-app/asan/src/account/tree_mesh.o: src/account/tree_mesh.c \
 src/account/tree.h src/account/plan.h src/account/sheet.h \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/account.h src/account/whole.h src/account/text.h
src/account/tree.h:
src/account/plan.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
