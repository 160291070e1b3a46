/tmp/wt-app/asan/src/account/mistakes.o: src/account/mistakes.c \
 src/account/mistakes_activations.h src/account/mistakes_budget.h \
 src/account/mistakes_memory.h src/account/mistakes_seconds.h \
 src/account/mistakes_shards.h src/account/mistakes_sharing.h \
 src/account/mistakes_state.h src/account/mistakes_traffic.h \
 src/account/mistakes_units.h src/account/slips.h src/account/problem.h \
 src/account/products.h src/account/sheet.h src/account/mesh.h \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h src/account/shards.h
src/account/mistakes_activations.h:
src/account/mistakes_budget.h:
src/account/mistakes_memory.h:
src/account/mistakes_seconds.h:
src/account/mistakes_shards.h:
src/account/mistakes_sharing.h:
src/account/mistakes_state.h:
src/account/mistakes_traffic.h:
src/account/mistakes_units.h:
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
