//go:build !production

package main

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

// demoApp is the real app, in the demo's own process.
type demoApp struct {
	url     string
	environ []string
	cancel  context.CancelFunc
	stopped chan error
}

// runDemoApp runs it at a free address; the environment says the rest.
func runDemoApp(ctx context.Context, log *slog.Logger, environ []string) (*demoApp, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &demoApp{url: "http://" + listener.Addr().String(), stopped: make(chan error, 1)}
	d.environ = append(environ, "PUBLIC_URL="+d.url, "LISTEN_ADDR="+listener.Addr().String(), "FILE_SIGNING_KEY="+rand.Text()+rand.Text())
	cfg, err := config.Read(d.environ)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	redis.SetLogger(cli.RedisLog{Log: log})
	a, err := newApp(cfg, log, nil)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	ctx, d.cancel = context.WithCancel(ctx)
	go func() { d.stopped <- a.run(ctx, listener) }()
	return d, nil
}

// stop stops it; it fails when it did not stop cleanly.
func (d *demoApp) stop() error {
	d.cancel()
	return <-d.stopped
}
