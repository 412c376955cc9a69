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

// ErrUnreadable says that the workspace's account cannot be opened: the key that sealed it is lost, or the document was
// altered. The account can be replaced and erased like any other.
var ErrUnreadable = errors.New("the account at the order service cannot be read")

// NoAccount reports whether an error of [Accounts.Account] says that no usable account exists.
func NoAccount(err error) bool {
	return errors.Is(err, ErrNotConnected) || errors.Is(err, ErrUnreadable)
}

// ServiceAccount is an account at an order service, with the dialect of that service. It prints, logs
// and marshals without its credentials.
type ServiceAccount struct {
	URL       string
	Key       string
	Secret    string
	Params    string // where writes put their parameters
	Signature string // how the signed JSON is written
	Numbers   string // how numbers are signed
	BasicAuth bool
	Prices    string // of one image, for [darkroom/order.ParsePrices]; "": unknown
	By        string // the user id of the person who connected it
	At        time.Time
}

// ID returns a hash of the service's address and the key. Workspaces that share an account have the same ID, and
// share the service's limits.
func (a ServiceAccount) ID() string {
	address := strings.TrimRight(strings.TrimSpace(a.URL), "/")
	if u, err := url.Parse(address); err == nil {
		u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
		address = u.String()
	}
	sum := sha256.Sum256([]byte("darkroom account\x00" + address + "\x00" + a.Key))
	return hex.EncodeToString(sum[:16])
}

// Host returns the service's host, which is not secret; "" for a malformed URL.
func (a ServiceAccount) Host() string {
	u, err := url.Parse(a.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// String names an account without its secrets.
func (a ServiceAccount) String() string { return "account " + a.ID()[:8] }

// Format implements [fmt.Formatter]: no verb prints a credential.
func (a ServiceAccount) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.String()) }

// LogValue implements [slog.LogValuer].
func (a ServiceAccount) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (a ServiceAccount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
