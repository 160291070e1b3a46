/tmp/wt-app/asan/src/account/legs_seconds.o: src/account/legs_seconds.c \
 src/account/clock.h src/account/traffic.h src/account/sheet.h \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/account.h src/account/whole.h src/account/text.h \
 src/account/legs.h src/account/problem.h src/account/products.h \
 src/account/shards.h
src/account/clock.h:
src/account/traffic.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
src/account/legs.h:
src/account/problem.h:
src/account/products.h:
src/account/shards.h:
