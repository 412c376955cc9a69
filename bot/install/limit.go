package install

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
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
	known *ttlcache.Cache[string, *rate.Limiter]
}

func newAddressLimit(every rate.Limit, burst int) addressLimit {
	return addressLimit{every, burst, ttlcache.New(
		ttlcache.WithTTL[string, *rate.Limiter](limitedFor), ttlcache.WithCapacity[string, *rate.Limiter](mostLimited), ttlcache.WithDisableTouchOnHit[string, *rate.Limiter](),
	)}
}

// allow reports whether the request's address may be heard now.
func (l addressLimit) allow(r *http.Request) bool {
	address := addressOf(r)
	if known := l.known.Get(address); known != nil {
		return known.Value().Allow()
	}
	limiter := rate.NewLimiter(l.every, l.burst) // two that come at once may each get one
	l.known.Set(address, limiter, ttlcache.DefaultTTL)
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
