package wire_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/wire"
)

const (
	form = "application/x-www-form-urlencoded"
	js   = "application/json"
)

func header(kind string) http.Header { return http.Header{"Content-Type": {kind}} }

func message(kind, body string) wire.Message {
	return wire.Message{Header: header(kind), Body: []byte(body), Size: int64(len(body))}
}

func TestAnEntrySaysWhatHappened(t *testing.T) {
	payload := func(p string) string { return url.Values{"payload": {p}}.Encode() }
	tests := map[string]struct {
		exchange wire.Exchange
		says     string
		failed   bool
	}{
		"command": {
			wire.Exchange{From: wire.Slack, To: wire.Darkroom, Method: "POST", URL: "http://a/slack/commands", Status: 200, Took: 4 * time.Millisecond, Request: message(form, "command=%2Forder&text=new")},
			"Slack → Darkroom · /order new · 200 in 4 ms", false,
		},
		"submit": {
			wire.Exchange{From: wire.Slack, To: wire.Darkroom, Method: "POST", URL: "http://a/slack/interactions", Status: 200, Request: message(form, payload(`{"type":"view_submission","view":{"title":{"text":"Approve order"}}}`))},
			"Slack → Darkroom · submit “Approve order” · 200 in 1 ms", false,
		},
		"button": {
			wire.Exchange{From: wire.Slack, To: wire.Darkroom, Method: "POST", URL: "http://a/slack/interactions", Status: 200, Request: message(form, payload(`{"type":"block_actions","actions":[{"text":{"text":"Approve"}}]}`))},
			"Slack → Darkroom · action “Approve” · 200 in 1 ms", false,
		},
		"envelope": {
			wire.Exchange{From: wire.Slack, To: wire.Darkroom, Method: "SOCKET", URL: "/command", Status: 200, Request: wire.Message{Body: []byte(`{"type":"slash_commands","payload":{"command":"/order","text":"list"}}`)}},
			"Slack → Darkroom · /order list (socket) · 200 in 1 ms", false,
		},
		"event without an answer": {
			wire.Exchange{From: wire.Slack, To: wire.Darkroom, Method: "POST", URL: "http://a/slack/events", Took: 3 * time.Second, Err: errors.New("no answer in time"), Request: message(js, `{"event":{"type":"app_mention","text":"hello"}}`)},
			"Slack → Darkroom · event app_mention “hello” · no answer in time after 3.0 s", true,
		},
		"Slack's refusal": {
			wire.Exchange{From: wire.Darkroom, To: wire.Slack, Method: "POST", URL: "/api/chat.postMessage", Status: 200, Request: message(js, `{"text":"Placed"}`), Response: message(js, `{"ok":false,"error":"is_archived"}`)},
			"Darkroom → Slack · chat.postMessage “Placed” · 200 is_archived in 1 ms", true,
		},
		"the service's refusal": {
			wire.Exchange{From: wire.Darkroom, To: wire.Service, Method: "POST", URL: "/v2/orders/x/approve?api_key=k", Status: 200, Response: message(js, `{"errors":["invalid order status"]}`)},
			"Darkroom → Service · POST /orders/x/approve · 200 “invalid order status” in 1 ms", true,
		},
		"a file": {
			wire.Exchange{From: wire.Service, Method: "GET", URL: "http://darkroom:1/files/secret-token/beach%20one.jpg", Status: 200, Response: wire.Message{Header: header("image/jpeg"), Size: 34_000}},
			"Service → Darkroom · fetches beach one.jpg · 200 in 1 ms", false,
		},
		"a file elsewhere": {
			wire.Exchange{From: wire.Service, Method: "GET", URL: "http://elsewhere/b.jpg", Status: 404},
			"Service → Web · fetches b.jpg · 404 in 1 ms", true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log wire.Log
			log.Place("http://darkroom:1", wire.Darkroom)
			log.Note(test.exchange)
			entry := log.Entries(0)[0]
			assert.Equal(t, test.says, entry.Says)
			assert.Equal(t, test.failed, entry.Failed)
		})
	}
}

