package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/spf13/cobra"

	"darkroom/cmd/darkroom/cli"
)

// healthcheckTime is longer than /readyz itself takes for an answer of Redis.
const healthcheckTime = 3 * time.Second

// newHealthcheck returns the command that asks the app on this machine whether it is ready. An image
// without a shell has no other way to ask.
func newHealthcheck(w *cli.World) *cobra.Command {
	return &cobra.Command{
		Use: "healthcheck", Short: "Ask the app at LISTEN_ADDR whether it is ready; exit status 0 when it is", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			says, err := askReady(c.Context(), cmp.Or(env.ToMap(w.Environ)["LISTEN_ADDR"], ":8080"))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(w.Stdout, says)
			return err
		},
	}
}

// askReady returns the answer of /readyz at addr; it fails if the app is not
// ready.
func askReady(ctx context.Context, addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // it listens on all addresses; by number, because an image from scratch may know no names
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return "", fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	client := http.Client{Transport: &http.Transport{}} // no proxy: it is this machine
	resp, err := client.Do(req)
	if err != nil {
		return "", fmt.Errorf("the app does not answer: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	says := strings.TrimSpace(string(body))
	if err != nil || resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the app is not ready (%d): %s", resp.StatusCode, says)
	}
	return says, nil
}
