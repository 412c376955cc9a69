package page

import (
	"context"
	"fmt"
	"net"
)

// Port is where the page is when the port is free.
const Port = "4270"

// Address is where the page can be served: the address asked for, which must be this
// machine's, else the usual port, else a free one.
func Address(ctx context.Context, asked string) (string, error) {
	if asked == "" {
		usual := net.JoinHostPort("127.0.0.1", Port)
		if taken(ctx, usual) == nil {
			return usual, nil
		}
		return "", nil
	}
	host, _, err := net.SplitHostPort(asked)
	if err != nil {
		return "", fmt.Errorf("--listen %q is not an address: give HOST:PORT, as in 127.0.0.1:%s", asked, Port)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", fmt.Errorf("--listen %q: the demo asks nobody for a password, so it is served to this machine only: give 127.0.0.1, [::1] or localhost", asked)
	}
	if err := taken(ctx, asked); err != nil {
		return "", fmt.Errorf("--listen: %w", err)
	}
	return asked, nil
}

// taken tells why the address cannot be listened at; nil when it can.
func taken(ctx context.Context, address string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return listener.Close()
}
