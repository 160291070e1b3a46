/tmp/wt-app/asan/src/account/slips_training.o: \
 src/account/slips_training.c src/account/slips.h src/account/problem.h \
 src/account/products.h src/account/sheet.h src/account/mesh.h \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h src/account/shards.h
src/account/slips.h:
src/account/problem.h:
src/account/products.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
src/account/shards.h:
