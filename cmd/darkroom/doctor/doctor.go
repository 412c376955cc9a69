// Package doctor checks everything that the app needs, and reports problems with their remedies.
package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/config"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

// patience has the time limits of an examination.
type patience struct {
	all     time.Duration // for the whole examination
	redis   time.Duration // for all questions to Redis of one area
	slack   time.Duration // for one answer of Slack
	public  time.Duration // for one answer of PUBLIC_URL
	service time.Duration // for one answer of the photo service
}

// usual is the patience of the command. The areas run concurrently, and each waits for only a few missing
// answers.
var usual = patience{all: 55 * time.Second, redis: 10 * time.Second, slack: 8 * time.Second, public: 8 * time.Second, service: 10 * time.Second}

// Errors that end the command with status 1, without a further message.
var (
	ErrUnwell  = errors.New("something is red")
	ErrStopped = errors.New("stopped before it had seen everything")
)

// Command returns the command "doctor".
func Command(w *cli.World, version string) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor", Short: "Look at everything the app needs, and say what is wrong and what to do", Long: doctorHelp, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return Run(c.Context(), w, version, asJSON, usual) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

const doctorHelp = `Look at everything the app needs, and say what is wrong and what to do about it:
the configuration, Redis, Slack, PUBLIC_URL and the photo service. Give it the
environment of "darkroom serve", and let it run on the same machine.

green   is as it should be
yellow  works; something could be lost, is not set up, or could not be seen
red     does not work, or loses what people entrust to the app

Where one Darkroom is for many workspaces (SLACK_CLIENT_ID) it looks at what is kept of
each in place of the photo service: whether ENCRYPTION_KEY opens it, and what Slack
granted. Up to ten of them it asks Slack about.

It is harmless: it places, changes and cancels nothing at the photo service and posts
nothing in Slack. It finds out how the service wants requests signed, and prints the
settings that work. It takes a minute at most.

The exit status is 0 when nothing is red, 1 when something is or when it was stopped,
and 2 when the command was not understood.`

// State is the result of a check.
type State string

// The states, from good to bad.
const (
	Green  State = "green"
	Yellow State = "yellow"
	Red    State = "red"
)

// stateOf returns the state of a finding of the store.
func stateOf(l conn.Level) State {
	return map[conn.Level]State{conn.Good: Green, conn.Caution: Yellow, conn.Bad: Red}[l]
}

// Check is one check of doctor and its result.
type Check struct {
	Name     string   `json:"name"`
	State    State    `json:"state"`
	Message  string   `json:"says"`               // a sentence or two
	Fix      string   `json:"fix,omitempty"`      // the remedy
	Settings []string `json:"settings,omitempty"` // lines for the environment that would fix it
}

// Area is a group of checks.
type Area struct {
	Name   string  `json:"name"`
	Checks []Check `json:"checks"`
}

// Report has the results of all checks.
type Report struct {
	State   State    `json:"state"` // the worst of all checks
	Version string   `json:"version"`
	Areas   []Area   `json:"areas"`
	Unseen  []string `json:"cannot_see"` // see [unseen]
}

// unseen lists what doctor cannot check.
var unseen = []string{
	"whether the photo service reaches PUBLIC_URL from where it is: doctor fetches it from this machine",
	"whether Slack can show the app's pictures, and what a workspace's admins forbid the app",
	"whether the photo service can place an order: that costs credits, and the first order will tell",
	"how other replicas are configured: run doctor beside each of them",
}

// doctor is a running examination.
type doctor struct {
	version  string
	cfg      config.Config
	problems *config.Error
	rdb      redis.UniversalClient
	store    *store.Store // nil: REDIS_URL cannot be used
	log      *slog.Logger
	wait     patience
}

// Run runs all checks and prints the report; it returns [ErrUnwell] if something is red. If ctx is canceled it
// prints nothing, because interrupted checks are no findings, and returns [ErrStopped].
func Run(ctx context.Context, w *cli.World, version string, asJSON bool, wait patience) error {
	bounded, cancel := context.WithTimeout(ctx, wait.all)
	defer cancel()
	d := &doctor{version: version, log: slog.New(slog.DiscardHandler), wait: wait}
	redis.SetLogger(cli.RedisLog{Log: d.log})
	d.cfg, d.problems = config.Inspect(w.Environ)
	if rdb, err := conn.Connect(string(d.cfg.RedisURL)); err == nil && d.cfg.RedisURL != "" {
		defer func() { _ = rdb.Close() }()
		d.rdb, d.store = rdb, store.New(rdb, queue.New(rdb, queue.Options{Logger: d.log}))
	}
	progress := newProgress(w.Stderr)
	found := d.examine(bounded, progress)
	progress.end()
	if errors.Is(ctx.Err(), context.Canceled) {
		return ErrStopped
	}
	if err := found.print(w, asJSON); err != nil {
		return err
	}
	if found.State == Red {
		return ErrUnwell
	}
	return nil
}

// look runs the checks of one area.
type look struct {
	name string
	look func(context.Context) []Check
}

// looks returns the areas to look at.
func (d *doctor) looks() []look {
	variables := look{"configuration", func(context.Context) []Check { return d.configuration() }}
	if d.cfg.Many() {
		return []look{variables, {"Redis", d.redis}, {"Slack", d.slackOfMany}, {"PUBLIC_URL", d.public}, {"workspaces", d.workspaces}}
	}
	return []look{variables, {"Redis", d.redis}, {"Slack", d.slack}, {"PUBLIC_URL", d.public}, {"photo service", d.service}}
}

// examine looks at all areas concurrently; the report is in order.
func (d *doctor) examine(ctx context.Context, p *progress) Report {
	looks := d.looks()
	found := Report{State: Green, Version: d.version, Areas: make([]Area, len(looks)), Unseen: unseen}
	if d.cfg.Many() {
		found.Unseen = slices.Concat(unseen, unseenOfMany)
	}
	var all sync.WaitGroup
	for i, l := range looks {
		found.Areas[i].Name = l.name
		p.begin(l.name)
		all.Go(func() {
			found.Areas[i].Checks = l.look(ctx)
			p.done(l.name)
		})
	}
	all.Wait()
	for _, a := range found.Areas {
		for _, c := range a.Checks {
			found.State = Worse(found.State, c.State)
		}
	}
	return found
}

// Worse returns the worse of two states.
func Worse(a, b State) State {
	order := []State{Green, Yellow, Red}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// configuration returns a check for each variable that cannot be used.
func (d *doctor) configuration() []Check {
	if len(d.problems.Problems) == 0 {
		return []Check{{Name: "variables", State: Green, Message: "Every variable holds what it should."}}
	}
	checks := make([]Check, len(d.problems.Problems))
	for i, p := range d.problems.Problems {
		checks[i] = Check{Name: p.Name, State: Red, Message: sentence(p.Message)}
	}
	return checks
}

// sentence adds a full stop to a text without one.
func sentence(text string) string {
	if strings.HasSuffix(text, "…") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// lacking returns the variables that are missing or cannot be used.
func (d *doctor) lacking(names ...string) []string {
	var all []string
	for _, name := range names {
		if slices.ContainsFunc(d.problems.Problems, func(p config.Problem) bool { return p.Name == name }) {
			all = append(all, name)
		}
	}
	return all
}

// notChecked returns the only check of an area whose variables are missing.
func notChecked(name, what string, lacking []string) []Check {
	return []Check{{
		Name: name, State: Red, Message: what + " could not be looked at: " + cli.List(lacking) + " must be right first.",
		Fix: "Set " + cli.List(lacking) + " as said under configuration, and run doctor again.",
	}}
}

// print writes the report for people, or as JSON.
func (c Report) print(w *cli.World, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(c)
	}
	return c.write(w.Stdout, colourful(w.Stdout, w.Environ))
}

// colourful reports whether to use colours: on a terminal without NO_COLOR. See https://no-color.org
func colourful(out io.Writer, environ []string) bool {
	no := func(line string) bool { return strings.HasPrefix(line, "NO_COLOR=") && line != "NO_COLOR=" }
	return terminal(out) && !slices.ContainsFunc(environ, no) && !slices.Contains(environ, "TERM=dumb")
}

// terminal reports whether out is a terminal.
func terminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress shows on a terminal which areas are still being looked at.
type progress struct {
	out io.Writer // nil: no terminal

	mu    sync.Mutex
	still []string
}

func newProgress(out io.Writer) *progress {
	if !terminal(out) {
		out = nil
	}
	return &progress{out: out}
}

func (p *progress) begin(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still = append(p.still, what)
	p.show()
}

func (p *progress) done(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still = slices.DeleteFunc(p.still, func(s string) bool { return s == what })
	p.show()
}

// end clears the line.
func (p *progress) end() {
	if p.out != nil {
		_, _ = fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) show() {
	if p.out != nil && len(p.still) > 0 {
		_, _ = fmt.Fprint(p.out, "\r\x1b[KLooking at "+cli.List(p.still)+" …")
	}
}
