package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// newForget removes a person's data; without --yes it only shows what it would remove.
func newForget(w *world) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "forget <user id>", Short: "Remove a person's data from Redis", Long: forgetHelp, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return forget(c.Context(), w, args[0], yes) },
	}
	c.Flags().BoolVar(&yes, "yes", false, "do it; without it you only see what would be done")
	return c
}

const forgetHelp = `Remove a person's data from Redis, by their Slack user id (in Slack: their profile, "Copy member ID").

What only they had is removed: orders that were not placed, what they typed into forms, what they relayed
to editors, what they chose in their Home. An order is its channel's and stays, with "` + order.FormerPerson + `" in
their place, and without what they typed when they asked for it, approved it, asked for changes or wrote.

Alone it only shows what it would do; --yes does it. Nothing is removed while something they asked for is
not settled. It may be stopped and called again. It needs REDIS_URL and nothing else.

Not here to remove: what stands in Slack, what the photo service keeps, and your logs and backups.
docs/security.md has the table.`

// forget shows what would be removed, or removes it.
func forget(ctx context.Context, w *world, user string, yes bool) error {
	if !store.UserID.MatchString(user) {
		return fmt.Errorf("%q is no user id of Slack's: it should look like U012ABC3DE (in Slack: the person's profile, \"Copy member ID\")", user)
	}
	return withRedis(ctx, w, func(rdb redis.UniversalClient) error {
		s := store.New(rdb, queue.New(rdb, queue.Options{}))
		done, err := s.Forget(ctx, user, !yes)
		if errors.Is(err, store.ErrUnsettled) {
			return unsettledError(user, done)
		}
		if err != nil {
			return fmt.Errorf("%w; what is removed stays removed, call it again", err)
		}
		printForgotten(w.stdout, user, done, yes)
		return nil
	})
}

// unsettledError lists what must be settled first.
func unsettledError(user string, f store.Forgotten) error {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was removed: these concern %s and are not settled.\n", user)
	for _, m := range f.Unsettled {
		does := "under way: wait until it is done"
		if m.Dead {
			does = "could not succeed: \"darkroom jobs retry\" or \"drop\" it"
		}
		fmt.Fprintf(&b, "  %s  %s, %s\n", jobs.ShortRef(m.ID), m.Kind, does)
	}
	if len(f.Unsettled) == store.MostUnsettled {
		fmt.Fprintf(&b, "  these are the first %d; there may be more\n", store.MostUnsettled)
	}
	for _, d := range f.UnsettledDrafts {
		does := "nobody knows yet whether it was placed: wait a day at most"
		if d.State == store.DraftPlacing {
			does = "is being placed: wait, or look for its job with \"darkroom jobs\""
		}
		fmt.Fprintf(&b, "  %s  an order, %s\n", d.Reference, does)
	}
	return errors.New(b.String() + "Then call it again.")
}

// printForgotten says what was removed, or would be.
func printForgotten(out io.Writer, user string, f store.Forgotten, done bool) {
	if f.Drafts+f.Documents+f.Orders+f.Presets == 0 {
		fmt.Fprintf(out, "Nothing is kept of %s.\n", user)
		return
	}
	removed, made := "Would remove", "Would make"
	if done {
		removed, made = "Removed", "Made"
	}
	fmt.Fprintf(out, "%s %s and %s that %s filled in, typed or chose.\n", removed, count(f.Drafts, "order form", "order forms"), count(f.Documents, "note", "notes"), user)
	fmt.Fprintf(out, "%s %s anonymous, of which they asked for %d, and %s in the history of orders.\n", made, count(f.Orders, "order", "orders"), f.Requested, count(f.Deeds, "entry", "entries"))
	if f.Presets > 0 {
		fmt.Fprintf(out, "%s the presets of %s say that somebody who left saved them; their words stay.\n", made, count(f.Presets, "channel", "channels"))
	}
	if !done {
		fmt.Fprintf(out, "Nothing was changed. \"darkroom forget %s --yes\" does it.\n", user)
	}
}

// count is a number with the word for as many.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
