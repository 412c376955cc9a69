package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// newJobs is for the jobs that could not succeed: they are kept, with every word, until
// an operator decides. Alone it lists them.
func newJobs(w *world) *cobra.Command {
	list := func(c *cobra.Command, _ []string) error { return listJobs(c.Context(), w) }
	jobs := &cobra.Command{
		Use: "jobs", Short: "List, retry and drop the jobs that could not succeed", Long: jobsHelp, Args: cobra.NoArgs, RunE: list,
	}
	jobs.AddCommand(&cobra.Command{Use: "list", Short: "List them, newest first", Args: cobra.NoArgs, RunE: list})
	about := func(verb, does string, do func(ctx context.Context, n named, w *world) error) {
		jobs.AddCommand(&cobra.Command{
			Use: verb + " <job>…", Short: does, Args: jobsNamed,
			Long: does + ".\n\nA job is named by the reference that the person was told, or by its id.",
			RunE: func(c *cobra.Command, names []string) error { return do(c.Context(), names, w) },
		})
	}
	about("show", "Show everything a job holds: it may be a person's words", showJobs)
	about("retry", "Put jobs back: they look before they send, so nothing is done twice", retryJobs)
	about("drop", "Forget jobs for good", dropJobs)
	return jobs
}

const jobsHelp = `List, retry and drop the jobs that could not succeed.

A job that cannot succeed is set aside with its reason, and whoever asked for it is told,
with a reference. The commands take that reference, or the job's id. They need REDIS_URL
and nothing else.`

// jobsNamed wants at least one job.
func jobsNamed(_ *cobra.Command, names []string) error {
	if len(names) == 0 {
		return errors.New("which job? Name it by the reference that the person was told, or by its id; \"darkroom jobs\" lists them")
	}
	return nil
}

// named are the jobs a command is about.
type named []string

// listJobs lists the dead letters.
func listJobs(ctx context.Context, w *world) error {
	return withQueue(ctx, w, func(q *queue.Queue) error {
		letters, err := q.Dead(ctx, 0)
		if err != nil {
			return err
		}
		if len(letters) == 0 {
			fmt.Fprintln(w.stdout, "No job is set aside: everything that was asked for is done or under way.")
			return nil
		}
		return printLetters(w.stdout, letters)
	})
}

func printLetters(out io.Writer, letters []queue.DeadLetter) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "REFERENCE\tSINCE\tKIND\tWHY")
	for _, l := range letters {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", jobs.ShortRef(l.ID), l.At.UTC().Format(time.DateTime), l.Kind, oneLine(l.Reason))
	}
	return t.Flush()
}

// oneLine keeps a reason from breaking the table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// showJobs shows what the jobs hold.
func showJobs(ctx context.Context, n named, w *world) error {
	return n.each(ctx, w, func(_ *queue.Queue, l queue.DeadLetter) error {
		var body bytes.Buffer
		if err := json.Indent(&body, l.Body, "  ", "  "); err != nil {
			body.Reset()
			body.Write(l.Body)
		}
		_, err := fmt.Fprintf(w.stdout, "%s  %s\n  kind   %s\n  lane   %s\n  since  %s\n  why    %s\n  %s\n",
			jobs.ShortRef(l.ID), l.ID, l.Kind, l.Lane, l.At.UTC().Format(time.DateTime), oneLine(l.Reason), body.String())
		return err
	})
}

// retryJobs puts the jobs back.
func retryJobs(ctx context.Context, n named, w *world) error {
	return n.settle(ctx, w, (*queue.Queue).Revive, "is tried again")
}

// dropJobs forgets the jobs.
func dropJobs(ctx context.Context, n named, w *world) error {
	return n.settle(ctx, w, (*queue.Queue).Drop, "is forgotten")
}

// settle decides about the jobs and says what becomes of each.
func (n named) settle(ctx context.Context, w *world, do func(*queue.Queue, context.Context, string) error, says string) error {
	return n.each(ctx, w, func(q *queue.Queue, l queue.DeadLetter) error {
		if err := do(q, ctx, l.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w.stdout, "%s (%s) %s.\n", jobs.ShortRef(l.ID), l.Kind, says)
		return err
	})
}

// each does something with every job named; one that is not there is said, and the
// others are done all the same.
func (n named) each(ctx context.Context, w *world, do func(*queue.Queue, queue.DeadLetter) error) error {
	return withQueue(ctx, w, func(q *queue.Queue) error {
		letters, err := q.Dead(ctx, 0)
		if err != nil {
			return err
		}
		var errs []error
		for _, name := range n {
			found := false
			for _, l := range letters {
				if l.ID == name || jobs.ShortRef(l.ID) == strings.ToUpper(name) {
					found = true
					errs = append(errs, do(q, l))
				}
			}
			if !found {
				errs = append(errs, fmt.Errorf("no job %q is set aside; \"darkroom jobs\" lists them", name))
			}
		}
		return errors.Join(errs...)
	})
}

// withQueue opens the queue, for which only REDIS_URL is needed.
func withQueue(ctx context.Context, w *world, do func(*queue.Queue) error) error {
	return withRedis(ctx, w, func(rdb redis.UniversalClient) error { return do(queue.New(rdb, queue.Options{})) })
}

// withRedis connects to Redis, for which only REDIS_URL is needed. It asks first whether Redis is there: one
// sentence says that it is not, and what the driver says on every try is kept from the terminal.
func withRedis(ctx context.Context, w *world, do func(redis.UniversalClient) error) error {
	var problems configError
	url := withFiles(w.environ, &problems)["REDIS_URL"]
	problems.when(url == "", "REDIS_URL", "is missing")
	for _, p := range problems.problems {
		if p.Name == "REDIS_URL" {
			return fmt.Errorf("%s. Nothing was done; no other variable is needed", p.Says)
		}
	}
	redis.SetLogger(redisLog{slog.New(slog.DiscardHandler)})
	rdb, err := store.Connect(url)
	if err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	return errors.Join(answering(ctx, rdb, do), rdb.Close())
}

// answering does it when Redis answers.
func answering(ctx context.Context, rdb redis.UniversalClient, do func(redis.UniversalClient) error) error {
	soon, cancel := context.WithTimeout(ctx, redisWait)
	defer cancel()
	if err := rdb.Ping(soon).Err(); err != nil {
		return redisAway(err)
	}
	return do(rdb)
}

// redisWait is how long Redis may take to answer at the beginning of a command.
const redisWait = 10 * time.Second

// redisAway says that Redis does not answer, and what to do.
func redisAway(err error) error {
	return fmt.Errorf("REDIS_URL: Redis does not answer (%w); start it, or correct the address", err)
}
