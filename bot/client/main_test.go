package client_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// together is how many tests run in parallel, unless a flag says otherwise. These tests wait for real time
// and compute little.
const together = "8"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", together); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
