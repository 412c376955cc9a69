//go:build production

package demo

import (
	"errors"

	"darkroom/cmd/darkroom/cli"

	"github.com/spf13/cobra"
)

// Beginning is the beginning of the help.
const Beginning = `To install it: paste the output of`

var errNoDemo = errors.New(`this binary is built for production, without the demo: "go run ./cmd/darkroom demo" in the source tree runs it`)

// Command returns a command that says that this binary is built without the demo and its
// sandbox.
func Command(*cli.World, Start) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return errNoDemo },
	}
}
