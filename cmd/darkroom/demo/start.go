// Package demo runs the whole app in this process, between a pretend Slack and a pretend photo service. A binary built
// for production has neither the demo nor its sandbox.
package demo

import (
	"context"
	"log/slog"
	"net"

	"darkroom/cmd/darkroom/config"
)

// Start makes the app that the demo runs.
type Start func(cfg config.Config, log *slog.Logger) (run func(context.Context, net.Listener) error, err error)
