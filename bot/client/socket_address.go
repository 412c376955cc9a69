package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// SocketAddress gets the address of a connection of Socket Mode: a secret, good for one connection. The client has the
// app-level token.
func (c *Client) SocketAddress(ctx context.Context) (string, error) {
	const method = "apps.connections.open"
	var answer struct {
		URL string `json:"url"`
	}
	if _, err := c.api.call(ctx, method, nil, &answer); err != nil {
		return "", err
	}
	laptop := strings.HasPrefix(c.api.transport.base, "http://") // where Slack is, too
	if safe := strings.HasPrefix(answer.URL, "wss://") || laptop && strings.HasPrefix(answer.URL, "ws://"); !safe {
		return "", &Error{Method: method, Class: []error{ErrTryLater}, Cause: errors.New("not the address of a safe connection")}
	}
	return answer.URL, nil
}

// HTTP makes the requests, and dials what [Client.SocketAddress] names.
func (c *Client) HTTP() *http.Client { return c.api.transport.http }

// OpensSockets asks whether an app-level token lets Slack hand out the address of a connection, and
// does not dial it: an address that is not used is forgotten. nil is yes.
func OpensSockets(ctx context.Context, appToken, apiURL string, timeout time.Duration) error {
	c := New(Config{Token: appToken, APIURL: apiURL, Timeout: timeout})
	defer c.Close()
	_, err := c.SocketAddress(ctx)
	return err
}
