//go:build !failpoint

// Package failpoints is where the chaos suite may kill the process.
package failpoints

import (
	"context"
	"net/http"

	"github.com/redis/go-redis/v9"
)

// Points are where the chaos suite may kill the process; only its own binary, built
// with the tag failpoint, has any. Here they are nil and wrap nothing.
type Points struct{}

// New returns nil.
func New([]string) (*Points, error) { return nil, nil }

// During marks the work of one job, so that a failpoint can name it.
func (*Points) During(ctx context.Context, _ string) context.Context { return ctx }

// Redis makes the client's commands pass the failpoints.
func (*Points) Redis(redis.UniversalClient) {}

// Slack wraps the transport of requests to Slack.
func (*Points) Slack() func(http.RoundTripper) http.RoundTripper { return nil }

// Service wraps the transport of requests to the order service.
func (*Points) Service() func(http.RoundTripper) http.RoundTripper { return nil }
