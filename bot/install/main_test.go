package install_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// together is how many tests run at the same time, unless the command line says otherwise: those
// that may wait for real time, and do not compute.
const together = "8"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", together); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
