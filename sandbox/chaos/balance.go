package chaos

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// balancer stands before the replicas as a load balancer does: round and round, passing
// over those that take no connection. What breaks off after that is a 502.
type balancer struct {
	url    string
	server *http.Server
	client *http.Client
	next   atomic.Uint32
	all    []*replica
}

func startBalancer(all []*replica) (*balancer, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{url: "http://" + listener.Addr().String(), all: all}
	// A connection of its own for each request: an error in dialing is then certain.
	b.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	go b.server.Serve(listener) //nolint:errcheck // it ends with close
	return b, nil
}

func (b *balancer) close() { _ = b.server.Close() }

// ServeHTTP hands a request to whoever takes it.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err != nil {
		http.Error(w, "not read", http.StatusBadRequest)
		return
	}
	for range b.all {
		one := b.all[int(b.next.Add(1))%len(b.all)]
		resp, err := b.forward(r, one, body)
		if dialing(err) {
			continue
		}
		if err != nil {
			break
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			break
		}
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(answer)
		return
	}
	http.Error(w, "bad gateway", http.StatusBadGateway)
}

func (b *balancer) forward(r *http.Request, to *replica, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+to.addr+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = r.Header.Clone()
	return b.client.Do(req)
}

// dialing tells whether no connection was made.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
