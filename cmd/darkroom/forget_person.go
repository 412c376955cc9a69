package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	storetenants "darkroom/store/tenants"
)

// newForget returns the command that removes a person's data; without --yes it only shows what it would remove.
func newForget(w *cli.World) *cobra.Command {
	var yes bool
	var workspace string
	c := &cobra.Command{
		Use: "forget <user id>", Short: "Remove a person's data from Redis", Long: forgetHelp, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return forget(c.Context(), w, subject{args[0], workspace}, yes)
		},
	}
	c.Flags().StringVar(&workspace, "workspace", "", "the `id` of the workspace in which to forget them; needed where there are many")
	c.Flags().BoolVar(&yes, "yes", false, "do it; without it you only see what would be done")
	return c
}

const forgetHelp = `Remove a person's data from Redis, by their Slack user id (in Slack: their profile, "Copy member ID").

What only they had is removed: orders that were not placed, what they typed into forms, what they relayed
to editors, what they chose in their Home. An order is its channel's and stays, with "` + order.FormerPerson + `" in
their place, and without what they typed when they asked for it, approved it, asked for changes or wrote.

Alone it only shows what it would do; --yes does it. Nothing is removed while something they asked for is
not settled. It may be stopped and called again. It needs REDIS_URL and nothing else.

Where one Darkroom is for many workspaces, say in which, with --workspace: a person's id may be known in several
workspaces of one organisation, and each is forgotten by itself. "-" is the one that SLACK_BOT_TOKEN is of.

Not here to remove: what stands in Slack, what the photo service keeps, and your logs and backups.
docs/security.md has the table.`

// subject is a person to forget, and their workspace; "" is the only workspace.
type subject struct{ user, workspace string }

// flag returns the flag that names the workspace.
func (p subject) flag() string {
	if p.workspace == "" {
		return ""
	}
	return " --workspace " + p.workspace
}

// forget shows what would be removed, or removes it.
func forget(ctx context.Context, w *cli.World, p subject, yes bool) error {
	if !retention.UserID.MatchString(p.user) {
		return fmt.Errorf("%q is no user id of Slack's: it should look like U012ABC3DE (in Slack: the person's profile, \"Copy member ID\")", p.user)
	}
	return cli.WithRedis(ctx, w, func(rdb redis.UniversalClient) error {
		id, err := p.workspaceID(ctx, w, rdb)
		if err != nil {
			return err
		}
		done, err := retention.NewPeople(tenants.StoreOf(rdb, id)).Forget(ctx, p.user, !yes)
		if errors.Is(err, retention.ErrUnsettled) {
			return unsettledError(p, done)
		}
		if err != nil {
			return fmt.Errorf("%w; what is removed stays removed, call it again", err)
		}
		printForgotten(w.Stdout, p, done, yes)
		return nil
	})
}

// workspaceID returns the id of the person's workspace. It guesses nothing: a wrong workspace would make a person look
// forgotten who is not.
func (p subject) workspaceID(ctx context.Context, w *cli.World, rdb redis.UniversalClient) (id string, err error) {
	directory := storetenants.NewDirectory(rdb, nil)
	switch p.workspace {
	case tenants.OnlyWorkspace:
		return "", nil
	case "":
		many, err := directory.Entries.Any(ctx)
		if err != nil {
			return "", err
		}
		if many || env.ToMap(w.Environ)["SLACK_CLIENT_ID"] != "" {
			return "", errors.New("in which workspace? Name it with --workspace; \"darkroom workspaces\" lists them. Nothing was done")
		}
		return "", nil
	}
	known := storetenants.WorkspaceID.MatchString(p.workspace) && !strings.HasPrefix(p.workspace, "E")
	if known {
		if _, known, err = directory.Entries.Entry(ctx, p.workspace); err != nil {
			return "", err
		}
	}
	if !known {
		return "", fmt.Errorf("no workspace %q is known; \"darkroom workspaces\" lists them. Nothing was done", p.workspace)
	}
	return p.workspace, nil
}

// unsettledError lists the jobs and drafts that must be settled first.
func unsettledError(p subject, f retention.Forgotten) error {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was removed: these concern %s and are not settled.\n", p.user)
	for _, m := range f.Unsettled {
		does := "under way: wait until it is done"
		if m.Dead {
			does = "could not succeed: \"darkroom dead retry\" or \"discard\" it"
		}
		fmt.Fprintf(&b, "  %s  %s, %s\n", job.ShortRef(m.ID), m.Kind, does)
	}
	if len(f.Unsettled) == retention.MostUnsettled {
		fmt.Fprintf(&b, "  these are the first %d; there may be more\n", retention.MostUnsettled)
	}
	for _, d := range f.UnsettledDrafts {
		does := "nobody knows yet whether it was placed: wait a day at most"
		if d.State == store.DraftPlacing {
			does = "is being placed: wait, or look for its job with \"darkroom dead\""
		}
		fmt.Fprintf(&b, "  %s  an order, %s\n", d.Reference, does)
	}
	return errors.New(b.String() + "Then call it again.")
}

// printForgotten says what was removed, or would be.
func printForgotten(out io.Writer, p subject, f retention.Forgotten, done bool) {
	if f.Drafts+f.Documents+f.Orders+f.Presets == 0 {
		fmt.Fprintf(out, "Nothing is kept of %s.\n", p.user)
		return
	}
	removed, made := "Would remove", "Would make"
	if done {
		removed, made = "Removed", "Made"
	}
	fmt.Fprintf(out, "%s %s and %s that %s filled in, typed or chose.\n", removed, cli.Count(f.Drafts, "order form", "order forms"), cli.Count(f.Documents, "note", "notes"), p.user)
	fmt.Fprintf(out, "%s %s anonymous, of which they asked for %d, and %s in the history of orders.\n", made, cli.Count(f.Orders, "order", "orders"), f.Requested, cli.Count(f.Actions, "entry", "entries"))
	if f.Presets > 0 {
		fmt.Fprintf(out, "%s the presets of %s say that somebody who left saved them; their words stay.\n", made, cli.Count(f.Presets, "channel", "channels"))
	}
	if !done {
		fmt.Fprintf(out, "Nothing was changed. \"darkroom forget %s%s --yes\" does it.\n", p.user, p.flag())
	}
}
