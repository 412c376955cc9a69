package upstream

import (
	"net/http"

	"golang.org/x/sync/semaphore"
)

// maxRedirects is the most redirects that a read follows on the service's own host.
const maxRedirects = 3

// keptOpen is the number of idle connections for reads to a host: enough for the poller's parallel calls and
// some of people. net/http keeps two by default and reopens the others each time.
const keptOpen = 16

// Connections are shared by several clients: see [Config.Connections].
type Connections struct {
	reads, writes http.RoundTripper
	close         func()
	middle, large *semaphore.Weighted // slots for answers in memory; see bodySlots
}

// NewConnections makes connections like t, with up to idle idle ones to a host. wrap, unless nil, wraps the
// transports for reads and for writes, as [Config.Wrap] does.
func NewConnections(t *http.Transport, idle int, wrap func(http.RoundTripper) http.RoundTripper) *Connections {
	reads, writes := t.Clone(), writeTransport(t)
	reads.MaxIdleConnsPerHost = max(reads.MaxIdleConnsPerHost, idle)
	c := &Connections{
		reads: reads, writes: writes, close: reads.CloseIdleConnections,
		middle: semaphore.NewWeighted(middleSlots), large: semaphore.NewWeighted(largeSlots),
	}
	if wrap != nil {
		c.reads, c.writes = wrap(reads), wrap(writes)
	}
	return c
}

// CloseIdle closes the idle connections.
func (c *Connections) CloseIdle() { c.close() }

// connections returns the shared connections, or new ones.
func (c Config) connections() *Connections {
	if c.Connections != nil {
		return c.Connections
	}
	return NewConnections(http.DefaultTransport.(*http.Transport), keptOpen, c.Wrap)
}

// writeTransport returns a transport like t for writes. It never reuses a connection and speaks HTTP/1.1 only:
// net/http replays requests by itself only on a reused connection or over HTTP/2.
func writeTransport(t *http.Transport) *http.Transport {
	once := t.Clone()
	once.DisableKeepAlives = true
	once.ForceAttemptHTTP2 = false
	once.TLSNextProto = nil
	once.Protocols = new(http.Protocols)
	once.Protocols.SetHTTP1(true)
	if once.TLSClientConfig != nil {
		once.TLSClientConfig.NextProtos = nil
	}
	return once
}

// refuseRedirect returns the redirect itself as the answer.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// stayHome follows redirects only to the same scheme and host, without the Referer, which would repeat the
// signed query. Any other redirect is the answer.
func stayHome(next *http.Request, via []*http.Request) error {
	next.Header.Del("Referer")
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
