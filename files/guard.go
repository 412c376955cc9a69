package files

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// ErrRefused says that a URL must not be fetched: it has another scheme or a password, redirects too
// often, or leads to no address or to one that is not public.
var ErrRefused = errors.New("address not allowed")

// A guard decides which addresses may be dialled. It checks each address right before the connection,
// after the name was resolved. So a name that resolves differently a second time gains nothing.
type guard struct{ allowPrivate bool }

// control lets a dialer connect only to addresses that the guard allows.
func (g guard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: %s", ErrRefused, network)
	}
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: no address", ErrRefused)
	}
	if !g.allows(a.Addr()) {
		return fmt.Errorf("%w: not public", ErrRefused)
	}
	return nil
}

// allows reports whether an address is public, or private where that is allowed. An IPv4 address inside
// an IPv6 one counts as IPv4.
func (g guard) allows(a netip.Addr) bool {
	a = plain(a)
	switch {
	case within(a, never):
		return false
	case within(a, private):
		return g.allowPrivate
	case a.Is4():
		return true
	}
	return globalV6.Contains(a)
}

// plain returns the IPv4 address in a mapped address or in a NAT64 address.
func plain(a netip.Addr) netip.Addr {
	a = a.WithZone("").Unmap()
	if b := a.As16(); nat64.Contains(a) {
		return netip.AddrFrom4([4]byte(b[12:16]))
	}
	return a
}

func within(a netip.Addr, ranges []netip.Prefix) bool {
	return slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(a) })
}

// The ranges are IANA's special-purpose registries (iana.org/assignments/iana-ipv4-special-registry
// and iana-ipv6-special-registry). Of IPv6, only the global unicast range is public.
var (
	globalV6 = netip.MustParsePrefix("2000::/3")
	nat64    = netip.MustParsePrefix("64:ff9b::/96")

	// private lists the networks of sandboxes and companies.
	private = prefixes(
		"127.0.0.0/8", "::1/128", // loopback
		"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", // RFC 1918
		"fc00::/7",      // unique local
		"100.64.0.0/10", // carrier-grade NAT
	)

	// never lists networks without pictures, even in a sandbox.
	never = prefixes(
		"169.254.0.0/16",      // link-local, and most clouds' metadata
		"fe80::/10",           // link-local
		"100.100.100.200/32",  // metadata at Alibaba
		"168.63.129.16/32",    // metadata at Azure, on a public address
		"fd00:ec2::/32",       // metadata at Amazon
		"fd20:ce::/32",        // metadata at Google
		"0.0.0.0/8", "::/128", // unspecified: loopback on many systems
		"192.0.0.0/24",                                      // protocol assignments, metadata at Oracle
		"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", // documentation
		"2001:db8::/32", "3fff::/20", // documentation
		"2002::/16", "192.88.99.0/24", // 6to4 and its relays
		"198.18.0.0/15",           // benchmarks
		"2001::/23",               // protocol assignments: Teredo, benchmarks, ORCHID
		"224.0.0.0/4", "ff00::/8", // multicast
		"192.31.196.0/24", "192.175.48.0/24", "2620:4f:8000::/48", // sink name servers (AS112)
		"192.52.193.0/24", // multicast through tunnels
		"240.0.0.0/4",     // reserved, broadcast
	)
)

func prefixes(cidrs ...string) []netip.Prefix {
	var ps []netip.Prefix
	for _, c := range cidrs {
		ps = append(ps, netip.MustParsePrefix(c))
	}
	return ps
}
