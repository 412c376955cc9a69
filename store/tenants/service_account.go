package tenants

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"
)

// ErrNotConnected says that the workspace has no account at an order service.
var ErrNotConnected = errors.New("not connected to a photo service")

// ErrUnreadable says that the workspace has an account that does not open here: the key that sealed it is lost, or what is
// kept is not what was sealed. It can be replaced and erased like any other.
var ErrUnreadable = errors.New("the account at the order service cannot be read")

// NoAccount reports whether an error of [Accounts.Account] says that there is no account to work with.
func NoAccount(err error) bool {
	return errors.Is(err, ErrNotConnected) || errors.Is(err, ErrUnreadable)
}

// ServiceAccount is an account at an order service, and how that service wants to be spoken to. It prints, logs
// and marshals without its credentials.
type ServiceAccount struct {
	URL       string
	Key       string
	Secret    string
	Params    string // where the parameters of writes travel
	Signature string // how the signed JSON is written
	Numbers   string // how numbers are signed
	BasicAuth bool
	By        string // who connected it
	At        time.Time
}

// ID is the same for the same account, the service's address and the key, and tells neither: workspaces that share
// an account share what the service allows it.
func (a ServiceAccount) ID() string {
	address := strings.TrimRight(strings.TrimSpace(a.URL), "/")
	if u, err := url.Parse(address); err == nil {
		u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
		address = u.String()
	}
	sum := sha256.Sum256([]byte("darkroom account\x00" + address + "\x00" + a.Key))
	return hex.EncodeToString(sum[:16])
}

// Host is where the service is, for people: without anything that may be secret.
func (a ServiceAccount) Host() string {
	u, err := url.Parse(a.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// String tells nothing of an account.
func (a ServiceAccount) String() string { return "account " + a.ID()[:8] }

// Format implements [fmt.Formatter]: no verb prints a credential.
func (a ServiceAccount) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.String()) }

// LogValue implements [slog.LogValuer].
func (a ServiceAccount) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (a ServiceAccount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
