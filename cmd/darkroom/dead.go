package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// newDead returns the command for dead letters: jobs that could not succeed. They are kept completely until
// an operator decides. Without arguments it lists them.
func newDead(w *cli.World) *cobra.Command {
	l := &letters{world: w}
	list := func(c *cobra.Command, _ []string) error { return l.list(c.Context()) }
	dead := &cobra.Command{
		Use: "dead", Short: "List, retry and discard the jobs that could not succeed", Long: deadHelp, Args: cobra.NoArgs, RunE: list,
	}
	dead.PersistentFlags().StringVar(&l.workspace, "workspace", "", "only those of one workspace, by its `id`; where there are many")
	dead.AddCommand(&cobra.Command{Use: "list", Short: "List them, newest first", Args: cobra.NoArgs, RunE: list})
	about := func(verb, does string, do func(ctx context.Context, names []string) error) {
		dead.AddCommand(&cobra.Command{
			Use: verb + " <job>…", Short: does, Args: deadNamed,
			Long: does + ".\n\nA job is named by the reference that the person was told, or by its id.",
			RunE: func(c *cobra.Command, names []string) error { return do(c.Context(), names) },
		})
	}
	about("show", "Show everything a job holds: it may be a person's words", l.show)
	about("retry", "Put jobs back: they look before they send, so nothing is done twice", l.retry)
	about("discard", "Forget jobs for good", l.discard)
	return dead
}

const deadHelp = `List, retry and discard the jobs that could not succeed.

A job that cannot succeed becomes a dead letter: it is kept with its reason. Its requester
is told, with a reference. The commands take that reference, or the job's id. They need
REDIS_URL and nothing else.

Where one Darkroom is for many workspaces the list says whose each is. Two of them may
have jobs of one name: --workspace says which is meant.`

// deadNamed requires at least one job.
func deadNamed(_ *cobra.Command, names []string) error {
	if len(names) == 0 {
		return errors.New("which job? Name it by the reference that the person was told, or by its id; \"darkroom dead\" lists them")
	}
	return nil
}

// letters are the dead letters of one workspace, or of all.
type letters struct {
	world     *cli.World
	workspace string // only the dead letters of this workspace; "": of all
}

// letter is a dead letter and the letters of its workspace.
type letter struct {
	queue.DeadLetter
	of queue.DeadLetters
}

// list lists the dead letters. It drops their bodies, which may be large.
func (l *letters) list(ctx context.Context) error {
	return cli.WithRedis(ctx, l.world, func(rdb redis.UniversalClient) error {
		all, err := l.read(ctx, rdb, func(one *letter) bool {
			one.Body, one.State = nil, nil
			return true
		})
		if err != nil {
			return err
		}
		if len(all) == 0 {
			fmt.Fprintln(l.world.Stdout, "There are no dead letters: everything that was asked for is done or under way.")
			return nil
		}
		return printLetters(l.world.Stdout, all)
	})
}

// read reads the wanted dead letters, the newest first.
func (l *letters) read(ctx context.Context, rdb redis.UniversalClient, wanted func(*letter) bool) (all []letter, err error) {
	for _, q := range tenants.QueuesIn(rdb) {
		dead, err := q.DeadLetters().List(ctx, 0)
		if err != nil {
			return nil, err
		}
		for _, one := range dead {
			found := letter{one, q.DeadLetters()}
			if one.Tenant != "" {
				found.of = q.In(one.Tenant).DeadLetters()
			}
			if (l.workspace == "" || l.workspace == tenants.WorkspaceName(one.Tenant)) && wanted(&found) {
				all = append(all, found)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b letter) int { return b.At.Compare(a.At) })
	return all, nil
}

func printLetters(out io.Writer, all []letter) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	many := slices.ContainsFunc(all, func(l letter) bool { return l.Tenant != "" })
	whose := func(text string) string {
		if !many {
			return ""
		}
		return text + "\t"
	}
	fmt.Fprintf(t, "REFERENCE\t%sSINCE\tKIND\tWHY\n", whose("WORKSPACE"))
	for _, l := range all {
		fmt.Fprintf(t, "%s\t%s%s\t%s\t%s\n", job.ShortRef(l.ID), whose(tenants.WorkspaceName(l.Tenant)), l.At.UTC().Format(time.DateTime), l.Kind, cli.OneLine(l.Reason))
	}
	return t.Flush()
}

// show prints the contents of the jobs.
func (l *letters) show(ctx context.Context, names []string) error {
	return l.each(ctx, names, func(found []letter) error {
		var errs []error
		for _, one := range found {
			errs = append(errs, one.print(l.world.Stdout))
		}
		return errors.Join(errs...)
	})
}

// print writes the contents of a job.
func (l letter) print(out io.Writer) error {
	var body bytes.Buffer
	if err := json.Indent(&body, l.Body, "  ", "  "); err != nil {
		body.Reset()
		body.Write(l.Body)
	}
	whose := ""
	if l.Tenant != "" {
		whose = "\n  workspace  " + l.Tenant
	}
	_, err := fmt.Fprintf(out, "%s  %s%s\n  kind   %s\n  lane   %s\n  since  %s\n  why    %s\n  %s\n",
		job.ShortRef(l.ID), l.ID, whose, l.Kind, l.Lane, l.At.UTC().Format(time.DateTime), cli.OneLine(l.Reason), body.String())
	return err
}

// retry puts the jobs back.
func (l *letters) retry(ctx context.Context, names []string) error {
	return l.settle(ctx, names, queue.DeadLetters.Revive, "is tried again")
}

// discard forgets the jobs.
func (l *letters) discard(ctx context.Context, names []string) error {
	return l.settle(ctx, names, queue.DeadLetters.Drop, "is forgotten")
}

// settle calls do for the jobs and prints the result of each.
func (l *letters) settle(ctx context.Context, names []string, do func(queue.DeadLetters, context.Context, string) error, says string) error {
	return l.each(ctx, names, func(found []letter) error {
		if whose := workspacesOf(found); len(whose) > 1 {
			return fmt.Errorf("job %s is of %s: say which is meant with --workspace", job.ShortRef(found[0].ID), cli.List(whose))
		}
		var errs []error
		for _, one := range found {
			if err := do(one.of, ctx, one.ID); err != nil {
				errs = append(errs, err)
				continue
			}
			fmt.Fprintf(l.world.Stdout, "%s (%s) %s.\n", job.ShortRef(one.ID), one.Kind, says)
		}
		return errors.Join(errs...)
	})
}

// workspacesOf returns the names of the jobs' workspaces.
func workspacesOf(all []letter) []string {
	var whose []string
	for _, l := range all {
		whose = append(whose, tenants.WorkspaceName(l.Tenant))
	}
	slices.Sort(whose)
	return slices.Compact(whose)
}

// each calls do for every named job. It reports missing jobs and goes on with the
// others.
func (l *letters) each(ctx context.Context, names []string, do func(found []letter) error) error {
	is := func(one letter, name string) bool {
		return one.ID == name || job.ShortRef(one.ID) == strings.ToUpper(name)
	}
	return cli.WithRedis(ctx, l.world, func(rdb redis.UniversalClient) error {
		all, err := l.read(ctx, rdb, func(one *letter) bool {
			return slices.ContainsFunc(names, func(name string) bool { return is(*one, name) })
		})
		if err != nil {
			return err
		}
		var errs []error
		for _, name := range names {
			found := slices.DeleteFunc(slices.Clone(all), func(one letter) bool { return !is(one, name) })
			if len(found) == 0 {
				errs = append(errs, fmt.Errorf("no dead letter %q; \"darkroom dead\" lists them", name))
				continue
			}
			errs = append(errs, do(found))
		}
		return errors.Join(errs...)
	})
}
