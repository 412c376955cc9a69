package store_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// Each check of rapid's is a few dozen scripts; what it draws is new in each run. DARKROOM_TEST_ALL has time for more.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("DARKROOM_TEST_ALL") == "" {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
