# The targets CI calls; `make` alone lists them.
.DEFAULT_GOAL := help
TOOLS := go tool -modfile=.ci/tools.mod
BIN := bin/darkroom

.PHONY: help build demo test race socket stories-race stories-sentinel chaos-race check lint golden cover fuzz chaos upgrade bench bench-load bench-crowd bench-go bench-allocs bench-allocs-accept screenshots gallery measure trace vuln chaos-short chaos-many failover test-sentinel test-cluster release reproducible deploy-check

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build the one binary into bin/, for production: without the demo and its sandbox
	CGO_ENABLED=0 go build -trimpath -buildvcs=auto -tags production -ldflags="-s -w" -o $(BIN) ./cmd/darkroom

release: ## archives for Linux and macOS, checksums and SBOMs into dist/, the same bytes wherever they are made; TARGETS="linux/amd64" makes fewer
	.ci/release

reproducible: ## make a release in two folders and compare every byte; FRESH=1 with a build cache of its own for each
	.ci/reproducible

deploy-check: reproducible bin/caddy ## what is in deploy/, the Dockerfile, and that a build can be repeated
	PATH=$(CURDIR)/bin:$$PATH .ci/deploy-check

# The proxy of deploy/, as new as the one of compose.yaml: Debian 12 has one that cannot send a request again.
bin/caddy: .ci/caddy.mod
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -modfile=.ci/caddy.mod -o $@ github.com/caddyserver/caddy/v2/cmd/caddy

demo: ## the whole thing on this laptop, no account needed
	go run ./cmd/darkroom demo

# Everything is compiled before anything runs: in stories people wait in real time, and compilers take the processors.
COMPILE = go list -export -test -deps -f ''

test: ## what a change must pass, with Go alone: units, golden files, the stories over HTTP; says what it used and what it left out
	@echo "compiling what has changed"
	@$(COMPILE) $(or $(PKG),./...) >/dev/null
	@$(if $(PKG),,go build -tags production -ldflags="-s -w" -o bin/tested ./cmd/darkroom)
	@$(if $(PKG),,DARKROOM_TEST_BINARY=$(CURDIR)/bin/tested) GOGC=400 go run ./sandbox/proof -count=1 -vet=off -ldflags="-s -w" -p=2 -timeout=20m $(or $(PKG),$(WITH_PROCESSES) -- $(TESTED))

# The packages whose tests start the app, a browser, or servers of Redis to break. They are tested each time. All others are
# tested when they or a file that they read has changed; go test knows. In both lists the slowest comes first. Chaos is for make check alone; go vet
# is a part of make lint. Test binaries are linked as the shipped one is, without what only a debugger reads: that takes a
# third less.
WITH_PROCESSES = ./sandbox/stories ./cmd/darkroom ./store ./store/storetest/topology ./store/queue ./sandbox/page ./sandbox/browser ./sandbox/crowd
LONGEST = ./jobs ./notifier/announce ./notifier/poll ./files ./commands ./upstream ./cards
TESTED = $(LONGEST) $$(go list ./... | grep -Ev '^darkroom/($(subst $() ,|,$(WITH_PROCESSES:./%=%) $(LONGEST:./%=%))|sandbox/chaos)$$')

race: ## the race detector, where goroutines share memory
	@CGO_ENABLED=1 $(COMPILE) -race -tags failpoint $(RACED) >/dev/null
	@GOGC=400 CGO_ENABLED=1 go run ./sandbox/proof -race -count=1 -vet=off -ldflags="-s -w" -tags failpoint -p 2 -timeout 10m -skip '$(UNRACED)' $(RACED)

# Left out are the shipped binary, which is built without -race, and, but for make check, what computes for long in one
# goroutine: the tables of everybody's rights and of what crosses from one workspace to another, hundreds of orders beside one,
# all kinds of service, drawn pictures, the largest answers. That is four minutes of a processor.
RACED = ./cmd/darkroom ./cmd/darkroom/tenants ./cmd/darkroom/workspace ./store/... ./bot/... ./files ./upstream ./access
UNRACED = ^(TestProductionScripts|TestWhoMayDoWhat|TestANoisyWorkspaceTakesNothingFromAQuietOne|TestNothingCrossesFromOneWorkspaceToAnother|TestEveryOperationAtEveryKindOfService|TestLargeAnswersAreHeldWithinBounds|TestPicturesStandAsTheCameraWasHeld|TestAContactSheetLooksAsItDid)$$

socket: ## five stories over Socket Mode; make check tells all of them so
	@DARKROOM_TEST_DELIVERY=socket go run ./sandbox/proof -count=1 -vet=off -run '$(SOCKET)' ./sandbox/stories

SOCKET = ^(TestAnOrderFromNewToApproved|TestTheTeamTalksToTheEditor|TestUploadsAndAddressesTogetherImageByImage|TestAskingForOrders|TestAWindowThatIsClosedTooEarlyLosesNothing)$$

stories-race: ## all stories over HTTP and over Socket Mode, with the app itself built with -race
	@DARKROOM_TEST_RACE=1 go run ./sandbox/proof -count=1 -vet=off -timeout 30m ./sandbox/stories
	@DARKROOM_TEST_RACE=1 DARKROOM_TEST_DELIVERY=socket go run ./sandbox/proof -count=1 -vet=off -timeout 30m ./sandbox/stories

stories-sentinel: ## all stories over HTTP, with a Redis behind Sentinels of which a replica must have each write (WAIT)
	@DARKROOM_TEST_REDIS=sentinel DARKROOM_TEST_WAIT=1 go run ./sandbox/proof -count=1 -vet=off -timeout 30m ./sandbox/stories

chaos-race: ## the short forms of chaos, with the app itself built with -race
	@DARKROOM_TEST_RACE=1 go run ./sandbox/proof -count=1 -vet=off -timeout 30m ./sandbox/chaos

check: ## everything there is, for before a release: some 35 minutes; docs/proof.md tells its last whole run
	.ci/check

lint: ## the linters, with the imports between packages
	$(TOOLS) golangci-lint run --build-tags failpoint ./...
	$(TOOLS) golangci-lint run --build-tags production ./cmd/...

vuln: ## known vulnerabilities in what the binary calls; says so where the database cannot be reached
	.ci/vuln

golden: ## write the golden files anew; look at the diff
	UPDATE_GOLDEN=1 go test ./cards/...

cover: ## coverage of the packages by their own tests
	@for package in order upstream store store/queue store/conn store/tenants store/retention files review bot notifier/poll notifier/announce $$(go list ./cards/... | grep -v cardstest | sed s:darkroom/::) access jobs commands; do \
		go test -coverprofile=coverage.out ./$$package >/dev/null && \
		printf '%-12s %s\n' $$package "$$(go tool cover -func=coverage.out | awk '/^total/ {print $$3}')"; \
	done; rm -f coverage.out

chaos: ## 500 orders through 200 kills and 50 faults of Redis, some twenty minutes; CHAOS_SEED=7 repeats its draws, CHAOS_REDIS=cluster or sentinel has Redis fail over
	go test ./sandbox/chaos -long -seed=$(or $(CHAOS_SEED),0) -redis=$(or $(CHAOS_REDIS),one) -v -count=1 -timeout=90m

chaos-short: ## the short form of chaos alone, on CHAOS_REDIS=one, sentinel or cluster; CHAOS_WAIT=false without WAIT
	go test ./sandbox/chaos -run '^TestShort$$' -seed=$(or $(CHAOS_SEED),3) -redis=$(or $(CHAOS_REDIS),one) -wait=$(or $(CHAOS_WAIT),true) -v -count=1 -timeout=10m

chaos-many: ## 1000 workspaces on a cluster through kills of replicas and of Redis, and rolling restarts, some seven minutes; CHAOS_SEED=7 repeats its draws, CHAOS_WORKSPACES says how many
	go test ./sandbox/chaos -run '^TestManyWorkspacesThroughFaults$$' -workspaces=$(or $(CHAOS_WORKSPACES),1000) -seed=$(or $(CHAOS_SEED),7) -v -count=1 -timeout=30m

failover: ## 100 orders with a failover of Redis in their middle, behind Sentinels and on a cluster, with WAIT and without: what was lost, by name; some five minutes
	go test ./sandbox/chaos -run '^TestAFailoverInTheMiddle$$' -orders=100 -parallel=1 -v -count=1 -timeout=20m

test-sentinel: ## the suites of the store and the queue, on a server behind three Sentinels
	DARKROOM_TEST_REDIS=sentinel go test -count=1 ./store ./store/queue

test-cluster: ## the same on a cluster of three masters
	DARKROOM_TEST_REDIS=cluster go test -count=1 ./store ./store/queue

upgrade: ## a rolling upgrade and its rollback under traffic, some three minutes; UPGRADE_FROM=path names another binary to begin with
	DARKROOM_UPGRADE_FROM=$(UPGRADE_FROM) go test ./sandbox/chaos -run '^TestAnUpgradeAndItsRollbackLoseNothing$$' -v -count=1 -timeout=15m

fuzz: ## every decoder of foreign bytes, a little
	.ci/fuzz 10s

# Where benchmarks are, so that nothing else is built for them.
BENCHED = $$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -n1 dirname | sort -u)

bench-go: ## all Go benchmarks, with what they allocate
	go test -run '^$$' -bench . -benchmem $(BENCHED)

bench-allocs: ## all Go benchmarks for a moment: fails when one allocates half as much again as was accepted
	go run ./sandbox/bench/allocs $(BENCHED)

bench-allocs-accept: ## accept what the benchmarks allocate now, after ten runs: writes docs/benchmarks/allocations.txt
	go run ./sandbox/bench/allocs -accept $(BENCHED)

screenshots: ## pictures of every screen that matters into screenshots/; those of the README and of docs/gallery into docs/ as well; look at them
	rm -rf screenshots/gallery && mkdir -p screenshots docs/gallery
	DARKROOM_TEST_ALL=1 DARKROOM_SCREENSHOTS=$(CURDIR)/screenshots go test -count=1 -timeout 20m -run '^(TestScreenshots|TestTwoNewWorkspacesOnThePage|TestPicturesOfTheWays)$$' ./sandbox/stories
	for shown in docs/screenshots/*.png; do cp screenshots/$$(basename $$shown) docs/screenshots/; done
	rm -f docs/gallery/*.png && cp screenshots/gallery/*.png docs/gallery/

gallery: ## pictures of every golden file, wide and narrow, by day and by night, into screenshots/golden; some six minutes
	mkdir -p screenshots
	DARKROOM_SCREENSHOTS=$(CURDIR)/screenshots go test -count=1 -run '^TestGalleryPictures$$' ./sandbox/page

measure: ## a table of what four ways take: messages, mentions, clicks, keystrokes, words, pixels
	@DARKROOM_MEASURE=1 go test -count=1 -v -timeout 20m -run '^TestWhat(TheWaysTake|AReviewTakes)$$' ./sandbox/stories | grep -E '^\||Error|FAIL'

trace: ## one order's trace from its form to its channel, and one change's from the poll to its message, drawn
	go test -count=1 -v -run 'TestAnOrderIsOneTraceFromItsFormToItsChannel/http|TestAChangeAtTheServiceIsOneTraceToItsChannel' ./sandbox/stories | awk '/^ +trace [0-9a-f]+$$/, /^ *$$/ {print}; /^(FAIL|--- FAIL)/'

bench: bench-load bench-go ## all benchmarks

bench-crowd: ## one app for 10, 100, 1,000 and 10,000 workspaces on a Cluster of three nodes: some fourteen minutes, into docs/benchmarks.md
	go run ./sandbox/bench -run crowd

bench-load: ## the real binary beside Bolt and a bare handler, over 100,000 orders, from change to message: some twelve minutes, into docs/benchmarks.md
	go run ./sandbox/bench
