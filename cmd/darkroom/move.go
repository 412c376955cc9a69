package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/tenants"
	storetenants "darkroom/store/tenants"
)

// newMove returns the command that gives the data of an app for one workspace to a workspace of an app for many.
func newMove(w *cli.World) *cobra.Command {
	return &cobra.Command{
		Use: "move <workspace id> <backup file>", Short: "Make the one workspace in Redis one of many", Long: moveHelp, Args: moveNamed,
		RunE: func(c *cobra.Command, args []string) error { return move(c.Context(), w, args[0], args[1]) },
	}
}

const moveHelp = `Make the workspace that SLACK_BOT_TOKEN was for one of many (SLACK_CLIENT_ID), with its orders, drafts, settings and jobs.

Stop all replicas first. It copies the data into the backup file and to the workspace's place, checks that all is there,
and removes the original. It may be stopped and called again. Start the app for many afterwards.

To undo it, stop all replicas, forget the workspace with "darkroom workspaces forget", and give the backup to the Redis
that had the data: redis-cli --pipe < FILE. What happened in the new place is lost.

It needs REDIS_URL and nothing else. The backup holds what people typed: delete it when all is well.`

// moveNamed requires a workspace and a file.
func moveNamed(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return errors.New("which workspace, and where does the backup go? For example: darkroom move T012ABC3DE before-the-move.backup")
	}
	return nil
}

// servedWithin is the time since its last work within which a replica counts as running: it looks for jobs four times a
// second.
const servedWithin = 5 * time.Second

func move(ctx context.Context, w *cli.World, id, file string) error {
	if !storetenants.WorkspaceID.MatchString(id) || id[0] != 'T' {
		return fmt.Errorf("%q is no id of a workspace: it should look like T012ABC3DE. Nothing was done", id)
	}
	backup, err := os.CreateTemp(filepath.Dir(file), "darkroom-backup-*")
	if err != nil {
		return fmt.Errorf("backup: %w. Nothing was done", err)
	}
	defer func() { _ = os.Remove(backup.Name()) }() // fails once it has its final name
	return cli.WithRedis(ctx, w, func(rdb redis.UniversalClient) error {
		if err := unserved(ctx, rdb); err != nil {
			return err
		}
		copied, err := storetenants.MoveWorkspace(ctx, rdb, tenants.QueueOf(rdb, id), backupFile{backup, file})
		if err != nil {
			return fmt.Errorf("%w. Nothing is lost; call it again", err)
		}
		fmt.Fprintf(w.Stdout, "Moved to workspace %s; %s copied. Start the app for many: somebody there adds it, and an admin connects the account.\n", id, cli.Count(copied, "key was", "keys were"))
		return nil
	})
}

// unserved fails while a replica of any app uses this Redis.
func unserved(ctx context.Context, rdb redis.UniversalClient) error {
	for _, q := range tenants.QueuesIn(rdb) {
		replica, err := q.Worked(ctx, servedWithin)
		if err != nil {
			return err
		}
		if replica != "" {
			return fmt.Errorf("the app runs over this Redis (%s): stop all replicas, and wait five seconds. Nothing was done", replica)
		}
	}
	return nil
}

// backupFile is a file that gets its name once it is complete and on disk.
type backupFile struct {
	*os.File
	name string
}

// Close closes the file and gives it its name.
func (f backupFile) Close() error {
	if err := errors.Join(f.Sync(), f.File.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.name)
}
