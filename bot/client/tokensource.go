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

// Token is a token and how long it lasts. It prints, logs and marshals as nothing.
type Token struct {
	Text      string
	Expires   time.Time // zero: never
	Renewable bool      // there is something to renew it with
	Since     time.Time // when Slack gave it; zero: not known
	Due       bool      // somebody began to renew it, and may have died of it: it is to be renewed at once
}

// String tells nothing of a token.
func (t Token) String() string { return "***" }

// Format implements [fmt.Formatter]: no verb prints a token.
func (t Token) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, t.String()) }

// LogValue implements [slog.LogValuer].
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// TokenSourceConfig says where a [TokenSource] has its tokens from.
type TokenSourceConfig struct {
	// Read returns the token that all replicas share. [ErrToken]: no token.
	Read func(ctx context.Context) (Token, error)
	// Renew returns the next one in place of old, for all replicas: it is kept when Renew returns. [ErrToken]: Slack
	// gives none any more. It is not called twice at a time.
	Renew func(ctx context.Context, old Token) (Token, error)
	Log   *slog.Logger // nil = none
}

const (
	tokenKept   = 10 * time.Second // how long a token is believed before it is read again
	tokenDead   = 30 * time.Second // how long it is believed that a token is good for nothing
	tokenMargin = 10 * time.Second // before its end a token is no longer used: a call takes a while
	tokenRetry  = 5 * time.Second  // between two tries to renew one
	tokenCalm   = 30 * time.Minute // with so much left of it, nobody need hear of that
	tokenLost   = 15 * time.Second // between two tries then, when Slack may have renewed it: it takes the refresh token for a minute or so
	tokenNew    = 10 * time.Minute // a token that Slack refuses though it is no older is not renewed: another would be refused, too
	tokenRead   = 5 * time.Second  // for reading
	tokenRenew  = 40 * time.Second // for renewing
)

// TokenSource is [Tokens] of one installation: it remembers its token for some seconds, renews it well before its
// end, and gives none that is past it or that Slack refused. An idle one weighs next to nothing.
type TokenSource struct {
	cfg    TokenSourceConfig
	flight singleflight.Group

	mu      sync.Mutex
	token   Token
	problem error     // why there is no token
	until   time.Time // until when either is believed
	renew   time.Time // when the token is to be renewed; zero: never
	failed  error     // why the last try to renew it did
	retry   time.Time // when the next may be
	refused string    // a token that Slack refused
	forgive time.Time // until when that counts
}

// NewTokenSource makes one; it reads nothing yet.
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
	switch dead, due := s.judge(t); {
	case dead:
		t, err = s.next(ctx, t)
	case due:
		s.flight.DoChan("renew", func() (any, error) { return s.exchange(context.WithoutCancel(ctx), t) })
	}
	return t.Text, err
}

// Lost reports whether there is no token and none will come: Slack gives no other for the one that there was. Until that
// is known it is false.
func (s *TokenSource) Lost(ctx context.Context) bool {
	_, err := s.Token(ctx)
	return errors.Is(err, ErrToken) && !errors.Is(err, errNew)
}

// Stale implements [Tokens].
func (s *TokenSource) Stale(ctx context.Context, token string) (another bool) {
	s.mu.Lock()
	if s.token.Text != "" && s.token.Text != token { // it was renewed while the call was on its way
		s.mu.Unlock()
		return true
	}
	again := s.refused == token
	s.refused, s.forgive, s.until = token, time.Now().Add(tokenDead), time.Time{}
	s.mu.Unlock()
	_, err := s.Token(ctx)
	if errors.Is(err, errNew) && !again {
		s.cfg.Log.WarnContext(ctx, "slack refuses a token that it gave not long ago")
	}
	return !errors.Is(err, ErrToken)
}

// current is the token as it is remembered, or else read.
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

// errNew: what is wrong is not the token. Slack says so, too, when it takes none from our address.
var errNew = fmt.Errorf("%w: it is new", ErrToken)

// next is the token after one that is good for nothing.
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

// once does something once for all who ask meanwhile, none of whom ends it by giving up.
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

// judge tells whether a token is good for nothing, and whether it is time to renew it.
func (s *TokenSource) judge(t Token) (dead, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	refused := t.Text == s.refused && now.Before(s.forgive)
	due = t.Renewable && !s.renew.IsZero() && !now.Before(s.renew) && !now.Before(s.retry)
	return refused || ended(t, now), due
}

func ended(t Token, now time.Time) bool {
	return !t.Expires.IsZero() && !now.Add(tokenMargin).Before(t.Expires)
}

// take remembers what was read. While it cannot be read, one that is known and good stays.
func (s *TokenSource) take(t Token, err error) (Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil:
		s.put(t, now)
	case errors.Is(err, ErrToken):
		s.token, s.problem, s.until = Token{}, err, now.Add(tokenKept)
	case s.token.Text == "", ended(s.token, now):
		return Token{}, err
	default:
		s.cfg.Log.Debug("a token could not be read again", "err", err)
		s.until = now.Add(time.Second)
	}
	return s.token, s.problem
}

// put remembers a token.
func (s *TokenSource) put(t Token, now time.Time) {
	if t.Text != s.token.Text {
		s.renew, s.failed, s.retry = renewAt(t, now), nil, time.Time{}
	}
	if t.Due {
		s.renew = now
	}
	s.token, s.problem, s.until = t, nil, now.Add(tokenKept)
}

// renewAt is when a token is renewed: an hour or two before its end, so that not all replicas think of it at the same
// time, or after two thirds of what is left of a shorter one.
func renewAt(t Token, now time.Time) time.Time {
	if t.Expires.IsZero() {
		return time.Time{}
	}
	before := time.Hour + rand.N(time.Hour) //nolint:gosec // it is no secret
	return t.Expires.Add(-min(before, t.Expires.Sub(now)/3))
}

// exchange renews a token, unless that has just failed.
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
	t, err := s.insist(ctx, old)
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

// insist renews a token, and tries again at once what failed: when an answer of Slack's was lost, it takes the same refresh
// token only for a short time more, in which nobody may ask for a token.
func (s *TokenSource) insist(ctx context.Context, old Token) (t Token, err error) {
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

// fail remembers that a token could not be renewed. One that is good for long is tried again without hurry when Slack
// surely gave nothing.
func (s *TokenSource) fail(ctx context.Context, old Token, now time.Time, err error) {
	left, wait := cmp.Or(old.Expires, now).Sub(now), tokenRetry
	switch {
	case left > tokenCalm && (errors.Is(err, ErrToken) || errors.Is(err, ErrApp)):
		wait = time.Minute
	case left > tokenCalm:
		wait = tokenLost
	case errors.Is(err, ErrToken):
		wait = tokenDead
	}
	s.failed, s.retry = err, now.Add(wait+rand.N(wait/2)) //nolint:gosec // it is no secret
	s.cfg.Log.Log(ctx, renewLevel(left), "slack token not renewed", "left", left.Round(time.Second), "err", err)
}

// renewLevel is how loudly the log should say that a token could not be renewed which is good for that long.
func renewLevel(left time.Duration) slog.Level {
	if left > tokenCalm {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
