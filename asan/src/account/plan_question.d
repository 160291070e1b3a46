/tmp/wt-app/asan/src/account/plan_question.o: src/account/plan_question.c \
 src/account/plan.h src/account/sheet.h src/account/mesh.h \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h
src/account/plan.h:
src/account/sheet.h:
src/account/mesh.h:
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
