package tenants

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
	"darkroom/store/keyspace"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// ResealCommand returns the command that reseals the secrets that older keys sealed.
func ResealCommand(w *cli.World) *cobra.Command {
	return &cobra.Command{
		Use: "reseal", Short: "Seal tokens and accounts anew with the newest key of ENCRYPTION_KEY", Long: resealHelp, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return reseal(c.Context(), w) },
	}
}

const resealHelp = `Seal anew, with the newest key of ENCRYPTION_KEY, the tokens and accounts of workspaces that older keys sealed.

To change the key: set ENCRYPTION_KEY to old,new and restart the replicas one after the other, so that each opens both; set
it to new,old and restart them again; run this until it says 0; set it to new alone, and restart them once more. Keep the
old key as long as the backups of Redis that were made with it.

It may run beside the app, be stopped, and be run again. It needs REDIS_URL and ENCRYPTION_KEY, the same as the app's, and
nothing else.`

// reseal reseals all shards. It reports the first secret that no key opens, and seals the others.
func reseal(ctx context.Context, w *cli.World) error {
	vars, err := cli.Needed(w, "REDIS_URL", "ENCRYPTION_KEY")
	if err != nil {
		return err
	}
	keys, err := seal.NewKeys(vars["ENCRYPTION_KEY"])
	if err != nil {
		return fmt.Errorf("ENCRYPTION_KEY: %w; it should hold the newest key first, and older ones after commas. Nothing was done", err)
	}
	return cli.WithRedis(ctx, w, func(rdb redis.UniversalClient) error {
		directory := tenants.NewDirectory(rdb, keys)
		var first error
		done := 0
		for shard := range keyspace.Shards {
			n, err := directory.Entries.Reseal(ctx, shard)
			done += n
			if err != nil && !tenants.Unreadable(err) {
				return fmt.Errorf("%w. %s sealed anew until then; run it again", err, cli.Count(done, "secret was", "secrets were"))
			}
			first = cmp.Or(first, err)
		}
		fmt.Fprintf(w.Stdout, "Sealed anew with the newest key: %d.\n", done)
		switch {
		case first != nil:
			return fmt.Errorf("ENCRYPTION_KEY: %w. %s", first, resealFix(first))
		case done == 0:
			fmt.Fprintln(w.Stdout, "Nothing needs an older key of ENCRYPTION_KEY any more.")
		default:
			fmt.Fprintln(w.Stdout, "Run it again: when it says 0, nothing needs an older key of ENCRYPTION_KEY any more.")
		}
		return nil
	})
}

// resealFix returns the remedy for a secret that no key opens.
func resealFix(err error) string {
	if errors.Is(err, seal.ErrUnknownKey) {
		return "Put the key that sealed it behind the others, after a comma, and run it again. If it is lost, that workspace has to add the app, or connect its photo service, again"
	}
	return "No key helps: that workspace has to add the app, or connect its photo service, again"
}
