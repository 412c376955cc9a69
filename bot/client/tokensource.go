package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Token is a token with its lifetime. It prints, logs and marshals as "***".
type Token struct {
	Text      string
	Expires   time.Time // zero: never
	Renewable bool      // there is a refresh token
	Since     time.Time // when Slack issued it; zero: unknown
	Due       bool      // an earlier renewal was interrupted: renew it at once
}

// String hides the token.
func (t Token) String() string { return "***" }

// Format implements [fmt.Formatter]: no verb prints a token.
func (t Token) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, t.String()) }

// LogValue implements [slog.LogValuer].
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// TokenSourceConfig configures a [TokenSource].
type TokenSourceConfig struct {
	// Read returns the token that all replicas share. [ErrToken]: there is no token.
	Read func(ctx context.Context) (Token, error)
	// Renew returns the successor of old and stores it for all replicas. [ErrToken]: Slack issues no token
	// any more. It is not called concurrently.
	Renew func(ctx context.Context, old Token) (Token, error)
	Log   *slog.Logger // nil: no log
}

const (
	tokenCached = 10 * time.Second // how long a token is used before it is read again
	tokenDead   = 30 * time.Second // how long a refused token counts as refused
	tokenMargin = 10 * time.Second // a token is not used this long before its end
	tokenRetry  = 5 * time.Second  // between two tries to renew a token
	tokenAmple  = 30 * time.Minute // a failed renewal is logged at debug if this much is left
	tokenLost   = 15 * time.Second // between two tries if Slack may have renewed it: it accepts the old refresh token for about a minute
	tokenNew    = 10 * time.Minute // a refused token that is newer than this is not renewed: its successor would be refused too
	tokenRead   = 5 * time.Second  // bounds a call of Read
	tokenRenew  = 40 * time.Second // bounds a renewal with its retries
)

// TokenSource implements [Tokens] for one installation. It caches the token for some seconds and renews it
// well before its end. It returns no token that has ended or was refused. An idle TokenSource costs next
// to nothing.
type TokenSource struct {
	cfg    TokenSourceConfig
	flight singleflight.Group

	mu           sync.Mutex
	token        Token
	problem      error     // why there is no token
	until        time.Time // until when token or problem is used
	renew        time.Time // when to renew the token; zero: never
	failed       error     // why the last renewal failed
	retry        time.Time // earliest time of the next renewal
	refused      string    // a token that Slack refused
	refusedUntil time.Time // until when refused counts
}

// NewTokenSource returns a TokenSource. It reads nothing yet.
func NewTokenSource(cfg TokenSourceConfig) *TokenSource {
	cfg.Log = logger(cfg.Log)
	return &TokenSource{cfg: cfg}
}

// Token implements [Tokens].
func (s *TokenSource) Token(ctx context.Context) (string, error) {
	t, err := s.current(ctx)
	if err != nil {
		return "", err
	}
	switch invalid, due := s.check(t); {
	case invalid:
		t, err = s.next(ctx, t)
	case due:
		s.flight.DoChan("renew", func() (any, error) { return s.exchange(context.WithoutCancel(ctx), t) })
	}
	return t.Text, err
}

// Lost reports whether there is no token and Slack will issue no other. It is false while that is unknown.
func (s *TokenSource) Lost(ctx context.Context) bool {
	_, err := s.Token(ctx)
	return errors.Is(err, ErrToken) && !errors.Is(err, errNew)
}

// Stale implements [Tokens].
func (s *TokenSource) Stale(ctx context.Context, token string) (another bool) {
	s.mu.Lock()
	if s.token.Text != "" && s.token.Text != token { // it was renewed during the call
		s.mu.Unlock()
		return true
	}
	again := s.refused == token
	s.refused, s.refusedUntil, s.until = token, time.Now().Add(tokenDead), time.Time{}
	s.mu.Unlock()
	_, err := s.Token(ctx)
	if errors.Is(err, errNew) && !again {
		s.cfg.Log.WarnContext(ctx, "slack refuses a token that it gave not long ago")
	}
	return !errors.Is(err, ErrToken)
}

// current returns the cached token, or else reads it.
func (s *TokenSource) current(ctx context.Context) (Token, error) {
	s.mu.Lock()
	t, err, known := s.token, s.problem, time.Now().Before(s.until)
	s.mu.Unlock()
	if known {
		return t, err
	}
	return s.once(ctx, "read", func(ctx context.Context) (Token, error) {
		ctx, cancel := context.WithTimeout(ctx, tokenRead)
		defer cancel()
		t, err := s.cfg.Read(ctx)
		return s.take(t, err)
	})
}

// errNew: the token is too new to be the problem. Slack also refuses a token because of the caller's
// address.
var errNew = fmt.Errorf("%w: it is new", ErrToken)

