package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// SocketAddress returns the address of a Socket Mode connection, a secret for one use. The client needs an
// app-level token.
func (c *Client) SocketAddress(ctx context.Context) (string, error) {
	const method = "apps.connections.open"
	var answer struct {
		URL string `json:"url"`
	}
	if _, err := c.api.call(ctx, method, nil, &answer); err != nil {
		return "", err
	}
	laptop := strings.HasPrefix(c.api.transport.base, "http://") // the sandbox's Slack has no TLS
	if safe := strings.HasPrefix(answer.URL, "wss://") || laptop && strings.HasPrefix(answer.URL, "ws://"); !safe {
		return "", &Error{Method: method, Class: []error{ErrTryLater}, Cause: errors.New("not the address of a safe connection")}
	}
	return answer.URL, nil
}

// HTTP returns the HTTP client, which also dials [Client.SocketAddress].
func (c *Client) HTTP() *http.Client { return c.api.transport.http }

// OpensSockets returns nil if Slack gives the app-level token a connection's address. It does not dial the
// address, which then expires.
func OpensSockets(ctx context.Context, appToken, apiURL string, timeout time.Duration) error {
	c := New(Config{Token: appToken, APIURL: apiURL, Timeout: timeout})
	defer c.Close()
	_, err := c.SocketAddress(ctx)
	return err
}
