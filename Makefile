# zerotutor. `make run` and `make test` do everything; `make help` lists the rest.
#
# A module is a folder of src/, with its wings if it has any, and becomes an archive,
# build/lib<module>.a. A folder of tests/ has programs, test_*.c (cmocka) and test_*.sh; its other
# .c files are linked into each of its programs. Everything that is made lies under $(BUILD).

BUILD  ?= build
PREFIX ?= /usr/local
OPT    ?= -O2 -g
STD    := -std=c17 -D_GNU_SOURCE
WARN   := -Wall -Wextra -Wpedantic -Wconversion -Werror

LUA    := $(shell for p in lua5.4 lua-5.4 lua54 lua; do pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
# SQLite first: at each start the loader looks up its 1,600 own names, in the libraries in this order.
PKGS   := sqlite3 ncursesw $(LUA) jansson
COMPILE := $(STD) $(WARN) $(OPT) -Isrc -Itests $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(CPPFLAGS) $(CFLAGS)
LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmd4c -lunistring -lm
TESTLIBS := $(shell pkg-config --libs cmocka vterm 2>/dev/null)
SETUP  := CC="$(CC)" CBLAS="$(CBLAS)" sh src/setup.sh

# ── the modules, highest first, which is also the order in which they link ──
MODULES  := command linear screen session experiment classroom store review script lesson memo page account voice hash base
HAVE   := $(foreach r,$(MODULES),$(if $(wildcard src/$r/*.c src/$r/*/*.c),$r))

# ── the lab: a program of its own, on the engine and a CBLAS: OpenBLAS or BLIS where they are, else
# the reference one (CBLAS="…" is yours) ──
LAB_SOURCES := $(filter-out src/lab/zerolab.c,$(wildcard src/lab/*.c src/lab/cpu/*.c))
BLAS     = $(shell for p in openblas blis cblas blas; do pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
BLAS_SEE := $(if $(CBLAS),,$(if $(BLAS),$(shell pkg-config --cflags $(BLAS))))
BLAS_LIB := $(or $(CBLAS),$(if $(BLAS),$(shell pkg-config --libs $(BLAS))),-lblas)
LABLIBS := $(BLAS_LIB) -lpthread -lm
LABOPT  ?= -O3 -fno-math-errno # its kernels hardly vectorise with less

# What the tests of a module link (NEED="…" overrides it). `tty` is the pty harness, tests/tty.
# Other folders link every module.
NEED_base    := base
NEED_classroom := classroom hash base
NEED_account := account
NEED_page   := page experiment account voice base
NEED_memo    := memo account base
NEED_lesson   := lesson memo account voice base
NEED_script  := script lesson memo account voice base
NEED_review  := review base
NEED_voice   := voice base
NEED_store   := store review lesson memo account voice hash base
NEED_experiment := page experiment account voice base
NEED_session := session experiment classroom store review script lesson memo account voice hash base
NEED_linear   := linear session experiment classroom store review script lesson memo page account voice hash base
NEED_screen  := tty screen session experiment classroom store review script lesson memo page account voice hash base
NEED_tty     := tty base
NEED_lab     := lab account hash
NEED_bench   := lab screen session page experiment classroom store review script lesson memo account voice hash base
# These run the whole program, which they find in $ZEROTUTOR.
WHOLE  := command journey rules bench
export ZEROTUTOR := $(abspath $(BUILD))/zerotutor
export ZEROLAB   := $(abspath $(BUILD))/zerolab
export BUILD

TESTED  := $(filter-out gpu,$(sort $(patsubst tests/%/,%,$(dir $(wildcard tests/*/test_*.c tests/*/test_*.sh)))))
program  = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/$1/test_*.c tests/$1/bench_*.c))
helper   = $(patsubst %.c,$(BUILD)/%.o,$(filter-out tests/$1/test_% tests/$1/bench_%,$(wildcard tests/$1/*.c)))
script   = $(wildcard tests/$1/test_*.sh)
archive  = $(patsubst %,$(BUILD)/lib%.a,$(filter tty lab $(HAVE),$1))
PROGRAMS := $(foreach d,$(TESTED),$(call program,$d))
SCRIPTS  := $(foreach d,$(TESTED),$(call script,$d))
BENCHES  := $(call program,bench)
FUZZERS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
JOBS     = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
SUBMAKE  = $(MAKE) --no-print-directory

# The lab on GPUs, where nvcc is found, and the tests of tests/gpu, which need none.
.DEFAULT_GOAL := all
include src/lab/cuda/cuda.mk

all: $(BUILD)/zerotutor $(BUILD)/zerolab $(ZEROLAB_CUDA) ## build the program; installs nothing
programs: $(PROGRAMS) gpu-emulated

run: ## install what is missing, build, open the tutor (ARGS="learn 1.1" goes on from there)
	@$(SETUP) install build
	@$(SUBMAKE) $(JOBS) all
	@$(BUILD)/zerotutor $(ARGS)

test: ## install what is missing, build, run every test
	@$(SETUP) install build test
	@failed=no; $(SUBMAKE) -k $(JOBS) all programs || failed=yes; \
	BUILD_FAILED=$$failed sh tests/run.sh $(SCRIPTS) $(PROGRAMS) $(GPU_SCRIPTS) $(GPU_PROGRAMS)

test-all: ## the same, the big matrices whole
	@TEST_ALL=1 LIMIT=$${LIMIT:-600} $(SUBMAKE) test

asan: ## every test under the address and undefined-behaviour sanitizers, in build/asan
	@LIMIT=600 $(SUBMAKE) test BUILD=$(BUILD)/asan LABOPT= \
	OPT="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"

bench: all $(BENCHES) ## print first paint, idle wake-ups and speeds, while other programs run; asserts nothing
	@for b in $(BENCHES); do $$b || exit 1; done

FUZZ_SECONDS ?= 60
fuzz: ## fuzz the readers of recordings and memos with clang's libFuzzer (FUZZ_SECONDS=60 each)
	@$(SUBMAKE) $(JOBS) fuzz-programs CC=clang BUILD=$(BUILD)/fuzzing \
	  OPT="-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
	@for f in $(FUZZERS); do sh tests/fuzz/run.sh $(BUILD)/fuzzing $$f $(FUZZ_SECONDS) || exit 1; done

# ── compiling ──
$(BUILD)/zerotutor: $(BUILD)/src/main.o $(call archive,$(HAVE)) $(BUILD)/flags
	@echo "ld $@"
	@$(CC) $(COMPILE) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS)

$(BUILD)/zerolab: $(BUILD)/src/lab/zerolab.o $(call archive,lab account hash) $(BUILD)/flags
	@echo "ld $@"
	@$(CC) $(COMPILE) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LABLIBS)

compile = @echo "cc $<"; mkdir -p $(@D); $(CC) $(COMPILE) $(FAST) -MMD -MP -c -o $@ $<
$(BUILD)/src/lab/%.o: FAST := $(LABOPT) $(BLAS_SEE)
$(BUILD)/src/lab/cpu/matmul.o: $(BUILD)/blas
$(BUILD)/%.o: %.c $(BUILD)/flags | $(BUILD)/found
	$(compile)
$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags | $(BUILD)/found
	$(compile)
$(BUILD)/found: src/setup.sh $(BUILD)/asked
	@$(SETUP) check build && mkdir -p $(@D) && touch $@

# Files that hold what their names say and are written only when that changes: the flags, and each
# archive's objects.
keep = mkdir -p $(@D); echo '$1' | cmp -s - $@ || echo '$1' >$@
$(BUILD)/flags: FORCE
	@$(call keep,$(CC) $(COMPILE) $(LDFLAGS) $(LIBS))
$(BUILD)/blas: FORCE
	@$(call keep,$(BLAS_SEE) $(LABLIBS))

# What pkg-config knows: where that changes, all that is needed is looked for again.
$(BUILD)/asked: FORCE
	@$(call keep,$(shell pkg-config --libs $(PKGS) 2>&1 | tr -d "'") $(BLAS_LIB))

define archive_rule
$(BUILD)/lib$1.objects: FORCE
	@$$(call keep,$2)
$(BUILD)/lib$1.a: $2 $(BUILD)/lib$1.objects
	@ar rcs $$@.$$$$$$$$ $$(filter %.o,$$^) && mv -f $$@.$$$$$$$$ $$@
OBJECTS += $2
endef
made_account := $(BUILD)/catalogue.o $(BUILD)/mistake_rows.o
made_store   := $(if $(wildcard src/store/schema.sh),$(BUILD)/schema.o)
$(foreach r,$(HAVE),$(eval $(call archive_rule,$r,$(patsubst %.c,$(BUILD)/%.o,$(wildcard src/$r/*.c src/$r/*/*.c)) $(made_$r))))
$(eval $(call archive_rule,tty,$(call helper,tty)))
$(eval $(call archive_rule,lab,$(LAB_SOURCES:%.c=$(BUILD)/%.o)))

