package client

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// For apps outside its Marketplace that many workspaces install, Slack allows conversations.history and
// conversations.replies once a minute each, with 15 messages a page. Source:
// https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps

// Reads schedules the calls that read messages over all replicas, if Slack limits them. A limit is
// detected when it is met, and remembered for a day.
type Reads interface {
	// Slot reserves who's slot to call the method if it has come, and returns wait 0. Otherwise it returns
	// when to ask again. An empty who never queues. Late callers have low priority.
	Slot(ctx context.Context, method, who string, late bool) (wait time.Duration, limited bool, err error)
	// Limit records that Slack limits a method and accepts no call for the given time. news reports
	// whether that was unknown.
	Limit(ctx context.Context, method string, wait time.Duration) (news bool, err error)
	// Save saves the progress of a reading, Load loads it if it exists, and Drop deletes it.
	Save(ctx context.Context, who string, progress any) error
	Load(ctx context.Context, who string, progress any) error
	Drop(ctx context.Context, who string) error
}

const (
	fewMessages = 15               // messages on a limited app's page
	seldom      = time.Minute      // between a limited app's calls
	longLimit   = 30 * time.Second // longer than the usual limit's waits, fifty calls a minute

	// A message's timestamp is close to the start of its call, if the clocks are right. Messages further
	// away are read too, but later.
	nearBefore = 5 * time.Second
	nearAfter  = 30 * time.Second
)

// takeSlot reserves a slot to read messages. It returns [ErrNoReadSlot] if the slot has not come.
func (c *Conversations) takeSlot(ctx context.Context, method, who string, late bool) (limited bool, err error) {
	if c.reads == nil {
		return false, nil
	}
	wait, limited, err := c.reads.Slot(ctx, method, who, late)
	if err != nil { // then Slack itself enforces the limit
		c.api.transport.log.DebugContext(ctx, "turns to read are not known", "err", err)
		return false, nil
	}
	if wait > 0 {
		c.api.transport.counted(method, time.Time{}, nil)
		return limited, noSlot(method, wait)
	}
	return limited, nil
}

func noSlot(method string, wait time.Duration) error {
	return &Error{Method: method, Code: CodeLimited, RetryAfter: wait, Class: []error{ErrTryLater, ErrNoReadSlot}}
}

// looksLimited reports whether a page has a limited app's size although 200 messages were requested. A
// thread's first message may be added to each page.
func (c *Conversations) looksLimited(n int, next string) bool {
	return c.reads != nil && next != "" && (n == fewMessages || n == fewMessages+1)
}

// metLimit records a limit on reading if err shows one, and then returns [ErrNoReadSlot] in its place.
func (c *Conversations) metLimit(ctx context.Context, method string, with args, err error) error {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Code == "invalid_limit" && with["limit"] == pageSize && c.reads != nil { // Slack accepts no larger page
		c.noteLimit(ctx, method, seldom)
		return noSlot(method, seldom)
	}
	if !ok || e.Code != CodeLimited || method != historyMethod && method != repliesMethod {
		return err
	}
	if e.Status == http.StatusTooManyRequests && e.RetryAfter > longLimit {
		c.noteLimit(ctx, method, e.RetryAfter)
	}
	return noSlot(method, e.RetryAfter)
}

// page reads one page of messages.
func (c *Conversations) page(ctx context.Context, method string, with args) (next string, all found, err error) {
	next, all, err = c.api.page(ctx, method, with)
	return next, all, c.metLimit(ctx, method, with, err)
}

func (c *Conversations) noteLimit(ctx context.Context, method string, wait time.Duration) {
	if c.reads == nil {
		return
	}
	news, err := c.reads.Limit(context.WithoutCancel(ctx), method, wait)
	switch {
	case err != nil:
		c.api.transport.log.InfoContext(ctx, "limit on reading messages not noted", "method", method, "err", err)
	case news:
		c.api.transport.log.WarnContext(ctx, "slack lets this app read messages once a minute only", "method", method)
	}
}

// readProgress is the progress of a limited [Reading].
type readProgress struct {
	Near   bool            `json:"near,omitempty"`   // the messages around Near are being read
	Cursor string          `json:"cursor,omitempty"` // of the next page; "": the first page
	Rest   string          `json:"rest,omitempty"`   // the next page of the whole reading, while Near is set
	Own    []slack.Message `json:"own,omitempty"`    // the app's messages, without content
}

// readLimited reads one page: the first page, then those around Near, then the rest. It skips no page,
// because nobody could tell that a skipped message does not exist.
func (c *Conversations) readLimited(ctx context.Context, r Reading) ([]slack.Message, error) {
	var p readProgress
	if err := c.reads.Load(ctx, r.name(), &p); err != nil {
		return nil, err
	}
	with := r.args(fewMessages)
	if p.Near {
		with["oldest"], with["latest"] = timestamp(r.Near.Add(-nearBefore)), timestamp(r.Near.Add(nearAfter))
	}
	with["cursor"] = p.Cursor
	next, found, err := c.page(ctx, r.method(), with)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == "invalid_cursor" { // the cursor is too old
		return nil, errors.Join(noSlot(r.method(), seldom), c.reads.Drop(ctx, r.name()))
	}
	if err != nil {
		return nil, err
	}
	return c.continueReading(ctx, r, p, next, found.Messages)
}

// continueReading adds a page to the progress, and ends the reading when a match was found or everything was read.
func (c *Conversations) continueReading(ctx context.Context, r Reading, p readProgress, next string, page []slack.Message) ([]slack.Message, error) {
	me, err := c.who.Identity(ctx)
	if err != nil {
		return nil, err
	}
	if next != "" { // a short page before the last one proves that the limit still holds
		c.noteLimit(ctx, r.method(), seldom)
	}
	own := slices.DeleteFunc(slices.Clone(page), func(m slack.Message) bool { return !me.Wrote(m) })
	if r.Is != nil && slices.ContainsFunc(own, r.Is) || next == "" && !p.Near {
		return sorted(append(p.Own, own...)), c.reads.Drop(ctx, r.name())
	}
	for _, m := range own {
		p.Own = append(p.Own, withoutContent(m))
	}
	switch first := p.Cursor == "" && !p.Near; {
	case first && r.Is != nil && !r.Near.IsZero():
		p.Near, p.Rest, p.Cursor = true, next, ""
	case next == "":
		p.Near, p.Cursor = false, p.Rest
	default:
		p.Cursor = next
	}
	if err := c.reads.Save(ctx, r.name(), p); err != nil {
		return nil, err
	}
	return nil, noSlot(r.method(), seldom)
}

// withoutContent returns a message without its content.
func withoutContent(m slack.Message) slack.Message {
	return slack.Message{Msg: slack.Msg{
		Timestamp: m.Timestamp, User: m.User, BotID: m.BotID, SubType: m.SubType, Metadata: m.Metadata,
	}}
}

// sorted returns messages oldest first, without repeats.
func sorted(all []slack.Message) []slack.Message {
	byTS := map[string]slack.Message{}
	for _, m := range all {
		byTS[m.Timestamp] = m
	}
	return slices.SortedFunc(maps.Values(byTS), func(a, b slack.Message) int { return strings.Compare(a.Timestamp, b.Timestamp) })
}
