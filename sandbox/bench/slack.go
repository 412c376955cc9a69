package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Whom and where the load speaks of: as in the sandbox's workspace, whose requests it repeats.
const (
	team    = "T0SANDBOX"
	person1 = "U0MARIA"
	channel = "C0SHOOTS"
	botUser = "U0DARKROOM"
)

// pretendSlack answers each method of the Web API at once and checks nothing: what is measured
// is the app. It notes when a modal was opened.
type pretendSlack struct {
	server   *http.Server
	base     string
	serial   atomic.Int64
	requests atomic.Int64

	mu     sync.Mutex
	opened map[string]chan time.Time // by trigger_id
}

func startSlack(ctx context.Context) (*pretendSlack, error) {
	s := &pretendSlack{opened: map[string]chan time.Time{}}
	var err error
	s.server, s.base, err = serve(ctx, s)
	return s, err
}

// serve serves a handler on a free port.
func serve(ctx context.Context, h http.Handler) (*http.Server, string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // until it is closed
	return server, "http://" + listener.Addr().String(), nil
}

func (s *pretendSlack) apiURL() string { return s.base + "/api/" }

func (s *pretendSlack) close() { _ = s.server.Close() }

// slackAnswers are those that say more than ok.
var slackAnswers = map[string]string{
	"auth.test":             `"team_id":"` + team + `","user_id":"` + botUser + `","bot_id":"B0DARKROOM","url":"https://sandbox.slack.com/","team":"Sandbox","user":"darkroom"`,
	"users.info":            `"user":{"id":"` + person1 + `","team_id":"` + team + `","name":"maria","real_name":"Maria","profile":{"real_name":"Maria"}}`, // whoever it is
	"conversations.info":    `"channel":{"id":"` + channel + `","name":"shoots","is_channel":true,"is_member":true}`,
	"conversations.members": `"members":["` + person1 + `","` + botUser + `","` + strings.Join(everybody(), `","`) + `"],"response_metadata":{"next_cursor":""}`,
	"users.conversations":   `"channels":[{"id":"` + channel + `"}],"response_metadata":{"next_cursor":""}`,
	"conversations.open":    `"channel":{"id":"D0MARIA"}`,
	"views.open":            `"view":{"id":"V0BENCH","hash":"h0"}`,
	"views.update":          `"view":{"id":"V0BENCH","hash":"h1"}`,
	"views.publish":         `"view":{"id":"V0HOME","hash":"h2"}`,
	"conversations.replies": `"messages":[],"has_more":false`,
	"conversations.history": `"messages":[],"has_more":false`,
}

// everybody are the people who fill in forms.
func everybody() []string {
	var ids []string
	for n := range int64(people) {
		ids = append(ids, personID(n))
	}
	return ids
}

// ServeHTTP answers one call.
func (s *pretendSlack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	s.requests.Add(1)
	body, _ := io.ReadAll(r.Body) // a call that breaks off is answered all the same
	method := strings.TrimPrefix(r.URL.Path, "/api/")
	says := slackAnswers[method]
	switch {
	case method == "views.open":
		s.noteOpened(body, at)
	case says == "":
		says = fmt.Sprintf(`"channel":%q,"ts":"1700000000.%06d"`, channel, s.serial.Add(1))
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, `{"ok":true,`+says+`}`) // whoever asked has gone
}

// expect returns where the time is told at which a modal is opened on the trigger.
func (s *pretendSlack) expect(trigger string) <-chan time.Time {
	at := make(chan time.Time, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened[trigger] = at
	return at
}

func (s *pretendSlack) noteOpened(body []byte, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for trigger, to := range s.opened {
		if bytes.Contains(body, []byte(trigger)) {
			to <- at
			delete(s.opened, trigger)
		}
	}
}