func TestNoSecretIsInAnEntry(t *testing.T) {
	const secret = "s3cr3t-value"
	exchanges := map[string]wire.Exchange{
		"header":        {Request: wire.Message{Header: http.Header{"Authorization": {"Bearer " + secret}, "X-Slack-Signature": {secret}, "Cookie": {secret}}}},
		"query":         {URL: "/v2/orders?api_key=" + secret + "&signature=" + secret},
		"form":          {Request: message(form, "token="+secret+"&trigger_id="+secret)},
		"json":          {Request: message(js, `{"a":[{"trigger_id":"`+secret+`","response_url":"http://s/response/`+secret+`"}]}`)},
		"json in form":  {Request: message(form, url.Values{"payload": {`{"token":"` + secret + `"}`}}.Encode())},
		"json in json":  {Request: message(js, `{"payload":"{\"api_key\":\"`+secret+`\"}"}`)},
		"broken json":   {Request: message(js, `{"url":"http://a/?api_key=`+secret)},
		"file":          {URL: "http://a/files/" + secret + "/beach.jpg"},
		"file in words": {Response: message(js, `{"errors":["not accessible: http://a/files/`+secret+`/beach.jpg"]}`)},
		"thumbnail":     {Response: message(js, `{"thumb":"http://a/v2/files/thumbs/`+secret+`/beach.jpg"}`)},
		"upload":        {Response: message(js, `{"upload_url":"http://a/upload/`+secret+`"}`)},
		"socket":        {Response: message(js, `{"url":"ws://a/link/?ticket=`+secret+`"}`)},
		"named":         {Response: message("text/html", "<p>literally-hidden literally%2Fhidden</p>")},
		"bot token":     {Response: message("text/plain", "xoxb-"+secret)},
	}
	for name, e := range exchanges {
		t.Run(name, func(t *testing.T) {
			var log wire.Log
			log.Hide("literally-hidden", "literally/hidden")
			log.Note(e)
			shown, err := json.Marshal(log.Entries(0))
			require.NoError(t, err)
			assert.NotContains(t, string(shown), secret)
			assert.NotContains(t, string(shown), "literally")
			assert.Contains(t, string(shown), "***")
		})
	}
}

func TestALongBodyIsCutAndSaysSo(t *testing.T) {
	var log wire.Log
	log.Note(wire.Exchange{Request: message(js, `{"text":"`+strings.Repeat("é", 20_000)+`"}`)})
	log.Note(wire.Exchange{Response: wire.Message{Header: header("image/png"), Size: 1_234_567}})
	entries := log.Entries(0)
	assert.LessOrEqual(t, len(entries[0].Request.Body), 16<<10)
	assert.True(t, strings.HasSuffix(entries[0].Request.Body, "é"), "no half letter")
	assert.Contains(t, entries[0].Request.Remark, "The first 16 kB of 40 kB")
	assert.Equal(t, "image/png, 1235 kB, not kept.", entries[1].Response.Remark)
}

func TestTheLogIsBoundedAndForgetsWhatToldNothingNewFirst(t *testing.T) {
	var log wire.Log
	log.Note(wire.Exchange{Method: "POST", URL: "/first"})
	for range 1000 {
		log.Note(wire.Exchange{From: wire.Darkroom, To: wire.Service, Method: "GET", URL: "/v2/orders", Status: 200, Response: message(js, `{"errors":[]}`)})
	}
	entries := log.Entries(0)
	assert.Equal(t, "/first", entries[0].Path)
	assert.False(t, entries[1].Quiet, "the first told something")
	assert.LessOrEqual(t, len(entries), 70)
	for range 600 {
		log.Note(wire.Exchange{Method: "POST", URL: "/more", Request: message(js, strings.Repeat(" ", 100_000))})
	}
	entries = log.Entries(0)
	assert.LessOrEqual(t, len(entries), 500)
	last := entries[len(entries)-1].ID
	assert.Empty(t, log.Entries(last))
	changed := log.Changed()
	log.Say("Something")
	<-changed
	assert.Equal(t, "Something", log.Entries(last)[0].Says)
}

func TestTheTapChangesNothingThatPasses(t *testing.T) {
	heard := make(chan wire.Exchange, 4)
	tap := wire.Tap(func(e wire.Exchange) { heard <- e })
	big := strings.Repeat("x", wire.MaxBody+1)
	server := httptest.NewServer(tap.Handler(wire.Darkroom, wire.Service, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			panic(http.ErrAbortHandler)
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(body)
	})))
	defer server.Close()
	client := &http.Client{Transport: tap.Transport(wire.Darkroom, "", http.DefaultTransport)}
	post := func(path, body string) (string, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "text/plain")
		answer, err := client.Do(request)
		if err != nil {
			return "", err
		}
		defer func() { _ = answer.Body.Close() }()
		got, err := io.ReadAll(answer.Body)
		return string(got), err
	}
	for _, body := range []string{"hello", big} {
		got, err := post("/", body)
		require.NoError(t, err)
		require.Equal(t, body, got)
		for range 2 { // both ends
			e := <-heard
			assert.Equal(t, http.StatusTeapot, e.Status)
			assert.Equal(t, int64(len(body)), e.Request.Size)
			assert.Equal(t, int64(len(body)), e.Response.Size)
			assert.Equal(t, len(body) <= wire.MaxBody, string(e.Response.Body) == body)
		}
	}
	_, err := post("/broken", "x")
	require.Error(t, err)
	for range 2 {
		e := <-heard
		assert.Zero(t, e.Status)
		assert.ErrorIs(t, e.Err, wire.ErrReset)
	}
	var none wire.Tap
	assert.Equal(t, http.DefaultTransport, none.Transport("", "", http.DefaultTransport))
}
