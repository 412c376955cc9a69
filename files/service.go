package files

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// The reasons of [CheckService].
var (
	ErrNotAddress  = errors.New("not a complete address")
	ErrHasMore     = errors.New("a user name, a password, a query or a fragment in it")
	ErrNotHTTPS    = errors.New("not https")
	ErrPrivateHost = errors.New("not on the public network")
)

// CheckService checks the text of a service's base address that a person typed. The app sends signed
// requests there, from inside its operator's network. [Transport] checks the address that a name leads to.
func CheckService(address string, allowPrivate bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Hostname() == "", u.Scheme != "https" && u.Scheme != "http":
		return ErrNotAddress
	case u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return ErrHasMore
	case allowPrivate:
		return nil
	case u.Scheme != "https":
		return ErrNotHTTPS
	case isPrivateHost(u.Hostname()):
		return ErrPrivateHost
	}
	return nil
}

// isPrivateHost reports whether a host can only be on a private network, by its name or number.
func isPrivateHost(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return !guard{}.allows(a)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(host, ".") {
		return true
	}
	for _, ending := range []string{".localhost", ".local", ".internal", ".lan", ".home.arpa"} {
		if strings.HasSuffix(host, ending) {
			return true
		}
	}
	// A resolver may read these as numbers: 127.1, 0x7f.1, 2130706433.
	last := host[strings.LastIndex(host, ".")+1:]
	return last == "" || last[0] >= '0' && last[0] <= '9'
}

// Transport returns a transport for services whose address a person typed. It connects to public addresses
// only, unless private ones are allowed.
func Transport(allowPrivate bool) *http.Transport {
	transport, _ := guardedTransport(allowPrivate)
	return transport
}

// guardedTransport returns a transport with a guard, and its dialer. It uses no proxy, which would resolve and
// connect behind the guard's back.
func guardedTransport(allowPrivate bool) (*http.Transport, *net.Dialer) {
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: guard{allowPrivate}.control}
	return &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true,
	}, dialer
}
