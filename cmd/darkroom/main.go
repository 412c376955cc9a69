// Command darkroom is a Slack app for teams that order human photo editing.
//
// It is the composition root: it reads the configuration, wires the packages together
// and runs them. Nothing imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // a report's month is in the person's time zone, even on a machine without time zones

	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/demo"
	"darkroom/cmd/darkroom/doctor"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/cmd/darkroom/tenants"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

const about = `Order, review and approve human photo editing without leaving Slack.

` + demo.Beginning + `
"darkroom manifest" at api.slack.com/apps, set the environment variables that
"darkroom serve --help" lists, and run "darkroom serve".`

// run is main with everything passed in; it returns the exit code: 0 done, 1 failed,
// 2 not understood.
func run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	w := &cli.World{Environ: environ, Stdin: stdin, Stdout: stdout, Stderr: stderr}
	understood := false
	root := commandLine(w)
	root.PersistentPreRun = func(*cobra.Command, []string) { understood = true }
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return 0
	case errors.Is(err, doctor.ErrUnwell), errors.Is(err, doctor.ErrStopped):
		return 1
	case understood:
		fmt.Fprintln(stderr, "darkroom:", err)
		return 1
	}
	fmt.Fprintf(stderr, "darkroom: %v\nRun \"darkroom --help\" to see what it can do.\n", err)
	return 2
}

// commandLine returns the root command with all commands.
func commandLine(w *cli.World) *cobra.Command {
	root := &cobra.Command{
		Use: "darkroom", Long: about,
		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetHelpCommand(&cobra.Command{Hidden: true}) // "--help" is the one way
	addVersionFlag(root)
	root.AddCommand(newServe(w), demo.Command(w, startDemo), doctor.Command(w, version()), newDead(w), newForget(w), tenants.WorkspacesCommand(w), tenants.ResealCommand(w), newMove(w), newHealthcheck(w), manifest.Command(w.Stdout), newVersion(w))
	return root
}

// startDemo makes the app that the demo runs.
func startDemo(cfg config.Config, log *slog.Logger) (run func(context.Context, net.Listener) error, err error) {
	a, err := newApp(cfg, log, nil)
	if err != nil {
		return nil, err
	}
	return a.run, nil
}
