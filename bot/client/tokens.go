package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// Tokens supplies a [Client] with its token before each call.
type Tokens interface {
	// Token returns a valid token. It must be fast: most calls find it in memory. [ErrToken] means that
	// there is no token and waiting does not help. Other errors are temporary.
	Token(ctx context.Context) (string, error)
	// Stale reports that Slack refused a token. It returns whether there is another token, or soon may be.
	Stale(ctx context.Context, token string) (another bool)
}

// oneToken is a constant token.
type oneToken string

func (t oneToken) Token(context.Context) (string, error) { return string(t), nil }

func (t oneToken) Stale(context.Context, string) bool { return false }

// authorize adds the token to a request and returns it.
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

// staleTokenCodes are Slack's codes for a token that may have a successor.
var staleTokenCodes = []string{"token_expired", "invalid_auth"}

// outdated reports whether Slack refused a call because of its token, and a newer token exists.
func outdated(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(staleTokenCodes, e.Code) && errors.Is(e, ErrTryLater)
}

// checkToken reports a refused token to its source. If there is another token, the error becomes
// [ErrTryLater].
func (t *transport) checkToken(ctx context.Context, token string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if ok && token != "" && slices.Contains(staleTokenCodes, e.Code) && t.tokens.Stale(ctx, token) {
		e.Class = []error{ErrTryLater}
	}
	return err
}
