package tenants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"darkroom/bot/client"
	"darkroom/store/tenants"
)

// Slack retries an event for about an hour. An app that was away for longer finds a removal because Slack rejects the
// token.

const (
	askPause  = 50 * time.Millisecond // between two questions of a sweep
	askInVain = 3                     // consecutive questions without an answer that end a sweep
	endedFor  = 30 * 24 * time.Hour   // after its expiry, a rejected token proves the removal
)

// errNotAsked says that Slack or Redis did not answer whether the app is still installed.
var errNotAsked = errors.New("no answer")

// askable reports whether an entry has a token that Slack can be asked about.
func askable(e tenants.Entry) bool {
	return e.Gone.IsZero() && (e.Token == tenants.SealedNewest || e.Token == tenants.SealedOlder)
}

// askEach looks at each of these. Single failures wait for the next day; it returns an error if Slack does not answer at
// all.
func (r *Remover) askEach(ctx context.Context, ids []string) error {
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	pace := rate.NewLimiter(rate.Every(askPause), 1)
	inVain := 0
	for _, id := range ids {
		if err := pace.Wait(ctx); err != nil {
			return err
		}
		again, err := r.Look(ctx, id)
		if again > 0 {
			r.soon(ctx, id)
		}
		if err == nil {
			inVain = 0
		} else if inVain++; inVain == askInVain || inVain == len(ids) {
			return err
		} else if ctx.Err() == nil {
			r.says(ctx, err)
		}
	}
	return nil
}

// ask asks Slack whether it still accepts an installation's token. A removal is handled as after an event.
func (r *Remover) ask(ctx context.Context, id string) error {
	at := r.Now()
	i, err := r.directory.Installations.Known(ctx, id)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotAsked, err)
	}
	token, word, err := r.check.refused(ctx, i, at)
	if err != nil {
		return fmt.Errorf("%w: installation %s: %w", errNotAsked, id, err)
	}
	if word == "" {
		return nil
	}
	changed, err := r.directory.Installations.LeaveWith(ctx, id, token, at)
	if err != nil || !changed {
		return err
	}
	r.apps.Forget(id)
	r.soon(ctx, id)
	r.log.WarnContext(ctx, "app removed, which slack had not told", "installation", id, "code", word)
	return nil
}

// Slack's error codes for the token of a removed app. A token may also be revoked alone.
const (
	wordInactive = "account_inactive"
	wordRevoked  = "token_revoked"
)

// tokenCheck asks Slack whether it still accepts a token.
type tokenCheck struct {
	directory *tenants.Directory
	tokens    *Tokens
	slack     client.Config // without the token
}

// refused returns the token of an installation and the error code of Slack's that proves the removal; "" if the app is
// installed, or if the code proves nothing: it may be about our IP address, say.
func (m *tokenCheck) refused(ctx context.Context, i tenants.Installation, now time.Time) (token, word string, err error) {
	defer m.tokens.keepOnlyUsed(i.ID)()
	used := &usedTokens{Tokens: m.tokens.Source(i)}
	word, err = m.wordOn(ctx, client.Config{Tokens: used})
	switch {
	case word == wordInactive:
		return used.last, word, err
	case word == wordRevoked:
		return m.revokedToken(ctx, i, used.last)
	case errors.Is(err, client.ErrToken):
		return m.endedToken(ctx, i, now)
	}
	return "", "", err
}

// revokedToken judges a revoked token: if Slack renews it, the app is installed.
func (m *tokenCheck) revokedToken(ctx context.Context, i tenants.Installation, token string) (gone, word string, err error) {
	_, err = m.directory.Renewals.Renew(ctx, tenants.Installation{ID: i.ID, Token: token}, m.tokens.Renewing(i.ID, m.tokens.refresh))
	switch {
	case errors.Is(err, client.ErrToken), errors.Is(err, tenants.ErrNoRefresh):
		return token, wordRevoked, nil
	case errors.Is(err, tenants.ErrNotInstalled):
		err = nil
	}
	return "", "", err
}

// endedToken judges an expired token that Slack does not renew. Either the app was removed, or a backup with an older
// refresh token was restored. So it asks Slack about the expired token itself.
func (m *tokenCheck) endedToken(ctx context.Context, i tenants.Installation, now time.Time) (token, word string, err error) {
	word, err = m.wordOn(ctx, client.Config{Token: i.Token})
	switch {
	case err != nil, word == wordInactive, word == wordRevoked:
		return i.Token, word, err
	case word != "" && !i.Expires.IsZero() && now.Sub(i.Expires) > endedFor:
		return i.Token, word, nil
	}
	return "", "", nil
}

// wordOn returns Slack's error code for a token; "": accepted. [client.ErrToken] says that no token was sent.
func (m *tokenCheck) wordOn(ctx context.Context, c client.Config) (word string, err error) {
	c.APIURL, c.HTTP, c.Outage, c.Observe = m.slack.APIURL, m.slack.HTTP, m.slack.Outage, m.slack.Observe
	err = client.New(c).People.Answers(ctx)
	e, ok := errors.AsType[*client.Error](err)
	if ok && e.Code != "" && e.RetryAfter == 0 && e.Status < http.StatusInternalServerError {
		return e.Code, nil
	}
	return "", err
}

// usedTokens remembers the last used token.
type usedTokens struct {
	client.Tokens
	last string
}

// Token implements [client.Tokens].
func (u *usedTokens) Token(ctx context.Context) (token string, err error) {
	u.last, err = u.Tokens.Token(ctx)
	return u.last, err
}
