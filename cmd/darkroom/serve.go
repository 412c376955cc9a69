package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"darkroom/bot/client"
	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/failpoints"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/store"
	"darkroom/store/queue"
)

// newServe returns the command that runs the app.
func newServe(w *cli.World) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Run the app: HTTP in, Slack and the photo service out, Redis behind", Long: serveHelp(), Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), w) },
	}
}

// serveHelp lists every variable: its meaning, its default, and whether it is required.
func serveHelp() string {
	var b strings.Builder
	b.WriteString("Run the app: HTTP in, Slack and the photo service out, Redis behind.\n\n" +
		"Configuration comes from the environment. NAME_FILE may name a file that holds NAME.\n\n")
	t := reflect.TypeFor[config.Config]()
	for f := range t.Fields() {
		fmt.Fprintf(&b, "  %s\n      %s", f.Tag.Get("env"), f.Tag.Get("want"))
		if d := f.Tag.Get("envDefault"); d != "" {
			fmt.Fprintf(&b, " (default %s)", d)
		}
		b.WriteString(requiredWhen(f.Tag.Get("env")) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// requiredWhen says whether a variable is required: by an app for one workspace, by one for many, or by both.
func requiredWhen(name string) string {
	one, many := slices.Contains(config.Required, name), slices.Contains(config.RequiredOfMany, name)
	switch never := slices.Contains(config.NeverOfMany, name); {
	case one && many:
		return " (required)"
	case one && never:
		return " (required; not with SLACK_CLIENT_ID)"
	case never:
		return " (not with SLACK_CLIENT_ID)"
	case many:
		return " (required with SLACK_CLIENT_ID)"
	}
	return ""
}

// serve runs the app until ctx ends.
func serve(ctx context.Context, w *cli.World) error {
	cfg, err := config.Read(w.Environ)
	if err != nil {
		return err
	}
	log := newLog(cfg, w.Stderr)
	redis.SetLogger(cli.RedisLog{Log: log})
	points, err := failpoints.New(w.Environ)
	if err != nil {
		return err
	}
	a, err := newApp(cfg, log, points)
	if err != nil {
		return err
	}
	if err := a.preflight(ctx); err != nil {
		return err
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", cfg.ListenAddr)
	if err != nil {
		return fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	if err := a.admin.listen(ctx); err != nil {
		return err
	}
	log.Info("serving", "addr", listener.Addr().String(), "version", version())
	collectSeldom(ctx)
	return a.run(ctx, listener)
}

// preflight checks, before anything is served, that Redis and Slack accept our credentials, and logs
// what a power cut could cost.
func (a *app) preflight(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	switch err := a.own.Store.Server.Ping(ctx); {
	case redis.HasErrorPrefix(err, "LOADING"), redis.HasErrorPrefix(err, "MASTERDOWN"), redis.HasErrorPrefix(err, "CLUSTERDOWN"):
		a.log.Warn("redis does not serve yet", "err", err) // it will, and /readyz says when
	case err != nil:
		return cli.RedisAway(err)
	}
	if err := examineRedis(ctx, a.rdb, a.queues(), a.log); err != nil {
		return err
	}
	if a.shared.Signer == nil {
		a.log.Info("photos uploaded in Slack cannot be ordered: PUBLIC_URL is not set")
	}
	if a.many != nil {
		return a.many.Preflight(ctx)
	}
	who, err := a.own.Slack.People.Identity(ctx)
	switch {
	case errors.Is(err, client.ErrToken):
		return fmt.Errorf("SLACK_BOT_TOKEN: Slack does not know us (%w); copy the token again from OAuth & Permissions", err)
	case err != nil: // clicks are taken anyway, and answered when Slack is back
		a.log.Warn("slack does not answer yet", "err", err)
		return nil
	}
	a.log.Info("known to Slack", "team", who.Team, "bot_user", who.BotUser)
	for _, s := range manifest.Scopes {
		switch {
		case who.Granted(s.Name), slices.Contains(manifest.Unmissed, s.Name):
		case slices.Contains(manifest.Optional, s.Name):
			a.log.Warn("an optional permission was not granted: all works without it", "scope", s.Name, "why", s.Why)
		default:
			a.log.Warn("a permission is missing: install the app again with the manifest's scopes", "scope", s.Name, "why", s.Why)
		}
	}
	return nil
}

// examineRedis logs what its servers could lose, each sentence once, and fails if one of them is too old.
func examineRedis(ctx context.Context, rdb redis.UniversalClient, queues []*queue.Queue, log *slog.Logger) error {
	said := map[string]bool{}
	for _, q := range queues {
		part := store.New(rdb, q)
		if says := part.Server.TooOld(ctx); says != "" {
			return fmt.Errorf("REDIS_URL: %s", says)
		}
		for _, warning := range part.Server.Durability(ctx) {
			if !said[warning] {
				log.Warn("redis may forget", "says", warning)
			}
			said[warning] = true
		}
	}
	return nil
}

// newLog makes the app's logger.
func newLog(cfg config.Config, out io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // validated
	opts := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "json" {
		return slog.New(identified{slog.NewJSONHandler(out, opts)})
	}
	return slog.New(identified{slog.NewTextHandler(out, opts)})
}
