//go:build !production

package demo

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/sandbox"
	"darkroom/sandbox/page"
	"darkroom/sandbox/person"
	service "darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// Beginning is the beginning of the help.
const Beginning = `Start with "darkroom demo". To install it for real: paste the output of`

// demo has the options of the demo.
type demo struct {
	listen, static, env              string
	terminal, script, verbose, redis bool
	many                             bool
	app                              Start
}

// Command returns the command that runs everything on this machine.
func Command(w *cli.World, start Start) *cobra.Command {
	d := demo{app: start}
	c := &cobra.Command{
		Use: "demo", Short: "Run everything on this machine, with a pretend Slack, photo service and Redis. No account needed",
		Long: demoHelp, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return d.run(c.Context(), w) },
	}
	flags := c.Flags()
	flags.StringVar(&d.listen, "listen", "", "where the page is served (`HOST:PORT`), on this machine only\n(default 127.0.0.1:4270, or a free port when that is taken)")
	flags.BoolVar(&d.terminal, "terminal", false, "no page: be Maria in this terminal, in words")
	flags.BoolVar(&d.script, "script", false, "no page: play one order from /order new to approved, print its story,\nand exit 0 only when every step was seen")
	flags.StringVar(&d.env, "env", "", "write the app's environment to this `FILE`, for \"darkroom doctor\" in another terminal")
	flags.BoolVar(&d.redis, "redis-server", false, "use the redis-server on PATH, with a file of its own, instead of the embedded Redis")
	flags.BoolVar(&d.many, "many", false, "two workspaces, in neither of which the app is yet: add it, connect it, order")
	for _, other := range []string{"terminal", "script", "env"} { // they need one workspace
		c.MarkFlagsMutuallyExclusive("many", other)
	}
	flags.BoolVar(&d.verbose, "verbose", false, "show the app's log as well")
	flags.StringVar(&d.static, "static", "", "serve the page's files from this folder instead of those built in")
	_ = flags.MarkHidden("static") // the flag exists
	return c
}

const demoHelp = `Run everything on this machine, with a pretend Slack, photo service and Redis.
No account needed.

Everything runs in this process on 127.0.0.1: a pretend Slack workspace, a pretend photo
service whose editor really changes the pictures, an embedded Redis, and the real app.

Open the address it prints: you are Maria in #shoots, and may be anybody else as well.
Ctrl-C ends it, and nothing is kept. "darkroom doctor" looks at it from another terminal,
with the environment that --env writes. With --terminal you type what Maria does; "help"
lists the words. With --many there are two workspaces, and as their admin you add the app
to each.`

// run runs the demo.
func (d demo) run(ctx context.Context, w *cli.World) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if d.script || d.terminal {
		return d.onStage(ctx, w, "", func(s *stage) error {
			if d.script {
				return errors.Join(s.maria(20*time.Second).PlayOrder(s.sandbox.Samples(), w.Stdout), s.sandbox.Strangers())
			}
			s.maria(6*time.Second).Converse(ctx, s.sandbox.Samples()[0], w.Stdin, w.Stdout)
			return nil
		})
	}
	address, err := page.Address(ctx, d.listen)
	if err != nil {
		return err
	}
	if d.many {
		return d.ofMany(ctx, w, address)
	}
	return d.onStage(ctx, w, address, func(s *stage) error { return d.show(ctx, s, w.Stdout) })
}

// onStage starts everything, calls do, and stops everything.
func (d demo) onStage(ctx context.Context, w *cli.World, address string, do func(*stage) error) error {
	stage, err := d.start(ctx, address, d.log(w))
	if err != nil {
		return err
	}
	return errors.Join(do(stage), stage.stop())
}

func (d demo) log(w *cli.World) *slog.Logger {
	if d.verbose {
		return slog.New(slog.NewTextHandler(w.Stderr, nil))
	}
	return slog.New(slog.DiscardHandler)
}

// stage has the parts of a running demo: the sandbox, Redis and the app.
type stage struct {
	start   Start
	sandbox *sandbox.Sandbox
	redis   ownRedis
	app     *runningApp
}

// start starts everything, with the workspace at the address; "" is any free port.
func (d demo) start(ctx context.Context, address string, log *slog.Logger) (*stage, error) {
	s := &stage{start: d.app}
	var err error
	s.sandbox, err = sandbox.Start(sandbox.Options{
		Workspace: workspace.Options{Addr: address, Scopes: manifest.Names(manifest.Scopes), Events: manifest.Names(manifest.Events), VerifyFirst: true},
		Photos:    service.Options{Turnaround: 10 * time.Minute},
		EditAfter: 2 * time.Second,
	})
	if err != nil {
		return nil, err
	}
	if s.redis, err = d.startRedis(ctx); err == nil {
		if err = errors.Join(s.startApp(ctx, log, d.env != ""), s.writeEnv(d.env)); err == nil {
			return s, nil
		}
		s.redis.Close()
	}
	s.sandbox.Close()
	return nil, err
}

func (s *stage) startApp(ctx context.Context, log *slog.Logger, ops bool) (err error) {
	environ := append(s.sandbox.Environ(), "SERVICE_PRICES=basic=1,extensive=1", "SERVICE_DESCRIPTIONS=basic=Colour and light; extensive=Detailed retouching")
	if ops {
		environ = append(environ, "OPS_CHANNEL="+opsChannel)
	}
	if s.app, err = runApp(ctx, s.start, log, append(environ, "REDIS_URL="+s.redis.URL())); err != nil {
		return err
	}
	s.sandbox.Workspace.SetAppURL(s.app.url)
	if !s.sandbox.Workspace.VerifyURL() {
		return errors.Join(errors.New("the pretend Slack could not verify the app's request URL"), s.app.stop())
	}
	return nil
}

// stop stops everything, the app first; it fails if the app did not stop cleanly.
func (s *stage) stop() error {
	err := s.app.stop()
	s.sandbox.Close()
	s.redis.Close()
	return err
}

// maria returns the person who plays the demo; she waits that long for something to appear.
func (s *stage) maria(patience time.Duration) *person.Person {
	return person.New(s.sandbox.Workspace, "maria", person.Options{Patience: patience})
}
