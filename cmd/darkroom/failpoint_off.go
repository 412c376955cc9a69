//go:build !failpoint

package main

import (
	"context"
	"net/http"

	"github.com/redis/go-redis/v9"
)

// failpoints are where the chaos suite may kill the process; only its own binary, built
// with the tag failpoint, has any. Here they are nil and wrap nothing.
type failpoints struct{}

func newFailpoints([]string) (*failpoints, error) { return nil, nil }

func (*failpoints) During(ctx context.Context, _ string) context.Context { return ctx }

func (*failpoints) Redis(redis.UniversalClient) {}

func (*failpoints) Slack() func(http.RoundTripper) http.RoundTripper { return nil }

func (*failpoints) Service() func(http.RoundTripper) http.RoundTripper { return nil }
