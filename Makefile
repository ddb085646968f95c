# What a newcomer types. Every target does its own set-up, needs no answers and is safe to repeat.

CYCLES ?= 1000
VENV := build/venv
# Each worker has servers and a browser of its own.
WORKERS ?= 2
RUNNER := $(VENV)/bin/python Tests/Runner
PYTEST := $(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadfile

.PHONY: help run cluster cluster-faults build sbom quick test test-all steady lint unit acceptance postgresql browser crash screenshots bench clean

help:
	@echo "make run          start the server with demo data and print its address"
	@echo "make cluster      start three nodes over one PostgreSQL behind HAProxy, with demo data, on PORT=8080"
	@echo "make test         check the formatting and run every test but the long ones"
	@echo "make quick        the tests of what changed since BASE (the branch of origin)"
	@echo "make test-all     make test with the long tests and many seeds"
	@echo "make steady       make test RUNS=5 times beside two busy loops, to find tests that depend on a quiet machine"
	@echo "make unit         the Swift tests, or those whose names FILTER=GradebookTests finds"
	@echo "make build        build the release server at .build/release/gradecast, and its web client at build/web"
	@echo "make deb          make a Debian package of it, build/gradecast_VERSION-REVISION_amd64.deb (REVISION=1)"
	@echo "make deb-test     install, upgrade, remove and purge that package in a fresh Debian 12; needs root"
	@echo "make image        make an image for containers from that package, build/gradecast_VERSION-REVISION_amd64.oci.tar"
	@echo "make image-test   run, upgrade and stop that image, and the compose file, with podman; needs root"
	@echo "make sbom         write what the release server consists of (CycloneDX) to build/gradecast.cdx.json"
	@echo "make postgresql   the acceptance tests with the store in PostgreSQL"
	@echo "make lint         check the formatting of the Swift sources, and the JavaScript of the page"
	@echo "make long         the tests that take their time"
	@echo "make fuzz         fuzz every codec for SECONDS=60 each"
	@echo "make sanitize     the Swift tests under ThreadSanitizer and AddressSanitizer"
	@echo "make power        simulated power loss, POWER_CYCLES=500"
	@echo "make systemd      boot Debian in QEMU and try the shipped unit there; needs root"
	@echo "make autobahn     the Autobahn WebSocket suite; needs PYTHON2, a Python 2.7"
	@echo "make simulate     RUNS=100000 runs of a simulated cluster; SEED=n gives run n again"
	@echo "make crash        kill the server CYCLES=$(CYCLES) times under load and look for losses"
	@echo "make cluster-faults  kill and pause nodes and PostgreSQL under load for MINUTES=5, with READERS=24, and look for losses"
	@echo "make bench        measure the main job and its parts against their peers"
	@echo "make docs         make a site of the documentation at build/docs/site, with every link checked"
	@echo "make requirements pin what Tests/requirements.in names, by version and hash"
	@echo "make screenshots  take pictures of every page into build/screenshots (PAGES=\"chalkboard phone-dark\" chooses)"

run: .web
	swift build --product gradecast
	GRADECAST_WEB=build/web .build/debug/gradecast serve --demo --data data

PORT ?= 8080
MINUTES ?= 5
READERS ?= 24
# Seconds between two changes of a writer.
PAUSE ?= 0

# Ends with everything it has started at Ctrl-C.
cluster: .dependencies
	@deploy/install-dependencies --cluster
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle:Tests/Acceptance/support python3 Tests/Acceptance/cluster.py show --port $(PORT)

cluster-faults: .test-dependencies
	@deploy/install-dependencies --cluster
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle:Tests/Acceptance/support $(VENV)/bin/python Tests/Acceptance/cluster.py faults --minutes $(MINUTES) \
	    --readers $(READERS) --pause $(PAUSE)

# Swift's standard library becomes part of the program, which then runs where no toolchain is.
build: .web
	swift build -c release --static-swift-stdlib --product gradecast

sbom: build
	@mkdir -p build
	deploy/sbom .build/release/gradecast > build/gradecast.cdx.json
	@echo "build/gradecast.cdx.json"

REVISION ?= 1

.PHONY: deb deb-test
deb: build
	@deploy/install-dependencies --package
	deploy/debian/build $(REVISION)

deb-test: build
	@deploy/install-dependencies --package
	Tests/Package/run

.PHONY: image image-test
image: build
	@deploy/install-dependencies --package --image
	deploy/image/build $(REVISION)

image-test: build .test-dependencies
	@deploy/install-dependencies --package --image --containers
	swift build -c release --static-swift-stdlib --product German
	$(VENV)/bin/python Tests/Image/run

test: .test-dependencies
	$(RUNNER) test --workers $(WORKERS)

BASE ?=
quick: .test-dependencies
	$(RUNNER) quick --workers $(WORKERS) $(if $(BASE),--base $(BASE))

# So many seeds that none of them alone decides.
test-all: .test-dependencies
	GRADECAST_SEEDS=50 GRADECAST_ORDERS=1000 GRADECAST_RANDOM=5000 $(RUNNER) all --workers $(WORKERS)

steady: .test-dependencies
	swift build --build-tests
	$(RUNNER) steady --workers $(WORKERS) --runs $(or $(RUNS),5)

# FILTER=GradebookTests chooses.
unit: .dependencies
	swift test $(if $(FILTER),--filter '$(FILTER)')

acceptance: .test-dependencies .programs
	$(PYTEST) Tests/Oracle Tests/Acceptance

# The same over PostgreSQL: servers in databases of a temporary cluster, which ends with the run.
postgresql: .test-dependencies .programs
	GRADECAST_STORE=postgresql $(PYTEST) Tests/Acceptance

browser: .test-dependencies .programs
	$(PYTEST) Tests/Browser

crash: .test-dependencies
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle:Tests/Acceptance/support $(VENV)/bin/python Tests/Acceptance/crash.py --cycles $(CYCLES)

screenshots: .test-dependencies
	@deploy/install-dependencies --pictures
	swift build --product gradecast
	$(VENV)/bin/python Tests/Browser/screenshots.py build/screenshots $(PAGES)

bench: .dependencies
	Benchmarks/run

lint: .test-dependencies
	swift format lint --strict --parallel --recursive Sources GradingKit Plugins Tests Benchmarks Package.swift
	$(VENV)/bin/oxlint --deny-warnings Web

clean:
	rm -rf .build build

.PHONY: .dependencies .web .test-dependencies .programs
.dependencies:
	@deploy/install-dependencies

# The web client as it ships.
.web: .dependencies
	@deploy/bundle-web Web build/web

# What is tested from outside, one at a time: a product is all that `swift build` takes.
.programs: .dependencies
	swift build --product gradecast
	swift build --product EchoServer
	swift build --product German
	swift build --product SchemeFixture

.test-dependencies: $(VENV)/.ready
$(VENV)/.ready: Tests/requirements.txt deploy/install-dependencies
	@deploy/install-dependencies --test
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r Tests/requirements.txt
	@touch $@

# Uses the environment as it is: requirements.txt can be written again while it is out of date or holds a conflict.
.PHONY: requirements
requirements: | $(VENV)/bin/pip-compile
	CUSTOM_COMPILE_COMMAND="make requirements" $(VENV)/bin/pip-compile --quiet --generate-hashes --allow-unsafe \
	    --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --output-file Tests/requirements.txt Tests/requirements.in

$(VENV)/bin/pip-compile:
	$(MAKE) $(VENV)/.ready

.PHONY: docs
docs: .test-dependencies
	$(VENV)/bin/python deploy/docs-site build/docs

# -- The proofs that take their time.

SECONDS ?= 60
POWER_CYCLES ?= 500
PYTHON2 ?= python2.7
CONFIGURATION ?= release

SEED ?=
MISTAKE ?=

.PHONY: fuzz sanitize power systemd autobahn long simulate

# Dictionaries are hashed alike in each process, so that a seed gives the same run again.
simulate: .dependencies
	swift build -c release --product Simulate
	SWIFT_DETERMINISTIC_HASHING=1 .build/release/Simulate $(if $(SEED),1 $(SEED),$(or $(RUNS),100000) 0) $(MISTAKE)

fuzz: .dependencies
	Tests/Fuzz/run $(SECONDS) $(TARGETS)

sanitize: .dependencies
	Tests/Sanitize/run

power: .test-dependencies
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle:Tests/Acceptance/support $(VENV)/bin/python Tests/Acceptance/power.py --cycles $(POWER_CYCLES)

systemd: build
	Tests/Systemd/run

autobahn: .dependencies
	Tests/EchoServer/autobahn $(PYTHON2) $(CONFIGURATION) $(CASES)

long: .test-dependencies .programs
	$(PYTEST) Tests/Oracle Tests/Acceptance -m long
