package upstream

import (
	"net/http"
)

// maxRedirects bounds how often a read follows the service around its own host.
const maxRedirects = 3

// keptOpen is how many connections for reads stay open while nobody uses them: as many as the poller has calls
// under way, and some for people. net/http keeps two to a host, and opens the others anew each time.
const keptOpen = 16

// Connections are those of several clients, which share them: see [Config.Connections].
type Connections struct {
	reads, writes http.RoundTripper
	close         func()
	held          held
}

// NewConnections makes connections like t, of which up to so many to a host stay open while nobody uses them. wrap,
// unless it is nil, is put around what carries reads and what carries writes, as [Config.Wrap] is.
func NewConnections(t *http.Transport, idle int, wrap func(http.RoundTripper) http.RoundTripper) *Connections {
	open, once := t.Clone(), writing(t)
	open.MaxIdleConnsPerHost = max(open.MaxIdleConnsPerHost, idle)
	c := &Connections{reads: open, writes: once, close: open.CloseIdleConnections, held: newHeld()}
	if wrap != nil {
		c.reads, c.writes = wrap(open), wrap(once)
	}
	return c
}

// CloseIdle closes those that nobody uses.
func (c *Connections) CloseIdle() { c.close() }

// connections are those that are shared, or the client's own.
func (c Config) connections() *Connections {
	if c.Connections != nil {
		return c.Connections
	}
	t := c.Transport
	if t == nil {
		t = http.DefaultTransport.(*http.Transport)
	}
	return NewConnections(t, keptOpen, c.Wrap)
}

// writing is a transport like t for writes. It never reuses a connection and speaks HTTP/1.1 only: the cases in
// which net/http replays a request by itself all begin with a reused connection or with HTTP/2.
func writing(t *http.Transport) *http.Transport {
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

// refuseRedirect hands the redirect itself back as the answer.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// stayHome follows a redirect only to the same scheme and host, and without
// the Referer that would repeat the signed query. A redirect anywhere else
// becomes the answer.
func stayHome(next *http.Request, via []*http.Request) error {
	next.Header.Del("Referer")
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
