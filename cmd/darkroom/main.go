// Command darkroom is a Slack app for teams that order human photo editing.
//
// It is the composition root: it reads the configuration, wires the rooms together
// and runs them. Nothing imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// world is what a command sees of the outside.
type world struct {
	environ        []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// cli is the command line; its help is made from the tags.
type cli struct {
	Serve serveCmd `cmd:"" help:"Run the app: HTTP in, Slack and the photo service out, Redis behind."`
	demoCommand
	Jobs     jobsCmd     `cmd:"" help:"List, retry and drop the jobs that could not succeed."`
	Manifest manifestCmd `cmd:"" help:"Print the Slack app manifest to paste into api.slack.com/apps."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

const about = `Order, review and approve human photo editing without leaving Slack.

` + beginning + `
"darkroom manifest" at api.slack.com/apps, set the environment variables that
"darkroom serve --help" lists, and run "darkroom serve".`

// run is main with everything passed in; it returns the exit code: 0 done, 1 failed,
// 2 not understood.
func run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c cli
	exit := -1
	parser := kong.Must(&c,
		kong.Name("darkroom"), kong.Description(about), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { exit = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(&world{environ: environ, stdin: stdin, stdout: stdout, stderr: stderr}),
	)
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exit >= 0 { // help was asked for and printed
		return exit
	}
	if err != nil {
		fmt.Fprintf(stderr, "darkroom: %v\nRun \"darkroom --help\" to see what it can do.\n", err)
		return 2
	}
	if err := parsed.Run(); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "darkroom:", err)
		return 1
	}
	return 0
}

type versionCmd struct{}

// Run prints the version of the module, and the commit it was built from.
func (versionCmd) Run(w *world) error {
	_, err := fmt.Fprintln(w.stdout, "darkroom", version())
	return err
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return info.Main.Version + " " + s.Value
		}
	}
	return info.Main.Version
}
