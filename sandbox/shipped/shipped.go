// Package shipped builds the binary as `make build` does, so that what the stories and the chaos suite run is what
// operators run: stripped, with the tags of production.
//
// Cgo and -trimpath are those of the environment, so that a build finds what `go run` or `go test` has compiled before. CI
// sets them as `make build` does.
package shipped

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// ldflags are those of `make build`.
const ldflags = "-s -w"

// Race is the flag of a binary that reports data races.
const Race = "-race"

// Build builds the binary into a file, from the sources of the module that the folder belongs
// to: "" is the present folder. More flags may be given, such as [Race]. The shipped binary itself is not
// linked again where DARKROOM_TEST_BINARY names it, as `make test` does for all suites.
func Build(ctx context.Context, folder, binary, tags string, more ...string) error {
	if made := os.Getenv("DARKROOM_TEST_BINARY"); made != "" && tags == "production" && len(more) == 0 { //nolint:forbidigo // of tests alone
		return os.Symlink(made, binary)
	}
	args := append([]string{"build", "-tags", tags, "-ldflags", ldflags, "-o", binary}, more...)
	build := exec.CommandContext(ctx, "go", append(args, "darkroom/cmd/darkroom")...) //nolint:gosec // the arguments are the suites' own
	build.Dir = folder
	build.Env = build.Environ()
	if slices.Contains(more, Race) { // the race detector needs cgo
		build.Env = append(build.Env, "CGO_ENABLED=1")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}
