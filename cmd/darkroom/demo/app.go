//go:build !production

package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"

	"github.com/redis/go-redis/v9"

	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/config"
)

// runningApp is the real app, in the demo's own process.
type runningApp struct {
	url     string
	environ []string
	cancel  context.CancelFunc
	stopped chan error
}

// runApp runs the app at a free address with this environment.
func runApp(ctx context.Context, start Start, log *slog.Logger, environ []string) (*runningApp, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &runningApp{url: "http://" + listener.Addr().String(), stopped: make(chan error, 1)}
	d.environ = append(environ, "PUBLIC_URL="+d.url, "LISTEN_ADDR="+listener.Addr().String(), "FILE_SIGNING_KEY="+rand.Text()+rand.Text())
	cfg, err := config.Read(d.environ)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	redis.SetLogger(cli.RedisLog{Log: log})
	run, err := start(cfg, log)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	ctx, d.cancel = context.WithCancel(ctx)
	go func() { d.stopped <- run(ctx, listener) }()
	return d, nil
}

// stop stops the app; it fails if the app did not stop cleanly.
func (d *runningApp) stop() error {
	d.cancel()
	return <-d.stopped
}
