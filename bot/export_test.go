package bot

import "time"

// Places bounds the handlers that run at once to n.
func Places(n int64) RouterOption { return func(r *Router) { r.places = n } }

// Hurry makes a Socket's waits short, except that for a sign of life.
func (s *Socket) Hurry(silent time.Duration) {
	s.times = times{
		hello: 2 * time.Second, quiet: silent / 3, silent: silent, steady: 20 * time.Millisecond, slow: 100 * time.Millisecond,
		linger: 50 * time.Millisecond, drain: 5 * time.Second, bye: 300 * time.Millisecond,
		first: 10 * time.Millisecond, most: 50 * time.Millisecond,
	}
}
