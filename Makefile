# zerotutor. `make run` and `make test` do everything; `make help` lists the rest.
#
# Each room is an archive, build/lib<room>.a; each file tests/<room>/test_*.c is a cmocka program.
# A room's tests link against all rooms' archives it may know, in one order that has no cycles.

CC      ?= gcc
BUILD   ?= build
ROOMS   := command plain screen sitting trial store script study paper account base
HAVE    := $(foreach r,$(ROOMS),$(if $(wildcard src/$r/*.c),$r))
STD     := -std=c17 -D_GNU_SOURCE
WARN    := -Wall -Wextra -Wpedantic -Wconversion -Werror
OPT     ?= -O2 -g
PKGS    := jansson ncursesw lua5.4 sqlite3
TESTPKG := cmocka vterm
CFLAGS  += $(STD) $(WARN) $(OPT) -MMD -MP -Isrc $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LIBS    := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmd4c -lunistring -lm
ARCHIVES := $(HAVE:%=$(BUILD)/lib%.a)

all: $(BUILD)/zerotutor

$(BUILD)/zerotutor: $(BUILD)/src/main.o $(ARCHIVES)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

define ROOM
$(BUILD)/lib$1.a: $(patsubst src/%.c,$(BUILD)/src/%.o,$(wildcard src/$1/*.c))
	@rm -f $$@; ar rcs $$@ $$^
endef
$(foreach r,$(HAVE),$(eval $(call ROOM,$r)))

# make test-account builds and runs tests/account/test_*.c
test-%: ; @$(MAKE) --no-print-directory run-tests DIR=$*
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/$(DIR)/test_*.c))
HELP_C := $(filter-out tests/$(DIR)/test_%,$(wildcard tests/$(DIR)/*.c))
run-tests: $(TESTS)
	@for t in $^; do $$t || exit 1; done
# what a room's tests may need: the room and those below it
NEED ?= $(DIR)
$(BUILD)/tests/%: tests/%.c $(HELP_C) $(foreach r,$(NEED),$(BUILD)/lib$r.a)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Itests -o $@ $< $(HELP_C) $(foreach r,$(NEED),$(BUILD)/lib$r.a) $(LIBS) $(shell pkg-config --libs $(TESTPKG))

clean: ; rm -rf $(BUILD)
.PHONY: all clean run-tests
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
