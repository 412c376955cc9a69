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
	limiterLife = 10 * time.Minute // lifetime of an address's limiter
	maxLimiters = 10_000           // addresses with a limiter, the latest ones
)

// addressLimit limits the request rate of each address.
type addressLimit struct {
	every rate.Limit
	burst int
	known *ttlcache.Cache[string, *rate.Limiter]
}

func newAddressLimit(every rate.Limit, burst int) addressLimit {
	return addressLimit{every, burst, ttlcache.New(
		ttlcache.WithTTL[string, *rate.Limiter](limiterLife), ttlcache.WithCapacity[string, *rate.Limiter](maxLimiters), ttlcache.WithDisableTouchOnHit[string, *rate.Limiter](),
	)}
}

// allow reports whether the request's address is within its limit.
func (l addressLimit) allow(r *http.Request) bool {
	address := addressOf(r)
	if known := l.known.Get(address); known != nil {
		return known.Value().Allow()
	}
	limiter := rate.NewLimiter(l.every, l.burst) // concurrent first requests may each create one
	l.known.Set(address, limiter, ttlcache.DefaultTTL)
	return limiter.Allow()
}

// carrier is the range of carrier-grade NAT, private like RFC 1918's ranges:
// https://www.rfc-editor.org/rfc/rfc6598.
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// addressOf returns the request's network: an IPv4 address or an IPv6 /64. If the peer's address is
// private, the peer is a proxy, and the last address in X-Forwarded-For counts. The client may have forged
// the earlier ones.
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
