/tmp/wt-app/asan/catalogue.o: /tmp/wt-app/asan/catalogue.c \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
