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

// release is the version, however the binary is built. CHANGELOG.md begins with it, and a release changes both.
const release = "1.0.0"

// sourceStamp is filled in by "git archive" (see .gitattributes): the commit and its date. In a working tree it is
// the bare pattern, and Go itself writes down what it builds from.
//
//go:embed source_stamp.txt
var sourceStamp string

// origin is what the binary was built from. What nobody wrote down is empty.
type origin struct {
	commit  string
	date    string // of the commit, UTC, as RFC 3339: a build has none, so that it can be repeated to the byte
	changed bool   // files were changed or added and not committed
}

// newVersion prints what the binary was built from.
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

// version is the release and its commit, for the log.
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

// stamped takes over what "git archive" wrote, if it did: "COMMIT DATE".
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

// describe is what "darkroom version" prints: the release, then what it was built from and by.
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
