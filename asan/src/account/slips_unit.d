/tmp/wt-app/asan/src/account/slips_unit.o: src/account/slips_unit.c \
 src/account/dimension.h src/account/account.h src/account/slips.h \
 src/account/problem.h src/account/products.h src/account/sheet.h \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/whole.h src/account/text.h src/account/shards.h
src/account/dimension.h:
src/account/account.h:
src/account/slips.h:
src/account/problem.h:
src/account/products.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/whole.h:
src/account/text.h:
src/account/shards.h:
