# The targets CI calls; `make` alone lists them.
.DEFAULT_GOAL := help
TOOLS := go tool -modfile=.ci/tools.mod

.PHONY: help build demo test lint golden cover fuzz chaos bench bench-load bench-go bench-allocs bench-allocs-accept bench-queue screenshots gallery measure

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build the one binary into bin/, for production: without the demo and its sandbox
	CGO_ENABLED=0 go build -tags production -ldflags="-s -w" -o bin/darkroom ./cmd/darkroom

demo: ## the whole thing on this laptop, no account needed
	go run ./cmd/darkroom demo

test: ## everything: unit, golden, stories; says which Redis and browser it used
	@if command -v redis-server >/dev/null; then echo "Redis: $$(redis-server --version)"; \
	else echo "Redis: embedded (no redis-server on PATH)"; fi
	@if command -v chromium >/dev/null; then echo "Browser: $$(chromium --version 2>/dev/null)"; \
	else echo "Browser: none (no chromium on PATH), browser stories not run"; fi
	@if command -v prometheus >/dev/null; then echo "Prometheus: found"; \
	else echo "Prometheus: none (no prometheus on PATH), the dashboard and the alert rules are not tried"; fi
	@if [ -d .ci/node_modules/axe-core ]; then echo "axe-core: found"; \
	else echo "axe-core: none (npm ci --prefix .ci brings it), the page is not checked with it"; fi
	go test -tags failpoint -race $$(go list ./... | grep -v '/cards$$')
	go test ./cards # pure functions: nothing to race, and ten times as fast without

lint: ## the linters, the arrows between the rooms among them
	$(TOOLS) golangci-lint run --build-tags failpoint ./...
	$(TOOLS) golangci-lint run --build-tags production ./cmd/...

golden: ## write the golden files anew; look at the diff
	UPDATE_GOLDEN=1 go test ./cards/...

cover: ## coverage of the rooms by their own tests
	@for room in order upstream store store/queue files bot notifier cards access jobs commands; do \
		go test -coverprofile=coverage.out ./$$room >/dev/null && \
		printf '%-12s %s\n' $$room "$$(go tool cover -func=coverage.out | awk '/^total/ {print $$3}')"; \
	done; rm -f coverage.out

chaos: ## 500 orders through 200 kills and 50 faults of Redis, some twenty minutes; CHAOS_SEED=7 repeats its draws
	go test ./sandbox/chaos -long -seed=$(or $(CHAOS_SEED),0) -v -count=1 -timeout=45m

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

bench-queue: ## our queue beside asynq and river, some twenty minutes; needs PostgreSQL for river
	cd sandbox/bench/queues && go build -o ../../../bin/queues . && taskset -c 0 ../../../bin/queues -servers 1

screenshots: ## pictures of every screen that matters into screenshots/; those of the README into docs/ as well; look at them
	mkdir -p screenshots
	DARKROOM_SCREENSHOTS=$(CURDIR)/screenshots go test -count=1 -run '^TestScreenshots$$' ./sandbox/stories
	for shown in docs/screenshots/*.png; do cp screenshots/$$(basename $$shown) docs/screenshots/; done

gallery: ## pictures of every golden file, wide and narrow, by day and by night, into screenshots/golden; some six minutes
	mkdir -p screenshots
	DARKROOM_SCREENSHOTS=$(CURDIR)/screenshots go test -count=1 -run '^TestGalleryPictures$$' ./sandbox/page

measure: ## what an order takes: clicks, keystrokes, pixels of its channel
	DARKROOM_MEASURE=1 go test -count=1 -v -run '^TestWhatAnOrderTakes$$' ./sandbox/stories | grep 'browser_measure'

bench: bench-load bench-go ## all benchmarks

bench-load: ## the real binary beside Bolt and a bare handler, over 100,000 orders, from change to message: some twelve minutes, into docs/benchmarks.md
	go run ./sandbox/bench
