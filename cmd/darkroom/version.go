package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
)

// release is the version. CHANGELOG.md begins with it, and a release changes both.
const release = "1.0.0"

// sourceStamp has the commit and its date, which "git archive" fills in (see .gitattributes). In a working tree it is
// the bare pattern; there Go records the commit in the binary.
//
//go:embed source_stamp.txt
var sourceStamp string

// origin is the source that the binary was built from. Unknown fields are empty.
type origin struct {
	commit  string
	date    string // of the commit, UTC, as RFC 3339; not of the build, which is reproducible to the byte
	changed bool   // with uncommitted changes
}

// newVersion returns the command that prints the version and the source of the binary.
func newVersion(w *cli.World) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, the commit and the Go version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(w.Stdout, "darkroom version", builtFrom().describe())
			return err
		},
	}
}

// addVersionFlag makes "darkroom --version" print what "darkroom version" prints. Cobra begins it with "darkroom version".
func addVersionFlag(root *cobra.Command) {
	root.Version = builtFrom().describe()
	root.Flags().BoolP("version", "v", false, "print the version, the commit and the Go version")
}

// version returns the release and its commit, for the log.
func version() string {
	return strings.TrimSpace(release + " " + builtFrom().commit)
}

// builtFrom reads what Go wrote into this binary, or "git archive" into its source.
func builtFrom() origin {
	var o origin
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return o
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			o.commit = s.Value
		case "vcs.time":
			o.date = s.Value
		case "vcs.modified":
			o.changed = s.Value == "true"
		}
	}
	if o.commit == "" {
		o.stamped(sourceStamp)
	}
	return o
}

// stamped parses what "git archive" wrote: "COMMIT DATE". It ignores the bare pattern.
func (o *origin) stamped(stamp string) {
	words := strings.Fields(stamp)
	if len(words) < 2 || strings.HasPrefix(stamp, "$") {
		return
	}
	o.commit, o.date = words[0], words[1]
	if at, err := time.Parse(time.RFC3339, o.date); err == nil {
		o.date = at.UTC().Format(time.RFC3339)
	}
}

// describe returns the text of "darkroom version": the release, its source, and the Go version.
func (o origin) describe() string {
	var b strings.Builder
	fmt.Fprintln(&b, release)
	switch {
	case o.commit == "":
		fmt.Fprintln(&b, "commit   unknown: not built from a clone or a release")
	case o.changed:
		fmt.Fprintf(&b, "commit   %s of %s, with changes that are not committed\n", o.commit, o.date)
	default:
		fmt.Fprintf(&b, "commit   %s of %s\n", o.commit, o.date)
	}
	fmt.Fprintf(&b, "built by %s for %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return b.String()
}
