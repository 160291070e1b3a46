/tmp/wt-app/asan/src/account/clock.o: src/account/clock.c \
 src/account/clock.h src/account/traffic.h src/account/sheet.h \
 src/account/mesh.h src/account/shapes.h src/account/tables.h \
 src/account/account.h src/account/whole.h src/account/text.h
src/account/clock.h:
src/account/traffic.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
