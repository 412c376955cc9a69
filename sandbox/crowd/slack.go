package crowd

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object.
type object = map[string]any

// serveSlack answers one call of the Web API.
func (c *Crowd) serveSlack(out http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/api/")
	if strings.HasPrefix(method, "/respond/") { // what is said to a person alone
		return
	}
	if err := r.ParseForm(); err != nil { // the app gave up
		http.Error(out, "no form", http.StatusBadRequest)
		return
	}
	if !c.waits(r, Fault{}, c.o.SlackLatency) {
		return
	}
	out.Header().Set("Content-Type", "application/json; charset=utf-8")
	answer, err := c.answer(method, r)
	if err != nil {
		answer = object{"ok": false, "error": err.Error()}
	} else {
		answer["ok"] = true
	}
	_ = json.NewEncoder(out).Encode(answer) // whoever asked may have gone
}

// The refusals of Slack's, as it words them.
var (
	errAuth    = errors.New("invalid_auth")
	errExpired = errors.New("token_expired")
	errMethod  = errors.New("unknown_method")
	errNoSuch  = errors.New("message_not_found")
	errRefresh = errors.New("invalid_refresh_token")
)

func (c *Crowd) answer(method string, r *http.Request) (object, error) {
	if method == "oauth.v2.access" {
		return c.renew(r)
	}
	w, generation := c.numbered(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "xoxe.xoxb-1-")
	if w == nil {
		c.violations.add(fmt.Errorf("%s was called with no token of ours", method))
		return nil, errAuth
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if n, err := strconv.Atoi(strings.TrimPrefix(generation, "-")); err != nil || !w.lives(n, now) {
		c.violations.add(fmt.Errorf("%s called %s with a token that has ended", w.id, method))
		return nil, errExpired
	}
	return c.call(w, method, r.Form, now)
}

// lives tells whether a token is good: the newest, and the one before it, as with Slack, until they end.
func (w *workspace) lives(token int, now time.Time) bool {
	switch token {
	case w.token:
		return w.expires.IsZero() || now.Before(w.expires)
	case w.token - 1:
		return now.Before(w.former)
	}
	return false
}

// renew is oauth.v2.access for a refresh token. The newest one is good, and the one before it, for who lost the answer.
func (c *Crowd) renew(r *http.Request) (object, error) {
	w, generation := c.numbered(r.Form.Get("refresh_token"), "xoxe-1-")
	if w == nil {
		return nil, errRefresh
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := strconv.Atoi(strings.TrimPrefix(generation, "-"))
	if err != nil || n > w.token || n < w.token-1 {
		return nil, errRefresh
	}
	if n == w.token { // else the answer was lost, and this is the same again
		w.token++
		w.former = w.expires
		c.renewals.Add(1)
		w.expires = time.Now().Add(c.o.TokenLife)
	}
	return object{
		"access_token": w.botToken(w.token), "refresh_token": w.refreshToken(w.token), "expires_in": int(time.Until(w.expires) / time.Second),
		"token_type": "bot", "app_id": appID, "bot_user_id": botUser, "scope": "chat:write", "team": object{"id": w.id, "name": w.id},
	}, nil
}

// call answers a call of a workspace; the caller holds its lock.
func (c *Crowd) call(w *workspace, method string, with url.Values, now time.Time) (object, error) {
	switch method {
	case "auth.test":
		return object{"team_id": w.id, "user_id": botUser, "bot_id": botID, "url": "https://crowd.slack.com/", "team": w.id, "user": "darkroom"}, nil
	case "chat.postMessage":
		return c.post(w, with, now), nil
	case "chat.update":
		return c.update(w, with)
	case "chat.delete":
		return object{}, w.remove(with.Get("ts"))
	case "views.open", "views.update":
		return c.window(w, method, with)
	case "conversations.replies", "conversations.history":
		return w.read(method, with)
	case "users.info":
		return object{"user": object{"id": with.Get("user"), "team_id": w.id, "name": "maria", "real_name": "Maria", "profile": object{"real_name": "Maria"}}}, nil
	case "conversations.info":
		return object{"channel": object{"id": with.Get("channel"), "name": "crowd", "is_channel": true, "is_member": true}}, nil
	case "conversations.members":
		return object{"members": []string{person, botUser}, "response_metadata": object{"next_cursor": ""}}, nil
	case "conversations.open":
		return object{"channel": object{"id": "D0" + with.Get("users")}}, nil
	case "users.conversations":
		return object{"channels": []object{{"id": channelID(0)}}, "response_metadata": object{"next_cursor": ""}}, nil
	case "api.test", "chat.postEphemeral", "conversations.join", "reactions.add", "usergroups.list", "usergroups.users.list", "views.publish", "views.push":
		return object{}, nil
	}
	c.violations.add(fmt.Errorf("%s called %s, which is not known here", w.id, method))
	return nil, errMethod
}

// post keeps a message.
func (c *Crowd) post(w *workspace, with url.Values, now time.Time) object {
	c.overheard(w, with)
	w.serial++
	m := &Message{
		Workspace: w.number, Channel: with.Get("channel"), Thread: with.Get("thread_ts"), Broadcast: with.Get("reply_broadcast") == "true",
		Text: with.Get("text"), TS: fmt.Sprintf("%d.%06d", now.Unix(), w.serial%1_000_000), At: now, metadata: with.Get("metadata"),
	}
	w.messages = append(w.messages, m)
	c.told(w, m)
	return object{"channel": m.Channel, "ts": m.TS}
}

// update is an edit: of a card, or of a message that was posted here.
func (c *Crowd) update(w *workspace, with url.Values) (object, error) {
	c.overheard(w, with)
	ts := with.Get("ts")
	if m := w.message(ts); m != nil {
		m.Edits++
		m.Text = with.Get("text")
		return object{"channel": m.Channel, "ts": ts}, nil
	}
	n, known := w.cardOf(ts)
	if !known {
		return nil, errNoSuch
	}
	if with.Get("channel") != w.channel(n) {
		c.violations.add(fmt.Errorf("%s: the card of %s was edited in %s", w.id, orderID(n), with.Get("channel")))
	}
	return object{"channel": with.Get("channel"), "ts": ts}, nil
}

func (w *workspace) message(ts string) *Message {
	for _, m := range slices.Backward(w.messages) {
		if m.TS == ts && !m.Removed {
			return m
		}
	}
	return nil
}

func (w *workspace) remove(ts string) error {
	m := w.message(ts)
	if m == nil {
		return errNoSuch
	}
	m.Removed = true
	return nil
}

// The messages that were there before: of each order a card, and the first reply in its thread.
func cardTS(n int) string { return fmt.Sprintf("1600%06d.000100", n) }

func firstReplyTS(n int) string { return fmt.Sprintf("1600%06d.000200", n) }

// cardOf is the order whose card has that timestamp.
func (w *workspace) cardOf(ts string) (n int, known bool) {
	_, err := fmt.Sscanf(ts, "1600%06d.000100", &n)
	return n, err == nil && cardTS(n) == ts && n < len(w.orders)
}

// read is a page of a thread or of a channel.
func (w *workspace) read(method string, with url.Values) (object, error) {
	most, _ := strconv.Atoi(with.Get("limit"))
	var all []object
	if method == "conversations.replies" {
		n, known := w.cardOf(with.Get("ts"))
		if !known {
			return nil, errors.New("thread_not_found")
		}
		all = w.thread(n)
	} else {
		all = w.channelMessages(with.Get("channel"))
	}
	all = slices.DeleteFunc(all, func(m object) bool {
		ts, _ := m["ts"].(string)
		root := method == "conversations.replies" && m["thread_ts"] == ts
		return ts < with.Get("oldest") && !root
	})
	return paged(all, with.Get("cursor"), most), nil
}

// paged is the page of messages at a cursor.
func paged(all []object, cursor string, most int) object {
	from, _ := strconv.Atoi(cursor) // the first
	from = min(from, len(all))
	to := len(all)
	if most > 0 {
		to = min(from+most, to)
	}
	next := ""
	if to < len(all) {
		next = strconv.Itoa(to)
	}
	return object{"messages": all[from:to], "has_more": next != "", "response_metadata": object{"next_cursor": next}}
}

// thread is that of an order, the card first.
func (w *workspace) thread(n int) []object {
	all := []object{w.seeded(n, cardTS(n), "card"), w.seeded(n, firstReplyTS(n), "placed")}
	for _, m := range w.messages {
		if m.Thread == cardTS(n) && !m.Removed {
			all = append(all, m.object())
		}
	}
	return all
}

// channelMessages are those of a channel, newest first, without replies that were not broadcast.
func (w *workspace) channelMessages(channel string) (all []object) {
	for _, m := range slices.Backward(w.messages) {
		if m.Channel == channel && !m.Removed && (m.Thread == "" || m.Broadcast) {
			all = append(all, m.object())
		}
	}
	for n := range slices.Backward(w.orders) {
		if w.channel(n) == channel {
			all = append(all, w.seeded(n, cardTS(n), "card"))
		}
	}
	return all
}

// seeded is a message that was there before.
func (w *workspace) seeded(n int, ts, event string) object {
	return object{
		"type": "message", "ts": ts, "thread_ts": cardTS(n), "user": botUser, "bot_id": botID, "text": w.name(n),
		"metadata": object{"event_type": metadataType, "event_payload": object{"order_id": orderID(n), "event": event, "generation": 1}},
	}
}
