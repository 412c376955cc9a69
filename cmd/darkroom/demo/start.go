// Package demo runs the whole app in this process, between a pretend Slack and a pretend photo service. A binary that is
// built for production is without it, and without the sandbox that it plays in.
package demo

import (
	"context"
	"log/slog"
	"net"

	"darkroom/cmd/darkroom/config"
)

// Start makes an app that the demo runs.
type Start func(cfg config.Config, log *slog.Logger) (run func(context.Context, net.Listener) error, err error)
