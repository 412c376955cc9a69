package page_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
)

func TestWhatCameUnreadIsCountedForEachPerson(t *testing.T) {
	w := start(t, page.Options{})
	ben := w.open("ben", "channel=C0WEDDINGS")
	shoots := func(s object) object { return find(s["channels"], "id", "C0SHOOTS") }

	root := w.post(object{"text": "an order"})
	w.post(object{"text": "ready, <@U0MARIA>", "thread_ts": root})
	s := ben.sees("one unread", func(s object) bool { return shoots(s)["unread"] == 1.0 })
	require.Equal(t, false, shoots(s)["mention"], "a reply is no unread message of the channel")
	maria := w.now("maria", "channel=C0WEDDINGS")
	require.Equal(t, true, shoots(maria)["mention"], "whom a reply names is told")

	w.do("ben", "read", object{"channel": "C0SHOOTS"})
	ben.sees("all read", func(s object) bool { return shoots(s)["unread"] == 0.0 })
	require.Equal(t, 1.0, shoots(w.now("maria", ""))["unread"], "what Ben read Maria did not")

	w.do("ben", "say", object{"channel": "C0SHOOTS", "text": "mine"})
	require.Equal(t, 0.0, shoots(w.now("ben", ""))["unread"], "nobody's own words are news to them")
	w.post(object{"text": "see below", "blocks": []any{object{"type": "section", "text": object{"type": "mrkdwn", "text": "hello <@U0BEN>"}}}})
	ben.sees("named in a block", func(s object) bool { return shoots(s)["mention"] == true })
}

func TestAThreadIsCountedBelowItsRootAndShownBeside(t *testing.T) {
	w := start(t, page.Options{})
	root := w.post(object{"text": "an order"})
	w.do("maria", "say", object{"channel": "C0SHOOTS", "thread": root, "text": "brighter, @ben"})
	w.do("ben", "say", object{"channel": "C0SHOOTS", "thread": root, "text": "yes"})
	s := w.now("ben", "channel=C0SHOOTS&thread="+root)
	require.Len(t, s["messages"], 1)
	require.Equal(t, 2.0, list(s["messages"])[0]["replies"].(object)["count"])
	require.Equal(t, []any{"U0MARIA", "U0BEN"}, list(s["messages"])[0]["replies"].(object)["users"])
	replies := list(s["replies"])
	require.Equal(t, []any{root, "brighter, <@U0BEN>", true}, []any{replies[0]["ts"], replies[1]["text"], replies[2]["mine"]})
}

func TestManyChangesAreToldInAFewSnapshots(t *testing.T) {
	w := start(t, page.Options{})
	maria := w.open("maria", "channel=C0SHOOTS")
	maria.sees("the start", func(object) bool { return true })
	began := time.Now()
	const said = 100
	for i := range said {
		w.do("ben", "say", object{"channel": "C0SHOOTS", "text": fmt.Sprint(i)})
	}
	told := 0
	maria.sees("the last", func(s object) bool { told++; return len(list(s["messages"])) == said })
	require.LessOrEqual(t, told, int(time.Since(began)/(100*time.Millisecond))+2, "at most ten a second")
}

func TestASlowReaderHoldsUpNobody(t *testing.T) {
	w := start(t, page.Options{})
	for range 2 {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(w.URL(), "http://"))
		require.NoError(t, err)
		defer func() { _ = connection.Close() }() // and never reads what it asked for
		require.NoError(t, connection.(*net.TCPConn).SetReadBuffer(4096))
		_, err = connection.Write([]byte("GET /page/as/ben/stream?channel=C0SHOOTS HTTP/1.1\r\nHost: localhost\r\n\r\n"))
		require.NoError(t, err)
	}
	maria := w.open("maria", "channel=C0SHOOTS")
	long := strings.Repeat("x", 39_000)
	for said := 1; said <= 20; said++ { // each is another snapshot, more than a connection takes unread
		w.do("maria", "say", object{"channel": "C0SHOOTS", "text": long})
		maria.sees("every message", func(s object) bool { return len(list(s["messages"])) == said })
	}
}

func TestStreamsEndWithThePage(t *testing.T) {
	w := start(t, page.Options{})
	tabs := []*tab{w.open("maria", ""), w.open("maria", "channel=C0WEDDINGS"), w.open("tom", "home=1")}
	closed := make(chan struct{})
	go func() { w.page.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		w.Close() // else the page's own end would wait as well
		require.Fail(t, "the page does not close")
	}
	for _, one := range tabs {
		require.Eventually(t, func() bool {
			select {
			case _, open := <-one.states:
				return !open
			default:
				return false
			}
		}, 20*time.Second, time.Millisecond)
	}
}

func TestThereIsALimitToTabs(t *testing.T) {
	w := start(t, page.Options{})
	for range page.MaxStreams {
		w.open("maria", "")
	}
	status, _, body := w.get("/page/as/maria/stream")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, string(body), "Close one")
}
