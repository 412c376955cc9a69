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

func (*Points) During(ctx context.Context, _ string) context.Context { return ctx }

func (*Points) Redis(redis.UniversalClient) {}

func (*Points) Slack() func(http.RoundTripper) http.RoundTripper { return nil }

func (*Points) Service() func(http.RoundTripper) http.RoundTripper { return nil }
