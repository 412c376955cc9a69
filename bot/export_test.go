package bot

import (
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

// Places bounds the handlers that run at once to n.
func (r *Router) Places(n int64) { r.places, r.slots = n, semaphore.NewWeighted(n) }

// Hold makes a Socket hold n connections.
func (s *Socket) Hold(n int) { s.connections = n }

// Over makes a Socket's calls and connections go by t.
func (s *Socket) Over(t http.RoundTripper) { s.api.transport.http.Transport = t }

// Hurry makes a Socket's waits short, except that for a sign of life.
func (s *Socket) Hurry(silent time.Duration) {
	s.times = times{
		hello: 2 * time.Second, quiet: silent / 3, silent: silent, steady: 20 * time.Millisecond, slow: 100 * time.Millisecond,
		linger: 50 * time.Millisecond, drain: 5 * time.Second, bye: 300 * time.Millisecond,
		first: 10 * time.Millisecond, most: 50 * time.Millisecond,
	}
}