TABLE = @mkdir -p $(@D); awk $(patsubst %.awk,-f %.awk,$^) >$@
$(BUILD)/catalogue.c: src/account/rows.awk src/account/training/catalogue.awk data/models.json data/hardware.json
	$(TABLE)
$(BUILD)/mistake_rows.c: src/account/rows.awk src/account/problems/mistakes.awk data/mistakes.json
	$(TABLE)
$(BUILD)/schema.c: src/store/schema.sh $(sort $(wildcard data/schema/*.sql))
	@mkdir -p $(@D); sh $< data/schema >$@

define program_rule
$1: $1.o $2
	@echo "ld $$@"
	@$$(CC) $$(COMPILE) $$(LDFLAGS) -o $$@ $$^ $$(if $$(findstring /liblab.a,$2),$$(LABLIBS)) $$(LIBS) $$(TESTLIBS)
OBJECTS += $1.o
endef
define folder_rule
test-$1: $(call program,$1) $(if $(filter $1,$(WHOLE)),$(BUILD)/zerotutor) $(if $(filter $1,lab session),$(BUILD)/zerolab)
	@sh tests/run.sh $(call script,$1) $(call program,$1)
OBJECTS += $(call helper,$1)
$(foreach p,$(call program,$1),$(eval $(call program_rule,$p,$(call helper,$1) $(call archive,$(or $(NEED),$(NEED_$1),tty $(MODULES))))))
endef
$(foreach d,$(TESTED) bench,$(eval $(call folder_rule,$d)))
# one bench grades the hand-ins that the tests of grading make
$(BUILD)/tests/bench/bench_grade: $(BUILD)/tests/session/pupils.o

define fuzz_rule
$(BUILD)/tests/fuzz/fuzz_$1: $(BUILD)/tests/fuzz/fuzz_$1.o $(call archive,$(HAVE))
	@echo "ld $$@"
	@$$(CC) $$(COMPILE) $$(LDFLAGS) -fsanitize=fuzzer -o $$@ $$^ $$(LIBS)
OBJECTS += $(BUILD)/tests/fuzz/fuzz_$1.o
endef
$(foreach f,$(FUZZERS),$(eval $(call fuzz_rule,$f)))
fuzz-programs: $(FUZZERS:%=$(BUILD)/tests/fuzz/fuzz_%)

# ── the style ──
STYLED = $(wildcard src/main.c src/*/*.[ch] src/*/*/*.[ch] src/lab/cuda/*.cu src/lab/cuda/*.cuh tests/*/*.[ch] \
	tests/*/*.cu tests/gpu/*/*.[ch] tests/gpu/*/*.cpp)
format: ## lay every C file out in the style of the code base
	@$(SETUP) check dev
	@clang-format -i $(STYLED)
format-check:
	@$(SETUP) check dev
	@clang-format --dry-run --Werror $(STYLED)
check: $(BUILD)/catalogue.c $(BUILD)/mistake_rows.c $(BUILD)/schema.c ## clang-tidy and cppcheck; both must be silent
	@$(SETUP) check dev
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -Isrc \
	  --suppress=returnDanglingLifetime '-Djson_array_foreach(a,i,v)=for(i=0;i<json_array_size(a)&&(v=json_array_get(a,i));i++)' \
	  '-Djson_object_foreach(o,k,v)=for(k="";(v=json_object_get(o,k));)' src
	@printf '%s\n' src/main.c src/*/*.c $(filter-out src/lab/cuda/%,$(wildcard src/*/*/*.c)) | xargs -n 4 -P 2 sh -c 'clang-tidy --quiet "$$@" -- $(COMPILE) 2>/dev/null' check
	@printf '%s\n' src/lab/cuda/*.c | xargs -n 4 -P 2 sh -c 'clang-tidy --quiet "$$@" -- $(COMPILE) $(SEE_emulated) 2>/dev/null' check

# ── installing ──
BIN   = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
MADE_PAGES = $(SHARE)/man/man1/zerotutor.1 $(SHARE)/bash-completion/completions/zerotutor \
	$(SHARE)/zsh/site-functions/_zerotutor $(SHARE)/fish/vendor_completions.d/zerotutor.fish
# The sources that lessons read aloud: `file = "src/…"` in their `read` steps.
READ = $(sort $(shell sed -n 's/.*file = "\(\(src\|lua\)\/[^"]*\)".*/\1/p' lessons/*/*.lua))
# The engine as a library: `cc … $(pkg-config --cflags --libs zeroaccount)`.
LIBRARY = $(addprefix $(DESTDIR)$(PREFIX)/,lib/libzeroaccount.a include/zeroaccount/account.h lib/pkgconfig/zeroaccount.pc)
install: all ## copy the program, its lessons, data, manual page, completions and the engine's library under PREFIX (/usr/local)
	@umask 022; mkdir -p $(BIN) $(dir $(MADE_PAGES) $(LIBRARY))
	install -m 755 $(BUILD)/zerotutor $(BUILD)/zerolab $(ZEROLAB_CUDA) $(BIN)
	rm -rf $(SHARE)/zerotutor && mkdir -p $(SHARE)/zerotutor && cp -R lessons lua data $(SHARE)/zerotutor/
	@for f in $(READ); do mkdir -p $(SHARE)/zerotutor/$$(dirname $$f) && cp $$f $(SHARE)/zerotutor/$$f || exit 1; done
	@$(BUILD)/zerotutor manual >$(word 1,$(MADE_PAGES))
	@$(BUILD)/zerotutor completion bash >$(word 2,$(MADE_PAGES))
	@$(BUILD)/zerotutor completion zsh >$(word 3,$(MADE_PAGES))
	@$(BUILD)/zerotutor completion fish >$(word 4,$(MADE_PAGES))
	install -m 644 $(BUILD)/libaccount.a $(word 1,$(LIBRARY))
	awk -f src/account/one_header.awk src/account/account.h >$(word 2,$(LIBRARY)) && chmod 644 $(word 2,$(LIBRARY))
	@printf '%s\n' 'prefix=$(PREFIX)' 'Name: zeroaccount' 'Description: bytes, traffic and seconds of sharded training' \
	  "Version: $$($(BUILD)/zerotutor help --json | sed -n 's/.*"version": "\(.*\)".*/\1/p')" \
	  'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -lzeroaccount -lm' >$(word 3,$(LIBRARY))
	@chmod -R u=rwX,go=rX $(SHARE)/zerotutor $(MADE_PAGES) $(word 3,$(LIBRARY)) # whatever the umask, and the checkout's own modes
uninstall: ## remove them; what a learner did stays
	rm -rf $(BIN)/zerotutor $(BIN)/zerolab $(BIN)/zerolab-cuda $(SHARE)/zerotutor $(MADE_PAGES) $(LIBRARY) $(DESTDIR)$(PREFIX)/include/zeroaccount

pictures: all ## have the program save the README's pictures of itself
	@sh src/pictures.sh $(BUILD)/zerotutor data/pictures

clean: ## remove build/
	rm -rf $(BUILD)
help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

-include $(patsubst %.o,%.d,$(OBJECTS) $(BUILD)/src/main.o $(BUILD)/src/lab/zerolab.o)
.DELETE_ON_ERROR:
.PHONY: FORCE all programs run test test-all asan bench fuzz fuzz-programs format format-check check install uninstall pictures clean help