// next returns the successor of an invalid token.
func (s *TokenSource) next(ctx context.Context, t Token) (Token, error) {
	now := time.Now()
	switch {
	case !t.Renewable:
		return Token{}, fmt.Errorf("%w: it ended or was revoked", ErrToken)
	case !ended(t, now) && now.Sub(t.Since) < tokenNew:
		return Token{}, errNew
	}
	return s.once(ctx, "renew", func(ctx context.Context) (Token, error) { return s.exchange(ctx, t) })
}

// once runs do once for all concurrent callers. A caller that gives up does not end it.
func (s *TokenSource) once(ctx context.Context, what string, do func(context.Context) (Token, error)) (Token, error) {
	done := s.flight.DoChan(what, func() (any, error) { return do(context.WithoutCancel(ctx)) })
	select {
	case got := <-done:
		t, _ := got.Val.(Token)
		return t, got.Err
	case <-ctx.Done():
		return Token{}, ctx.Err()
	}
}

// check reports whether a token is invalid, and whether it is due for renewal.
func (s *TokenSource) check(t Token) (invalid, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	refused := t.Text == s.refused && now.Before(s.refusedUntil)
	due = t.Renewable && !s.renew.IsZero() && !now.Before(s.renew) && !now.Before(s.retry)
	return refused || ended(t, now), due
}

func ended(t Token, now time.Time) bool {
	return !t.Expires.IsZero() && !now.Add(tokenMargin).Before(t.Expires)
}

// take caches the result of a read. If reading failed, a valid cached token stays.
func (s *TokenSource) take(t Token, err error) (Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil:
		s.put(t, now)
	case errors.Is(err, ErrToken):
		s.token, s.problem, s.until = Token{}, err, now.Add(tokenCached)
	case s.token.Text == "", ended(s.token, now):
		return Token{}, err
	default:
		s.cfg.Log.Debug("a token could not be read again", "err", err)
		s.until = now.Add(time.Second)
	}
	return s.token, s.problem
}

// put caches a token.
func (s *TokenSource) put(t Token, now time.Time) {
	if t.Text != s.token.Text {
		s.renew, s.failed, s.retry = renewAt(t, now), nil, time.Time{}
	}
	if t.Due {
		s.renew = now
	}
	s.token, s.problem, s.until = t, nil, now.Add(tokenCached)
}

// renewAt returns when to renew a token: one to two hours before its end, at random, so that replicas
// differ. A shorter token is renewed after two thirds of its time.
func renewAt(t Token, now time.Time) time.Time {
	if t.Expires.IsZero() {
		return time.Time{}
	}
	before := time.Hour + rand.N(time.Hour) //nolint:gosec // not a secret
	return t.Expires.Add(-min(before, t.Expires.Sub(now)/3))
}

// exchange renews a token, unless a renewal just failed.
func (s *TokenSource) exchange(ctx context.Context, old Token) (Token, error) {
	s.mu.Lock()
	t, failed := s.token, s.failed
	if time.Now().After(s.retry) {
		failed = nil
	}
	s.mu.Unlock()
	switch {
	case t.Text != old.Text && t.Text != "":
		return t, nil
	case failed != nil:
		return Token{}, failed
	}
	ctx, cancel := context.WithTimeout(ctx, tokenRenew)
	defer cancel()
	t, err := s.renewPersistently(ctx, old)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if err == nil {
		s.put(t, now)
		return t, nil
	}
	s.fail(ctx, old, now, err)
	return Token{}, err
}

// renewPersistently renews a token and retries at once on failure. If Slack's answer was lost, Slack accepts the same
// refresh token for a short time only, in which no other call may ask for a token.
func (s *TokenSource) renewPersistently(ctx context.Context, old Token) (t Token, err error) {
	for _, pause := range []time.Duration{time.Second, 4 * time.Second, 0} {
		t, err = s.cfg.Renew(ctx, old)
		if err == nil || errors.Is(err, ErrToken) || pause == 0 {
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return Token{}, err
		}
	}
	return t, err
}

// fail records a failed renewal. A token that is valid for long is retried later if Slack surely issued no
// successor.
func (s *TokenSource) fail(ctx context.Context, old Token, now time.Time, err error) {
	left, wait := cmp.Or(old.Expires, now).Sub(now), tokenRetry
	switch {
	case left > tokenAmple && (errors.Is(err, ErrToken) || errors.Is(err, ErrApp)):
		wait = time.Minute
	case left > tokenAmple:
		wait = tokenLost
	case errors.Is(err, ErrToken):
		wait = tokenDead
	}
	s.failed, s.retry = err, now.Add(wait+rand.N(wait/2)) //nolint:gosec // not a secret
	s.cfg.Log.Log(ctx, renewLevel(left), "slack token not renewed", "left", left.Round(time.Second), "err", err)
}

// renewLevel returns the log level of a failed renewal of a token with that much time left.
func renewLevel(left time.Duration) slog.Level {
	if left > tokenAmple {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
