/tmp/wt-app/asan/src/account/share.o: src/account/share.c \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/account.h src/account/whole.h
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
