package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// Tokens is where a [Client] gets its token from, before each call.
type Tokens interface {
	// Token is one that Slack takes. It must be quick: most calls find it in memory. [ErrToken]: no token, and
	// none will come by waiting. Any other error passes.
	Token(ctx context.Context) (string, error)
	// Stale says that Slack refused a token, and answers whether there is another now, or may be soon.
	Stale(ctx context.Context, token string) (another bool)
}

// oneToken is a token that is always the same.
type oneToken string

func (t oneToken) Token(context.Context) (string, error) { return string(t), nil }

func (t oneToken) Stale(context.Context, string) bool { return false }

// authorize puts the token on a request, and returns it.
func (t *transport) authorize(ctx context.Context, req *http.Request, method string) (token string, err error) {
	token, err = t.tokens.Token(ctx)
	if err != nil {
		class := ErrTryLater
		if errors.Is(err, ErrToken) {
			class = ErrToken
		}
		return "", &Error{Method: method, Class: []error{class}, Cause: err}
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return token, nil
}

// codesStale are what Slack answers when a newer token may do.
var codesStale = []string{"token_expired", "invalid_auth"}

// outdated tells whether Slack refused a call for its token, in whose place there is another.
func outdated(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(codesStale, e.Code) && errors.Is(e, ErrTryLater)
}

// checkToken tells who has the tokens that Slack refused one. When there is another the call is for later.
func (t *transport) checkToken(ctx context.Context, token string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if ok && token != "" && slices.Contains(codesStale, e.Code) && t.tokens.Stale(ctx, token) {
		e.Class = []error{ErrTryLater}
	}
	return err
}
