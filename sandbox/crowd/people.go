package crowd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	slacks "darkroom/sandbox/workspace"
)

// The one person of each workspace writes to the editors of its orders. What they write is entered into the ledger: the
// account of that workspace, and no other, must have it once, in the order in which it was written. Who writes the same
// words in all workspaces, to orders of equal ids, sees whether they are kept apart.

// Way is how something is said to an editor.
type Way int

// The ways.
const (
	ByCommand Way = iota // /order message
	ByMention            // a reply in the order's thread that names the app; Slack tells of it twice, as a message and as a mention
)

// sentMessage is something that was said to the editor of an order.
type sentMessage struct {
	text    string
	way     Way
	ts      string    // of the message, when it is one
	began   time.Time // when it was first sent to the app
	acked   time.Time // when the app had taken it; zero: it did not say so, so that it may have arrived or not
	arrived time.Time // when the service had it first; zero: never
	repeats int       // how often it was sent there again
	shown   time.Time // when the order's thread said first that it was sent; zero: it does not
}

// conversation is what was said about an order, in that order, and how it arrived.
type conversation struct {
	said     []*sentMessage
	arrivals []*sentMessage
	shown    []*sentMessage // in its thread, as sent
}

// conversationOf is that of an order; the caller holds the lock of its workspace.
func (w *workspace) conversationOf(order int) *conversation {
	if w.conversations == nil {
		w.conversations = map[int]*conversation{}
	}
	if w.conversations[order] == nil {
		w.conversations[order] = &conversation{}
	}
	return w.conversations[order]
}

func (t *conversation) find(text string) *sentMessage {
	for _, s := range t.said {
		if s.text == text {
			return s
		}
	}
	return nil
}

// redelivery are the times after which Slack tells of an event again that was not acknowledged. Slack waits for
// nothing, a minute, and five; nobody waits for that here.
var redelivery = []time.Duration{0, 2 * time.Second, 5 * time.Second, 10 * time.Second}

// patience is how long Slack waits for an acknowledgement.
const patience = 3 * time.Second

// Say has the person of a workspace say something to the editor of an order, through an app at that address, and tells
// whether it took it. A command is sent once, as Slack does; a message is told of again until it was acknowledged. Nobody may
// say two things about one order at the same time, or the same twice; words are letters, digits and spaces.
func (c *Crowd) Say(ctx context.Context, app string, workspace, order int, way Way, text string) (taken bool) {
	w := c.workspaces[workspace]
	s := &sentMessage{text: text, way: way, began: time.Now()}
	w.mu.Lock()
	w.serial++
	s.ts = fmt.Sprintf("%d.%06d", s.began.Unix(), w.serial%1_000_000)
	t := w.conversationOf(order)
	t.said = append(t.said, s)
	w.mu.Unlock()
	c.undelivered.Add(1)
	if way == ByCommand {
		taken = c.line(ctx, app, w, order, w.trigger(), "message "+orderID(order)+" "+text)
	} else {
		taken = c.mention(ctx, app, w, order, s)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case taken:
		s.acked = time.Now()
	case s.arrived.IsZero(): // it may not arrive
		c.undelivered.Add(-1)
		s.began = time.Time{}
	}
	return taken
}

// line is a slash command in the channel of an order.
func (c *Crowd) line(ctx context.Context, app string, w *workspace, order int, trigger, text string) bool {
	form := url.Values{
		"token": {"legacy"}, "command": {"/order"}, "text": {text}, "api_app_id": {appID},
		"team_id": {w.id}, "team_domain": {strings.ToLower(w.id)}, "channel_id": {w.channel(order)}, "channel_name": {"crowd"},
		"user_id": {person}, "user_name": {"maria"}, "is_enterprise_install": {"false"},
		"trigger_id": {trigger}, "response_url": {fmt.Sprintf("%s/respond/%s/%s", c.slack, w.id, trigger)},
	}
	return c.tell(ctx, app+"/slack/commands", "application/x-www-form-urlencoded", []byte(form.Encode()), 0)
}

