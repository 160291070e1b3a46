/tmp/wt-app/asan/src/account/parts.o: src/account/parts.c \
 src/account/clock.h src/account/traffic.h src/account/sheet.h \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/account.h src/account/whole.h src/account/text.h \
 src/account/memory.h
src/account/clock.h:
src/account/traffic.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
src/account/memory.h:
