# cupel: see README.md.  `make` builds build/cupel; `make help` lists the rest.

ifeq ($(origin CC),default)
CC       = gcc
endif
BUILD   ?= build
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wvla -Wformat=2 -Wundef
OPT     ?= -O2 -g
CFLAGS  += -std=c11 -D_GNU_SOURCE -Isrc $(OPT) $(WARN) $(if $(WERROR),-Werror)
LDLIBS   = -ljansson -lsqlite3 -lpq -lmicrohttpd -lzstd -lm -pthread
# The release and its date head CHANGELOG.md; the commit is added where it is known.
RELEASE := $(shell sed -n 's/^\#\# \([0-9.]*\) .*/\1/p' CHANGELOG.md | head -1)
DATE    := $(shell sed -n 's/^\#\# [0-9.]* (\([0-9-]*\)).*/\1/p' CHANGELOG.md | head -1)
COMMIT  := $(shell git describe --always --dirty 2>/dev/null)
VERSION := $(RELEASE)$(if $(COMMIT),+$(COMMIT))
PREFIX  ?= /usr/local

# The runner is a program of its own and the compile server a library, both carried inside
# cupel: see src/sys/runner/runner.c and src/sys/server/server.c.
RUNNER_SRC := $(sort $(wildcard src/sys/runner/*.c)) src/sys/child.c src/sys/tree.c src/sys/wire.c
SRC        := $(filter-out src/sys/runner/% src/sys/server/%,$(sort $(wildcard src/*/*.c src/*/*/*.c)))
LIB_OBJ    := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out src/cmd/main.c,$(SRC))) \
              $(BUILD)/obj/sys/runner_blob.o $(BUILD)/obj/sys/server_blob.o
UNIT_SRC   := $(sort $(wildcard tests/unit/*.c))
UNIT_BIN   := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(UNIT_SRC))

.PHONY: all help setup hunt install uninstall deb check check-unit check-cli check-static check-san check-hostile \
        format tidy bank bench soak soak-machine same-bytes clean roundtrip clang-diff fuzz check-machine check-emi \
        check-hostile-guests check-reduce
.DELETE_ON_ERROR:

all: $(BUILD)/cupel

help:
	@sed -n 's/^## //p' Makefile

## make               build build/cupel
## make hunt          install what is missing, build, and hunt for a minute in the compilers
##                    that are there, in ./cupel-hunt (TIME=1h for longer)
## make check         install what is missing, build, run every test (UPDATE=1 rewrites goldens)
## make check-san     the same tests with cupel built with ASan and UBSan
## make check-hostile the same tests with tiny arenas and buffers
## make check-hostile-guests  hostile programs and compilers, as root, as a user, without namespaces
## make check-machine the machine against Csmith, GCC's torture tests, gcov and real programs
## make check-emi     EMI: variants of Csmith's, GCC's and our own programs, and of real projects
## make check-reduce reductions of what faulty compilers and pcc, chibicc, tcc do wrong
## make check-cluster a campaign on a real Slurm and PostgreSQL with faults, and its page in Chromium
##                    (installs them; ROUNDS=50)
## make check-browser the HTML report in Chromium (installs playwright-core; keeps screenshots)
## make soak          the generator's long proof: COUNT=20000 programs under gcc, clang, -m32, the
##                    sanitizers and our own machine (hours on a small machine)
## make same-bytes    does another build (OTHER=path/to/cupel) generate the same programs?
## make soak-machine  random expressions through the machine, gcc and clang: COUNT=100000 (0: no end)
## make bank          hunt for the planted faults of tests/bank (a minute for each of its compilers)
## make bench         our speed beside the peers'
## make roundtrip     print real code and compile it: the same assembly? (fetches sources)
## make clang-diff    our types and constants beside clang's, on Csmith and torture tests
## make fuzz          mutated programs for parser, printer and preprocessor (SECONDS=60)
## make fuzz-web      mutated HTTP requests for cupel serve, with sanitizers (REQUESTS=100000)
## make format        lay the code out with clang-format; make tidy runs clang-tidy
## make install       into PREFIX (/usr/local) under DESTDIR, with man pages and completions;
##                    make uninstall takes it away again
## make deb           a Debian package in build/ (installs what it takes to make one)
## make check-deb     the package in a fresh Debian: installed, used, removed (root, debootstrap)
## make clean         remove build/

$(BUILD)/cupel: $(BUILD)/obj/cmd/main.o $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# Their own flags, never the sanitizers': they host other people's code.  The runner is not
# position-independent, so that libc's variables lie within reach of code in the low 2 GB.
GUEST_CFLAGS = -std=c11 -D_GNU_SOURCE -Isrc -O2 $(WARN) $(if $(WERROR),-Werror)
GUEST_DEPS   = $(wildcard src/sys/*.h src/sys/*/*.h) Makefile
$(BUILD)/runner: $(RUNNER_SRC) $(GUEST_DEPS)
	@mkdir -p $(@D)
	gcc $(GUEST_CFLAGS) -fno-pie -no-pie -s -o $@ $(RUNNER_SRC) \
	    -Wl,--no-as-needed -lm -lgcc_s -ldl

$(BUILD)/server: src/sys/server/server.c src/sys/child.c src/sys/wire.c $(GUEST_DEPS)
	@mkdir -p $(@D)
	gcc $(GUEST_CFLAGS) -fPIC -shared -fvisibility=hidden -s -o $@ $(filter %.c,$^) -ldl

# A built file as an object that holds its bytes.
$(BUILD)/obj/sys/%_blob.o: $(BUILD)/%
	@mkdir -p $(@D)
	cd $(BUILD) && printf '.section .rodata\n.global $*_blob, $*_blob_end\n$*_blob:\n.incbin "$*"\n$*_blob_end:\n.section .note.GNU-stack,"",@progbits\n' | \
	    $(CC) -c -x assembler - -o obj/sys/$*_blob.o

$(BUILD)/obj/base/version.o: CFLAGS += -DCUPEL_VERSION='"$(VERSION)"' -DCUPEL_DATE='"$(DATE)"'
$(BUILD)/obj/base/version.o: CHANGELOG.md

# Debian keeps libpq's header in a folder of its own.
$(BUILD)/obj/store/postgres.o: CFLAGS += -I$(shell pg_config --includedir)

## -- installing --
MANUAL = $(DESTDIR)$(PREFIX)/share/man/man1
COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/zsh/site-functions

install: $(BUILD)/cupel
	install -D -m 755 $(BUILD)/cupel $(DESTDIR)$(PREFIX)/bin/cupel
	install -D -m 644 share/cupel.bash $(COMPLETIONS)/cupel
	install -D -m 644 share/_cupel $(ZSH_COMPLETIONS)/_cupel
	install -d $(MANUAL)
	$(BUILD)/cupel --help=man >$(MANUAL)/cupel.1
	for c in $$($(BUILD)/cupel --help=words | cut -f1); do \
	    $(BUILD)/cupel $$c --help=man >$(MANUAL)/cupel-$$c.1 || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/cupel $(COMPLETIONS)/cupel $(ZSH_COMPLETIONS)/_cupel \
	    $(MANUAL)/cupel.1 $(MANUAL)/cupel-*.1

deb: $(BUILD)/cupel
	BUILD=$(BUILD) RELEASE=$(RELEASE) tools/deb

# In a fresh Debian, as root.
.PHONY: check-deb
check-deb: deb
	tests/long/deb.sh $(BUILD)/cupel_$(RELEASE)-0cupel1_$$(dpkg --print-architecture).deb

-include $(shell find $(BUILD)/obj $(BUILD)/unit -name '*.d' 2>/dev/null) $(wildcard $(BUILD)/*.d)

setup:
	@tools/setup

# Findings are no failure of make's.
TIME ?= 60
hunt: setup
	@$(MAKE) --no-print-directory -j$(TEST_JOBS) all
	$(BUILD)/cupel hunt cupel-hunt --time $(TIME) || [ $$? -eq 1 ]
	$(BUILD)/cupel list cupel-hunt || [ $$? -eq 1 ]

## -- tests --
$(BUILD)/unit/%: tests/unit/%.c $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) -lcmocka $(LDLIBS)

check: setup
	@$(MAKE) --no-print-directory check-static
	@$(MAKE) --no-print-directory -j$(TEST_JOBS) WERROR=1 BUILD=build/clang CC=clang-19 all
	@$(MAKE) --no-print-directory -j$(TEST_JOBS) WERROR=1 all $(UNIT_BIN)
	@$(MAKE) --no-print-directory WERROR=1 check-unit check-cli

check-unit: $(UNIT_BIN) $(BUILD)/soak-machine $(BUILD)/soak-gen
	@for t in $(UNIT_BIN); do $$t || exit 1; done

# Each test has a folder of its own, so that they can run side by side.
TEST_JOBS ?= $(shell nproc)

check-cli: $(BUILD)/cupel $(BUILD)/clang-diff $(BUILD)/layout-diff
	CUPEL=$(abspath $(BUILD)/cupel) bats --jobs $(TEST_JOBS) --print-output-on-failure tests/cli

$(BUILD)/%-diff: tests/diff/%.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

# The long proofs of the machine.  FETCHED is where tools/roundtrip puts other people's sources.
FETCHED ?= build/roundtrip
.PHONY: fetched
fetched: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) ROUNDTRIP_DIR=$(FETCHED) tools/roundtrip --fetch

check-machine: $(BUILD)/cupel fetched
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/csmith.sh 300
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/gcov.sh 50
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/torture.sh $(abspath $(FETCHED)/torture)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/programs.sh $(abspath $(FETCHED)/src)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/sqlite.sh $(abspath $(FETCHED)/src/sqlite3)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/targets.sh 50 || [ $$? = 2 ]

# The long proof of the sandbox.
check-hostile-guests: $(BUILD)/cupel $(BUILD)/unit/sys
	CUPEL=$(abspath $(BUILD)/cupel) UNIT=$(abspath $(BUILD)/unit/sys) tests/long/hostile.sh

# The long proof of EMI.
check-emi: $(BUILD)/cupel fetched
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi.sh csmith 100
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi.sh torture 300 $(abspath $(FETCHED)/torture/execute)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi.sh gen 200
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi-shares.sh csmith 50
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi-shares.sh torture 50 $(abspath $(FETCHED)/torture/execute)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi-suite.sh $(abspath $(FETCHED)/src/tcc/tests/tests2)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi-sdcc.sh $(abspath $(FETCHED)/src/sdcc)
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/emi-projects.sh $(abspath $(FETCHED)/src)

# The long proof of the reducer.
check-reduce: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/reduce.sh

docs/ub.md: tests/ub/table $(wildcard tests/ub/*.c) src/machine/ub.def
	CUPEL=$(abspath $(BUILD)/cupel) tests/ub/table >$@

roundtrip: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) tools/roundtrip

clang-diff: $(BUILD)/clang-diff
	CLANG_DIFF=$(BUILD)/clang-diff tools/clang-diff

SECONDS ?= 60
fuzz:
	tests/fuzz/run $(SECONDS) $(BUILD)

# What stands between a stranger and a campaign, with sanitizers; the rest of cupel as it is.
WEB_PARTS = web report finding store base
REQUESTS ?= 100000
$(BUILD)/fuzz-web: tests/fuzz/web.c $(wildcard $(WEB_PARTS:%=src/%/*.c)) $(LIB_OBJ)
	$(CC) $(CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all \
	    -DCUPEL_VERSION='"fuzz"' -DCUPEL_DATE='""' -I$(shell pg_config --includedir) -o $@ \
	    $(filter tests/% src/%,$^) $(filter-out $(foreach p,$(WEB_PARTS),$(BUILD)/obj/$(p)/%),$(LIB_OBJ)) $(LDLIBS)

.PHONY: fuzz-web
fuzz-web: $(BUILD)/fuzz-web $(BUILD)/cupel
	rm -rf $(BUILD)/fuzz-campaign
	$(BUILD)/cupel hunt $(BUILD)/fuzz-campaign --programs 5 --seed 1 --mode small --quiet --cc tcc || [ $$? = 1 ]
	$(BUILD)/fuzz-web $(BUILD)/fuzz-campaign $(REQUESTS) 1

# Found without git, which a fresh machine may lack: no files would mean no check.
FORMATTED = $(shell find src tests/unit tests/diff tests/fuzz bench -name '*.[ch]')
check-static:
	tools/layers
	clang-format --dry-run -Werror $(FORMATTED)
	shellcheck examples/nightly.sh tools/picture tools/setup tools/deb tests/database tests/slurm share/cupel.bash tools/layers tools/same-bytes tools/roundtrip tools/clang-diff tests/fuzz/run .ci/run $(wildcard bench/*.sh bench/*.bash) \
	    $(wildcard tests/long/*.sh) tests/ub/run tests/ub/table \
	    tests/bank/faulty $(wildcard tests/bank/*.sh tests/bank/faults/*.sh)

# The plain build stands beside it: the generator must give the same bytes in both.
check-san: setup
	@$(MAKE) --no-print-directory all
	@CUPEL_OTHER=$(abspath $(BUILD)/cupel) \
	$(MAKE) --no-print-directory BUILD=build/san CC=clang-19 \
	    OPT='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all' check-unit check-cli

check-hostile: setup
	@$(MAKE) --no-print-directory BUILD=build/hostile OPT='-O1 -g -DCUPEL_HOSTILE' check-unit check-cli

format:
	clang-format -i $(FORMATTED)

tidy:
	clang-tidy --quiet $(SRC) -- -std=c11 -D_GNU_SOURCE -Isrc

COUNT ?= 20000
FIRST ?= 1000000
$(BUILD)/soak-gen: tests/long/soak.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

$(BUILD)/soak-machine: tests/long/expressions.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

# COUNT=0: until it is interrupted.
soak-machine: COUNT = 100000
soak-machine: $(BUILD)/soak-machine
	$(BUILD)/soak-machine $(COUNT) $(FIRST) $(BUILD)/soak-machine-kept

soak: $(BUILD)/soak-gen
	SOAK=$(abspath $(BUILD)/soak-gen) tests/long/gen.sh $(COUNT) $(FIRST) $(BUILD)/soak

same-bytes: $(BUILD)/cupel
	tools/same-bytes $(OTHER) $(abspath $(BUILD)/cupel)

bank: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) tests/bank/run.sh

# The proof of triage: planted faults are told apart; a frequent one does not drown three rare ones.
BUGS_SECONDS ?= 3600
check-bugs: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) tests/bank/triage.sh 400
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/bugs.sh $(BUGS_SECONDS) -O1 gcc-sar gcc-table gcc-carry gcc-rep

# Missed optimisations by compiler version; goes on where it stopped.
check-missed: $(BUILD)/cupel
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/missed.sh $(BUILD)/missed 600

$(BUILD)/observe: bench/observe.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

$(BUILD)/waste: bench/waste.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

$(BUILD)/cluster-bench: bench/cluster.c $(LIB_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIB_OBJ) $(LDLIBS)

bench: $(BUILD)/cupel $(BUILD)/observe $(BUILD)/waste $(BUILD)/cluster-bench
	@for b in bench/*.sh; do CUPEL=$(abspath $(BUILD)/cupel) $$b || exit 1; done

clean:
	rm -rf build

.PHONY: check-browser check-bugs check-missed
check-browser: $(BUILD)/cupel
	tools/setup --browser
	CUPEL=$(abspath $(BUILD)/cupel) tests/browser/run.sh

# The long proof of campaigns on several machines: as root.
ROUNDS ?= 10
.PHONY: check-cluster
check-cluster: $(BUILD)/cupel
	tools/setup --browser --cluster
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/slurm.sh
	CUPEL=$(abspath $(BUILD)/cupel) tests/long/cluster.sh $(ROUNDS)
	CUPEL=$(abspath $(BUILD)/cupel) tests/browser/serve.sh