// mention is a message that names the app: two events, in either order.
func (c *Crowd) mention(ctx context.Context, app string, w *workspace, order int, s *sentMessage) bool {
	inner := object{
		"user": person, "text": "<@" + botUser + "> " + s.text, "ts": s.ts, "event_ts": s.ts, "channel": w.channel(order),
		"thread_ts": cardTS(order), "parent_user_id": botUser, "team": w.id,
	}
	taken := true
	for _, kind := range []string{"message", "app_mention"} {
		event := object{"type": kind}
		maps.Copy(event, inner)
		if kind == "message" {
			event["channel_type"] = "channel"
		}
		body, err := json.Marshal(object{
			"type": "event_callback", "token": "legacy", "api_app_id": appID, "team_id": w.id, "context_team_id": w.id, "context_enterprise_id": nil,
			"event_id": fmt.Sprintf("Ev%s%s%s", w.id, kind, s.ts), "event_time": time.Now().Unix(), "event": event, "is_ext_shared_channel": false,
			"authorizations": []object{{"enterprise_id": nil, "team_id": w.id, "user_id": botUser, "is_bot": true, "is_enterprise_install": false}},
		})
		if err != nil {
			return false
		}
		told := false
		for again, wait := range redelivery {
			if !pause(ctx, wait) {
				break
			}
			if told = c.tell(ctx, app+"/slack/events", "application/json", body, again); told {
				break
			}
		}
		taken = told // the last one is the mention, which is what counts
	}
	return taken
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// tell sends the app a signed request, and tells whether it took it: a command that is answered in words was not taken.
func (c *Crowd) tell(ctx context.Context, address, kind string, body []byte, again int) bool {
	says, taken := c.ask(ctx, address, kind, body, again)
	if taken && strings.HasSuffix(address, "/commands") && len(bytes.TrimSpace(says)) > 0 {
		c.refusals.add("“" + saidInstead(says) + "”")
		return false
	}
	return taken
}

// ask sends the app a signed request, and returns its answer, if it acknowledged it.
func (c *Crowd) ask(ctx context.Context, address, kind string, body []byte, again int) (says []byte, taken bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		c.violations.add(err)
		return nil, false
	}
	at := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("X-Slack-Request-Timestamp", at)
	r.Header.Set("X-Slack-Signature", slacks.Sign(SigningSecret, at, body))
	if again > 0 {
		r.Header.Set("X-Slack-Retry-Num", strconv.Itoa(again))
		r.Header.Set("X-Slack-Retry-Reason", "http_error")
	}
	answer, err := c.people.Do(r)
	if err != nil {
		c.refusals.add("no answer")
		return nil, false
	}
	says, err = io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode/100 != 2 {
		c.refusals.add(strconv.Itoa(answer.StatusCode))
		return nil, false
	}
	return says, true
}

// reference is what makes an answer one of its own.
var reference = regexp.MustCompile(` ?Reference: \w+\.?`)

// saidInstead is what a person reads in place of an acknowledgement.
func saidInstead(answer []byte) string {
	var message struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(answer, &message) != nil {
		message.Text = string(answer)
	}
	return reference.ReplaceAllString(fmt.Sprintf("%.200s", message.Text), "")
}

// Refusals are how often the app did not take what people sent it, by what it answered.
func (c *Crowd) Refusals() map[string]int64 { return c.refusals.all() }

