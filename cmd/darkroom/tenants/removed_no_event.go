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

// Slack tells of a removal for as long as it tries an event again, which is about an hour. An app that was away for
// longer finds it by the token, which Slack takes no more.

const (
	askPause  = 50 * time.Millisecond // between two questions: all are asked in the course of a sweep
	askInVain = 3                     // questions without an answer, one after the other, after which nobody else is asked
	endedFor  = 30 * 24 * time.Hour   // since when a token has ended of which nothing else tells that the app is gone
)

// errNotAsked says that Slack, or Redis, gave no answer to whether the app is still there.
var errNotAsked = errors.New("no answer")

// askable tells whether there is a token that Slack can be asked about.
func askable(e tenants.Entry) bool {
	return e.Gone.IsZero() && (e.Token == tenants.SealedNewest || e.Token == tenants.SealedOlder)
}

// askEach asks about each of these. The few without an answer are for the next day; it is an error when Slack does not
// answer at all.
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

// ask has Slack say whether it still takes an installation's own token, and notes the removal that it tells of: from then
// on it is as if the event had come.
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

// Slack's words on the token of an app that was removed. A token may be revoked alone, too.
const (
	wordInactive = "account_inactive"
	wordRevoked  = "token_revoked"
)

// tokenCheck asks Slack whether it still takes a token.
type tokenCheck struct {
	directory *tenants.Directory
	tokens    *Tokens
	slack     client.Config // but for the token
}

// refused is the token of an installation with the word of Slack's by which the app is gone from there; "" when it is
// not, or when nobody can tell: another word may be about the address that we call from, say.
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

// revokedToken judges a token that was revoked: when Slack gives another for it, the app is there.
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

// endedToken judges a token that has ended, and in whose place Slack gives no other. That may be so because the app was
// removed, or because a backup with an older refresh token was put back. So it is asked about itself; nobody else uses it.
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

// wordOn is what Slack says to a token: "" takes it. An error that is [client.ErrToken] says that there is no token to ask about.
func (m *tokenCheck) wordOn(ctx context.Context, c client.Config) (word string, err error) {
	c.APIURL, c.HTTP, c.Outage, c.Observe = m.slack.APIURL, m.slack.HTTP, m.slack.Outage, m.slack.Observe
	err = client.New(c).People.Answers(ctx)
	e, ok := errors.AsType[*client.Error](err)
	if ok && e.Code != "" && e.RetryAfter == 0 && e.Status < http.StatusInternalServerError {
		return e.Code, nil
	}
	return "", err
}

// usedTokens remember the token that was used last.
type usedTokens struct {
	client.Tokens
	last string
}

// Token implements [client.Tokens].
func (u *usedTokens) Token(ctx context.Context) (token string, err error) {
	u.last, err = u.Tokens.Token(ctx)
	return u.last, err
}
