package tenants

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// ErrNotInstalled says that the app was never added to the workspace, or was removed.
var ErrNotInstalled = errors.New("the app is not installed")

// Installation is Slack's answer when somebody added the app to a workspace or to a whole organisation.
// It prints, logs and marshals without its tokens.
type Installation struct {
	ID         string // of the workspace (T…), or of the organisation (E…) when OrgWide
	Team       string // the workspace; with OrgWide the workspace that the caller asked for, or ""
	Enterprise string // the Grid organisation that the workspace belongs to; "" = no organisation
	Name       string // of the workspace or organisation, for people
	AppID      string
	BotUser    string
	Scopes     []string
	OrgWide    bool

	Token   string    // bot token
	Refresh string    // refresh token; "" = the token does not expire
	Expires time.Time // when the token expires; zero: never

	Renewed  time.Time // when the token was last renewed; zero: never
	Renewing time.Time // when an unfinished renewal began; zero: no renewal

	By   string    // the user id of the person who added the app
	At   time.Time // when they added it
	Gone time.Time // when the app was removed and its tokens were erased; zero: it is installed
}

// String names an installation without its secrets.
func (i Installation) String() string { return "installation " + cmp.Or(i.ID, i.Team) }

// Format implements [fmt.Formatter]: no verb prints a token.
func (i Installation) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, i.String()) }

// LogValue implements [slog.LogValuer].
func (i Installation) LogValue() slog.Value { return slog.StringValue(i.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (i Installation) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// Expired reports whether the token has expired at that time.
func (i Installation) Expired(at time.Time) bool { return !i.Expires.IsZero() && !at.Before(i.Expires) }
