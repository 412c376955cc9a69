package upstream

import (
	"net/http"
)

// maxRedirects bounds how often a read follows the service around its own host.
const maxRedirects = 3

// keptOpen is how many connections for reads stay open while nobody uses them: as many as the poller has calls
// under way, and some for people. net/http keeps two to a host, and opens the others anew each time.
const keptOpen = 16

// transports returns one transport for reads and one for writes. The writing
// one never reuses a connection and speaks HTTP/1.1 only: the cases in which
// net/http replays a request by itself all begin with a reused connection or
// with HTTP/2.
func (c Config) transports() (reads, writes http.RoundTripper) {
	t := c.Transport
	if t == nil {
		t = http.DefaultTransport.(*http.Transport)
	}
	once := t.Clone()
	once.DisableKeepAlives = true
	once.ForceAttemptHTTP2 = false
	once.TLSNextProto = nil
	once.Protocols = new(http.Protocols)
	once.Protocols.SetHTTP1(true)
	if once.TLSClientConfig != nil {
		once.TLSClientConfig.NextProtos = nil
	}
	open := t.Clone()
	open.MaxIdleConnsPerHost = max(open.MaxIdleConnsPerHost, keptOpen)
	if c.Wrap == nil {
		return open, once
	}
	return c.Wrap(open), c.Wrap(once)
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
