package tenants

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// ErrNotInstalled says that the app is not in the workspace: it was never added, or was removed.
var ErrNotInstalled = errors.New("the app is not installed")

// Installation is what Slack gave when somebody added the app to a workspace, or to all of an organisation.
// It prints, logs and marshals without its tokens.
type Installation struct {
	ID         string // of the workspace (T…), or of the organisation (E…) when OrgWide: whose documents these are
	Team       string // the workspace; of an installation for an organisation the one that was asked for, or ""
	Enterprise string // the Grid organisation that the workspace belongs to; "" = none
	Name       string // of the workspace or organisation, for people
	AppID      string
	BotUser    string
	Scopes     []string
	OrgWide    bool

	Token   string    // bot token
	Refresh string    // gets the next one; "" = the token does not expire
	Expires time.Time // when the token does; zero: never

	Renewed  time.Time // when the token was last renewed; zero: it is the one that the app was added with
	Renewing time.Time // since when somebody asks Slack for another, of whom it is not known that they are done; zero: nobody does

	By   string    // who added the app
	At   time.Time // when
	Gone time.Time // when the app was removed, since when there are no tokens; zero: it is there
}

// String names an installation and tells nothing secret.
func (i Installation) String() string { return "installation " + cmp.Or(i.ID, i.Team) }

// Format implements [fmt.Formatter]: no verb prints a token.
func (i Installation) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, i.String()) }

// LogValue implements [slog.LogValuer].
func (i Installation) LogValue() slog.Value { return slog.StringValue(i.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (i Installation) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// Expired tells whether the token is no longer good for anything at a time.
func (i Installation) Expired(at time.Time) bool { return !i.Expires.IsZero() && !at.Before(i.Expires) }