// serveMessage is a message to the editor of an order. As with the service, the same words are taken once.
func (c *Crowd) serveMessage(out http.ResponseWriter, w *workspace, id string, q url.Values) {
	n, err := numberOf(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || n >= len(w.orders) {
		_, _ = out.Write([]byte(`{"errors":["Invalid order id."]}`))
		return
	}
	text := q.Get("content_text")
	t := w.conversationOf(n)
	s := t.find(text)
	switch {
	case s == nil:
		c.violations.add(fmt.Errorf("the editor of %s at the account of %s got words that nobody there said: %q", id, w.id, text))
	case !s.arrived.IsZero():
		s.repeats++
		_, _ = out.Write([]byte(`{"errors":["Please do not post duplicated message"]}`))
		return
	default:
		s.arrived = time.Now()
		t.arrivals = append(t.arrivals, s)
		c.unshown.Add(1)
		if !s.began.IsZero() {
			c.undelivered.Add(-1)
		}
	}
	var lines []object
	for _, s := range slices.Backward(t.arrivals) {
		lines = append(lines, object{"from": "client", "content": s.text, "revision": 0, "created_at": s.arrived.UTC().Format(time.RFC3339)})
	}
	conversation, err := json.Marshal(lines)
	if err != nil {
		c.violations.add(err)
	}
	answer := append(c.summary([]byte(`{"errors":[],"data":[`), w, n), `,"conversations":`...)
	_, _ = out.Write(append(append(answer, conversation...), "}]}"...))
}

// toldMessage enters a message of the app's that tells of a message to an editor; false: it tells of none. The caller holds the
// lock of the workspace.
func (c *Crowd) toldMessage(w *workspace, order int, m *Message) bool {
	if !strings.HasPrefix(m.Event, "message:") {
		return false
	}
	t := w.conversationOf(order)
	s := t.named(m.Event)
	switch {
	case s == nil:
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s, and nobody there said that", w.id, m.Event, m.Order, m.TS))
		return true
	case slices.Contains(t.shown, s):
		c.violations.add(fmt.Errorf("%s: %s of %s was told twice, the second time as %s", w.id, m.Event, m.Order, m.TS))
		return true
	case s.arrived.IsZero():
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s before it had arrived", w.id, m.Event, m.Order, m.TS))
		return true
	}
	if s.shown = time.Now(); t.arrivals[len(t.shown)] != s {
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s, out of order", w.id, m.Event, m.Order, m.TS))
	}
	t.shown = append(t.shown, s)
	c.unshown.Add(-1)
	return true
}

// named is what an event tells of, whose id is made of its words.
func (t *conversation) named(event string) *sentMessage {
	for _, s := range t.said {
		sum := sha256.Sum256([]byte(s.text))
		if event == "message:"+hex.EncodeToString(sum[:8]) {
			return s
		}
	}
	return nil
}

// Renewals are how often a token was renewed.
func (c *Crowd) Renewals() int { return int(c.renewals.Load()) }

// Undelivered is how much was said, and taken by the app or just being sent to it, that no service has yet.
func (c *Crowd) Undelivered() int { return int(c.undelivered.Load()) }

// Unshown is how much arrived that the order's thread does not show as sent.
func (c *Crowd) Unshown() int { return int(c.unshown.Load()) }

// Conversations is how everything that was said fared.
type Conversations struct {
	Said, Taken, Arrived, Repeated, Untaken int // Untaken arrived although the app did not say that it took it
	Shown                                   int // in threads, as sent
	Overtaken                               int // commands that arrived after what was said later
	Waits                                   []Waited
}

// Waited is how long something that was said took from the app's acknowledgement to the service.
type Waited struct {
	Workspace, Order int
	Said, Arrived    time.Time
}

// Conversations adds up what was said so far.
func (c *Crowd) Conversations() (all Conversations) {
	for _, w := range c.workspaces {
		w.mu.Lock()
		for n, t := range w.conversations {
			all.Shown += len(t.shown)
			all.Overtaken += len(t.overtaken())
			for _, s := range t.said {
				all.Said++
				all.Repeated += s.repeats
				switch {
				case !s.acked.IsZero():
					all.Taken++
				case !s.arrived.IsZero():
					all.Untaken++
				}
				if s.arrived.IsZero() {
					continue
				}
				all.Arrived++
				if !s.acked.IsZero() {
					all.Waits = append(all.Waits, Waited{w.number, n, s.acked, s.arrived})
				}
			}
		}
		w.mu.Unlock()
	}
	return all
}

// messageProblems are what was said and taken and did not arrive, or is not shown, and which messages were overtaken by what was said
// later, the first ones of them. A command may be overtaken: each click has a lane of its own, so that nobody waits for what they
// clicked before, and one whose replica dies waits until another has its lane (see Conversations.Overtaken).
func (c *Crowd) messageProblems() (errs []error) {
	for _, w := range c.workspaces {
		w.mu.Lock()
		for n, t := range w.conversations {
			errs = append(errs, t.messageProblems(w.id, orderID(n))...)
		}
		w.mu.Unlock()
	}
	return errs[:min(len(errs), mostNoted)]
}

var errSaidTwice = errors.New("the same was said twice")

func (t *conversation) messageProblems(workspace, order string) (errs []error) {
	for n, s := range t.overtaken() {
		if s.way == ByMention {
			errs = append(errs, fmt.Errorf("%s: %q reached the editor of %s before %q, which was said before", workspace, t.arrivals[n-1].text, order, s.text))
		}
	}
	for _, s := range t.said {
		if t.find(s.text) != s {
			errs = append(errs, fmt.Errorf("%s: %s: %w: %q", workspace, order, errSaidTwice, s.text))
		}
		if !s.acked.IsZero() && s.arrived.IsZero() {
			errs = append(errs, fmt.Errorf("%s: %q was taken for the editor of %s at %s, and did not arrive", workspace, s.text, order, s.acked.Format(clock)))
		}
	}
	for _, s := range t.arrivals {
		if s.shown.IsZero() {
			errs = append(errs, fmt.Errorf("%s: %q arrived at the editor of %s, and the thread does not say so", workspace, s.text, order))
		}
	}
	return errs
}

// overtaken are those that had been taken before the one was begun that arrived before them, by their place among what arrived.
func (t *conversation) overtaken() map[int]*sentMessage {
	all, at := map[int]*sentMessage{}, map[*sentMessage]int{}
	for i, s := range t.said {
		at[s] = i
	}
	for i := 1; i < len(t.arrivals); i++ {
		if s := t.arrivals[i]; !s.acked.IsZero() && at[s] < at[t.arrivals[i-1]] {
			all[i] = s
		}
	}
	return all
}
