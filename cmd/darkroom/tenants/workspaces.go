package tenants

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/jobs/accounts"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/tenants"
)

// WorkspacesCommand returns the command that lists and forgets the workspaces of an app for many.
func WorkspacesCommand(w *cli.World) *cobra.Command {
	list := func(c *cobra.Command, _ []string) error { return listWorkspaces(c.Context(), w) }
	all := &cobra.Command{
		Use: "workspaces", Short: "List and forget the workspaces that have added the app", Long: workspacesHelp, Args: cobra.NoArgs, RunE: list,
	}
	all.AddCommand(&cobra.Command{Use: "list", Short: "List them", Args: cobra.NoArgs, RunE: list})
	var yes bool
	forget := &cobra.Command{
		Use: "forget <workspace id>", Short: "Remove all that Redis keeps of a workspace", Long: forgetWorkspaceHelp, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return forgetWorkspace(c.Context(), w, args[0], yes) },
	}
	forget.Flags().BoolVar(&yes, "yes", false, "do it; without it you only see what would be done")
	all.AddCommand(forget)
	return all
}

const workspacesHelp = `List and forget the workspaces that have added the app, where one Darkroom is for many (SLACK_CLIENT_ID).

An id that begins with E is an organisation's, which has the app for several workspaces; those are listed, too, once
something happened in them. No secret is shown. It needs REDIS_URL and nothing else.`

const forgetWorkspaceHelp = `Remove from Redis all that is kept of a workspace: its orders, drafts, settings and presets, its dead letters, its
account at the photo service, and its Slack token. For one that has removed the app, whatever its admins chose
to become of its data then, or by request.

Alone it only shows what it would do; --yes does it. It may be stopped and called again. It needs REDIS_URL and nothing else.

Not here to remove: messages in Slack, the orders at the photo service, and your logs and backups. If the app is still in
the workspace it stops working there; somebody there removes it in Slack. An organisation's id (E…) removes its
token alone: forget each of its workspaces by its own id.`

// listWorkspaces prints a line for each workspace as it reads it.
func listWorkspaces(ctx context.Context, w *cli.World) error {
	return cli.WithRedis(ctx, w, func(rdb redis.UniversalClient) error {
		directory := tenants.NewDirectory(rdb, nil)
		var n cli.Tally
		for shard := range keyspace.Shards {
			err := directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
				if n == (cli.Tally{}) {
					printEntry(w.Stdout, "ID", "NAME", "ADDED", "BY", "REMOVED", "SERVICE")
				}
				n.Add(e)
				printEntry(w.Stdout, e.ID, nameOf(e), day(e.At), cmp.Or(e.By, none), day(e.Gone), serviceOf(e))
				return nil
			})
			if err != nil {
				return err
			}
		}
		fmt.Fprintln(w.Stdout, n)
		return nil
	})
}

// printEntry prints a line of the table. The columns have fixed widths, so that thousands of lines can be printed as they
// are read.
func printEntry(out io.Writer, id, name, added, by, removed, host string) {
	fmt.Fprintf(out, "%-12s  %-28s  %-10s  %-12s  %-10s  %s\n", id, name, added, by, removed, host)
}

const (
	none     = "-"
	nameSize = 28 // of the column
)

// nameOf returns the name of a workspace, cut to the column's width. It removes unprintable characters: the text is
// foreign.
func nameOf(e tenants.Entry) string {
	if e.Name == "" && e.Organisation != "" {
		return "(of " + e.Organisation + ")"
	}
	name := []rune(cli.OneLine(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, e.Name)))
	if len(name) > nameSize {
		name = append(name[:nameSize-1], '…')
	}
	return cmp.Or(string(name), none)
}

// day returns the date of a time; none for zero.
func day(t time.Time) string {
	if t.IsZero() {
		return none
	}
	return t.UTC().Format(time.DateOnly)
}

// serviceOf describes a workspace's order service: its host, or whether the workspace is connected to one.
func serviceOf(e tenants.Entry) string {
	switch {
	case strings.HasPrefix(e.ID, "E"): // an organisation has none
		return ""
	case !e.Connected:
		return "not connected"
	case e.Host == "":
		return "connected"
	}
	return e.Host
}

// forgetWorkspace shows what would be removed, or removes it.
func forgetWorkspace(ctx context.Context, w *cli.World, id string, yes bool) error {
	if !tenants.WorkspaceID.MatchString(id) {
		return fmt.Errorf("%q is no id of a workspace: it should look like T012ABC3DE; \"darkroom workspaces\" lists them", id)
	}
	return cli.WithRedis(ctx, w, func(rdb redis.UniversalClient) error {
		directory := tenants.NewDirectory(rdb, nil)
		e, known, err := directory.Entries.Entry(ctx, id)
		if err != nil {
			return err
		}
		printKnown(w.Stdout, id, e, known)
		if !yes {
			fmt.Fprintf(w.Stdout, "Nothing was changed. \"darkroom workspaces forget %s --yes\" does it.\n", id)
			return nil
		}
		keys, err := eraseWorkspace(ctx, rdb, directory, id)
		if err != nil {
			return fmt.Errorf("%w; what is removed stays removed, call it again", err)
		}
		fmt.Fprintf(w.Stdout, "Removed %s. A mark that it was forgotten stays for 30 days; it holds none of their data.\n", cli.Count(keys, "key", "keys"))
		if known && e.Gone.IsZero() {
			fmt.Fprintln(w.Stdout, "The app was at work there: call it again in a minute, for what was under way.")
		}
		return nil
	})
}

// eraseWorkspace removes all data of a workspace at once, whatever its admins chose. It erases the token first, so that
// no new work begins.
func eraseWorkspace(ctx context.Context, rdb redis.UniversalClient, directory *tenants.Directory, id string) (keys int, err error) {
	if err := directory.Installations.Leave(ctx, id, time.Now()); err != nil {
		return 0, err
	}
	if !strings.HasPrefix(id, "E") {
		q := QueueOf(rdb, id)
		if keys, err = accounts.ForgetNow(ctx, store.New(rdb, q), q, account{directory, id}); err != nil {
			return 0, err
		}
	}
	return keys, directory.Entries.Erase(ctx, id)
}

// printKnown prints the known facts of a workspace before it is forgotten.
func printKnown(out io.Writer, id string, e tenants.Entry, known bool) {
	switch {
	case !known:
		fmt.Fprintf(out, "No workspace %s is known: only what may be left of it would be removed.\n", id)
		return
	case e.Gone.IsZero():
		fmt.Fprintf(out, "%s, %s: the app is there since %s. It stops working there; somebody there should remove it in Slack.\n", id, nameOf(e), day(e.At))
	default:
		fmt.Fprintf(out, "%s, %s: the app was removed on %s.\n", id, nameOf(e), day(e.Gone))
	}
	switch {
	case strings.HasPrefix(id, "E"):
		fmt.Fprintln(out, "The organisation's token is removed. Forget each of its workspaces by its own id.")
		return
	case e.Organisation != "":
		fmt.Fprintf(out, "It has the app through organisation %s. While that has the app, using it in this workspace starts with empty data.\n", e.Organisation)
	}
	fmt.Fprintln(out, "Its orders, drafts, settings, presets, dead letters, account and token are removed. Messages in Slack stay, and so do the orders at the photo service.")
}
