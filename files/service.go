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

// Why the address of a service cannot be used that somebody typed; see [CheckService].
var (
	ErrNotAddress  = errors.New("not a complete address")
	ErrHasMore     = errors.New("a user name, a password, a query or a fragment in it")
	ErrNotHTTPS    = errors.New("not https")
	ErrPrivateHost = errors.New("not on the public network")
)

// CheckService says what is against a service's base address, as far as its text tells: requests with a
// signature go there, and from inside the network of whoever runs the app. Where a name leads is seen
// when it is connected to, see [Transport].
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

// isPrivateHost tells a host that can only be on a private network by its name or number.
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
	// What a resolver may read as a number: 127.1, 0x7f.1, 2130706433.
	last := host[strings.LastIndex(host, ".")+1:]
	return last == "" || last[0] >= '0' && last[0] <= '9'
}

// Transport connects to public addresses only, unless private ones are allowed: it is for services whose
// address somebody typed who does not run the app. It uses no proxy, which would connect behind the guard's back.
func Transport(allowPrivate bool) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: guard{allowPrivate}.control}
	return &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true,
	}
}
