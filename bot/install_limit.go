package bot

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

const (
	limitedFor  = 10 * time.Minute // since an address was first heard of
	mostLimited = 10_000           // addresses that are remembered, those that were heard of last
)

// addressLimit bounds how often each address is heard.
type addressLimit struct {
	every rate.Limit
	burst int
	known *cache[*rate.Limiter]
}

func newAddressLimit(every rate.Limit, burst int) addressLimit {
	known := newCache[*rate.Limiter](limitedFor, mostLimited)
	return addressLimit{every, burst, &known}
}

// allow reports whether the request's address may be heard now.
func (l addressLimit) allow(r *http.Request) bool {
	address := addressOf(r)
	limiter, _, known := l.known.get(address)
	if !known {
		limiter = rate.NewLimiter(l.every, l.burst) // two that come at once may each get one
		l.known.put(address, limiter)
	}
	return limiter.Allow()
}

// carrier are addresses that only networks of their own use, as private ones: https://www.rfc-editor.org/rfc/rfc6598.
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// addressOf is the network that a request came from: an IPv4 address, or the /64 of an IPv6 one. Behind a proxy, which has
// a private address, it is the last one that the proxy names. Anybody may have written the others, and a client without a
// proxy all of them.
func addressOf(r *http.Request) string {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	address := peer.Addr().Unmap()
	if address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() || carrier.Contains(address) {
		named := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		last := strings.TrimSpace(named[len(named)-1])
		if withPort, err := netip.ParseAddrPort(last); err == nil {
			address = withPort.Addr().Unmap()
		} else if alone, err := netip.ParseAddr(last); err == nil {
			address = alone.Unmap()
		}
	}
	if address.Is6() {
		network, _ := address.WithZone("").Prefix(64)
		return network.String()
	}
	return address.String()
}
