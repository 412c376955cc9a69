// Package shipped builds the binary as `make build` does, so that what the stories and the
// chaos suite run is what operators run: without cgo, stripped, with the same resolver of names.
package shipped

import (
	"context"
	"fmt"
	"os/exec"
)

// cgo is what the environment says while it is built.
const cgo = "CGO_ENABLED=0"

// flags are those of go build, but for the tags, the file, and whether git is asked for the version.
func flags() []string { return []string{"-trimpath", "-ldflags=-s -w"} }

// Build builds the binary into a file, from the sources of the module that the folder belongs
// to: "" is the present folder. More flags may be given.
func Build(ctx context.Context, folder, binary, tags string, more ...string) error {
	args := append([]string{"build", "-tags", tags, "-o", binary}, flags()...)
	build := exec.CommandContext(ctx, "go", append(append(args, more...), "darkroom/cmd/darkroom")...) //nolint:gosec // the arguments are the suites' own
	build.Dir = folder
	build.Env = append(build.Environ(), cgo)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}
