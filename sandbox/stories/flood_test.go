package stories

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

// Anybody may send to the app's address. Thousands of requests that Slack did not sign, small ones and
// large ones, some of them nothing but headers, and hundreds of senders that stand still, cost a few lines of the log and memory that has an end, and
// people are answered meanwhile.
func TestAFloodOfUnsignedRequestsCostsNeitherLogNorMemory(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverHTTP })
	w.app.stop()
	w.environ = append(w.environ, "LOG_LEVEL=info")
	w.startApp()
	maria := w.person("maria")
	maria.Type("/order help")
	maria.Sees("/order new")
	before, lines := w.app.vitals(), w.app.troubles()
	t.Logf("before: %s", before)

	const unsigned, forged, stalled = 2_000, 300, 400
	f := &flood{t: t, to: w.app.url}
	f.send(unsigned, "", []byte(`{"type":"event_callback"}`))
	t.Logf("after %d unsigned: %s", unsigned, w.app.vitals())
	f.send(forged, "v0="+strings.Repeat("0", 64), bytes.Repeat([]byte("x"), 300<<10))
	t.Logf("after %d forged ones of 300 kB: %s", forged, w.app.vitals())
	withHeaders := f.stall(stalled, "POST /slack/events HTTP/1.1\r\nHost: x\r\n"+strings.Repeat("X-Filler: "+strings.Repeat("x", 900)+"\r\n", 1000))
	laden := w.app.vitals()
	t.Logf("while %d with headers of 900 kB stand still: %s", stalled, laden)
	withHeaders()
	release := f.stall(stalled, halfForged())
	held := w.app.vitals()
	t.Logf("while %d forged ones of 300 kB stand still: %s", stalled, held)
	maria.Type("/order list")
	maria.Sees("No orders yet")
	release()

	var after vitals
	require.Eventually(t, func() bool {
		after = w.app.vitals()
		return after.goroutines <= before.goroutines+10 && after.live-before.live < 10<<20
	}, patience, 500*time.Millisecond, "goroutines and memory are back: %v", &after)
	t.Logf("afterwards: %s; %d lines of trouble in the log", after, w.app.troubles()-lines)
	require.Less(t, laden.live-before.live, 40<<20, "16 kB for each, and what connections cost")
	require.Less(t, held.live-before.live, 80<<20, "32 MB of large bodies, and what connections cost")
	require.LessOrEqual(t, w.app.troubles()-lines, 5*4+4, "five for each status, and how many more there were")
	refused := w.app.metrics()
	require.GreaterOrEqual(t, number(t, refused, `darkroom_requests_refused_total{status="401"}`), float64(unsigned))
	require.LessOrEqual(t, strings.Count(refused, "\ndarkroom_requests_refused_total{"), 8, "nobody's words are a label")
}

// flood is somebody who sends what Slack did not sign.
type flood struct {
	t  *testing.T
	to string
}

// senders is how many send at the same time.
const senders = 50

// send sends so many requests; each is answered, and none is taken.
func (f *flood) send(n int, signature string, body []byte) {
	f.t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for range n / senders {
				r, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.to+"/slack/events", bytes.NewReader(body))
				if err != nil {
					f.t.Error(err)
					return
				}
				r.Header.Set("X-Slack-Signature", signature)
				r.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
				resp, err := client.Do(r)
				if err != nil {
					f.t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusServiceUnavailable {
					f.t.Errorf("status %d", resp.StatusCode)
				}
			}
		})
	}
	all.Wait()
}

// halfForged is half of a large request with a signature that is none.
func halfForged() string {
	half := strings.Repeat("x", 150<<10)
	return fmt.Sprintf("POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nX-Slack-Signature: v0=%s\r\nX-Slack-Request-Timestamp: %d\r\n\r\n%s",
		2*len(half), strings.Repeat("0", 64), time.Now().Unix(), half)
}

// stall begins so many requests and stops in the middle, until what it returns is called.
func (f *flood) stall(n int, begun string) (release func()) {
	f.t.Helper()
	conns := make([]net.Conn, n)
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for i := sender; i < n; i += senders {
				conn, err := (&net.Dialer{}).DialContext(f.t.Context(), "tcp", strings.TrimPrefix(f.to, "http://"))
				if err != nil {
					f.t.Error(err)
					return
				}
				conns[i] = conn
				_ = conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // it is not read to the end where there is no room
				_, _ = io.WriteString(conn, begun)
			}
		})
	}
	all.Wait()
	require.NotContains(f.t, conns, nil)
	return func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	}
}

// vitals are what the app holds.
type vitals struct{ live, resident, goroutines int }

func (v vitals) String() string {
	return fmt.Sprintf("%.1f MB live, %.1f MB resident, %d goroutines", float64(v.live)/1e6, float64(v.resident)/1e6, v.goroutines)
}

// vitals collects what nobody holds any more, and tells what is left.
func (p *process) vitals() vitals {
	p.t.Helper()
	_ = fetch(p.t, "http://"+p.admin()+"/debug/pprof/heap?gc=1")
	m := p.metrics()
	is := func(name string) int { return int(number(p.t, m, name)) }
	return vitals{is("go_memstats_heap_alloc_bytes"), is("process_resident_memory_bytes"), is("go_goroutines")}
}

// number is the value of a metric.
func number(t *testing.T, metrics, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(metrics)
	require.NotNil(t, found, name)
	n, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	return n
}

// troubles are the lines of the log that are warnings or worse.
func (p *process) troubles() int {
	said := p.said()
	return strings.Count(said, "level=WARN") + strings.Count(said, "level=ERROR")
}
