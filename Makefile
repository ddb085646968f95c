# What a newcomer types. Every target does its own set-up, needs no answers and is safe to repeat.

CYCLES ?= 1000
VENV := build/venv
# Each worker has servers and a browser of its own.
WORKERS ?= 2
# Swift's tests run a few at a time. All at once, what a test waits for would wait behind a thousand others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4
PYTEST := $(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadfile

.PHONY: help run build sbom test lint unit acceptance browser crash screenshots bench clean

help:
	@echo "make run          start the server with demo data and print its address"
	@echo "make test         check the formatting and run every test but the long ones"
	@echo "make build        build the release server at .build/release/gradecast"
	@echo "make sbom         write what the release server consists of (CycloneDX) to build/gradecast.cdx.json"
	@echo "make lint         check the formatting of the Swift sources"
	@echo "make long         the tests that take their time"
	@echo "make fuzz         fuzz every codec for SECONDS=60 each"
	@echo "make sanitize     the Swift tests under ThreadSanitizer and AddressSanitizer"
	@echo "make power        simulated power loss, POWER_CYCLES=500"
	@echo "make systemd      boot Debian in QEMU and try the shipped unit there; needs root"
	@echo "make autobahn     the Autobahn WebSocket suite; needs PYTHON2, a Python 2.7"
	@echo "make crash        kill the server CYCLES=$(CYCLES) times under load and look for losses"
	@echo "make bench        measure the main job and its parts against their peers"
	@echo "make requirements pin what Tests/requirements.in names, by version and hash"
	@echo "make screenshots  take pictures of every page into build/screenshots (PAGES=\"chalkboard phone-dark\" chooses)"

run: .dependencies
	swift build --product gradecast
	.build/debug/gradecast serve --demo --data data

# Swift's standard library becomes part of the program, which then runs where no toolchain is.
build: .dependencies
	swift build -c release --static-swift-stdlib --product gradecast

sbom: build
	@mkdir -p build
	deploy/sbom .build/release/gradecast > build/gradecast.cdx.json
	@echo "build/gradecast.cdx.json"

test: .test-dependencies lint
	swift build --build-tests
	swift test --skip-build
	$(PYTEST) Tests/Oracle Tests/Acceptance
	$(PYTEST) Tests/Browser

unit: .dependencies
	swift test

acceptance: .test-dependencies .programs
	$(PYTEST) Tests/Oracle Tests/Acceptance

browser: .test-dependencies .programs
	$(PYTEST) Tests/Browser

crash: .test-dependencies
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle $(VENV)/bin/python Tests/Acceptance/crash.py --cycles $(CYCLES)

screenshots: .test-dependencies
	@deploy/install-dependencies --pictures
	swift build --product gradecast
	$(VENV)/bin/python Tests/Browser/screenshots.py build/screenshots $(PAGES)

bench: .dependencies
	Benchmarks/run

lint:
	swift format lint --strict --parallel --recursive Sources GradingKit Plugins Tests Benchmarks Package.swift

clean:
	rm -rf .build build

.PHONY: .dependencies .test-dependencies .programs
.dependencies:
	@deploy/install-dependencies

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

# -- The proofs that take their time.

SECONDS ?= 60
POWER_CYCLES ?= 500
PYTHON2 ?= python2.7
CONFIGURATION ?= release

.PHONY: fuzz sanitize power systemd autobahn long

fuzz: .dependencies
	Tests/Fuzz/run $(SECONDS) $(TARGETS)

sanitize: .dependencies
	Tests/Sanitize/run

power: .test-dependencies
	swift build --product gradecast
	PYTHONPATH=Tests/Oracle $(VENV)/bin/python Tests/Acceptance/power.py --cycles $(POWER_CYCLES)

systemd: build
	Tests/Systemd/run

autobahn: .dependencies
	Tests/EchoServer/autobahn $(PYTHON2) $(CONFIGURATION) $(CASES)

long: .test-dependencies .programs
	$(PYTEST) Tests/Acceptance -m long
