package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	slacks "darkroom/sandbox/workspace"
)

// What the person of a workspace sends to the app, as Slack does: signed, and again when it was not acknowledged.

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
