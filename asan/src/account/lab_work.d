/tmp/wt-app/asan/src/account/lab_work.o: src/account/lab_work.c \
 src/account/memory.h src/account/sheet.h src/account/mesh.h \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h
src/account/memory.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
