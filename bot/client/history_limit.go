package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/slack-go/slack"
)

// Slack takes conversations.history and conversations.replies once a minute each, and gives 15 messages at most,
// from apps that many workspaces install and its Marketplace does not list.
// Source: https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps

// Reads shares out the calls that read messages, of all replicas together, where Slack limits them. It does not say
// where that is: it is noted when a limit is met, and remembered for a day.
type Reads interface {
	// Turn takes who's turn to call the method, when it has come (wait is 0), or says when they are to come back for
	// it; nobody waits for one without a name. Those who are late let others go first.
	Turn(ctx context.Context, method, who string, late bool) (wait time.Duration, limited bool, err error)
	// Limit notes that Slack limits a method, and takes no call for so long; news says that it was not known.
	Limit(ctx context.Context, method string, wait time.Duration) (news bool, err error)
	// Keep keeps how far somebody has read, Kept reads that, if there is any, and Drop forgets it.
	Keep(ctx context.Context, who string, progress any) error
	Kept(ctx context.Context, who string, progress any) error
	Drop(ctx context.Context, who string) error
}

const (
	fewMessages = 15               // on a page of a limited app
	seldom      = time.Minute      // between the calls that it may make
	longLimit   = 30 * time.Second // a wait that the usual limit, fifty calls a minute, hardly asks for

	// A message is dated soon after the call that posts it began, by clocks that are mostly right: what is
	// further away is read as well, but later.
	nearBefore = 5 * time.Second
	nearAfter  = 30 * time.Second
)

// turn takes somebody's turn to read messages. It fails with [ErrReadTurn] when that has not come.
func (c *Conversations) turn(ctx context.Context, method, who string, late bool) (limited bool, err error) {
	if c.reads == nil {
		return false, nil
	}
	wait, limited, err := c.reads.Turn(ctx, method, who, late)
	if err != nil { // Slack itself says whether it is too early
		c.api.transport.log.DebugContext(ctx, "turns to read are not known", "err", err)
		return false, nil
	}
	if wait > 0 {
		c.api.transport.counted(method, time.Time{}, nil)
		return limited, noTurn(method, wait)
	}
	return limited, nil
}

func noTurn(method string, wait time.Duration) error {
	return &Error{Method: method, Code: CodeLimited, RetryAfter: wait, Class: []error{ErrTryLater, ErrReadTurn}}
}

// looksLimited says that a page can only be a limited app's: there is more, and 200 were asked for. A thread's first
// message may come on top.
func (c *Conversations) looksLimited(n int, next string) bool {
	return c.reads != nil && next != "" && (n == fewMessages || n == fewMessages+1)
}

// metLimit notes that Slack limits a method that reads messages, if that is what an error says, and returns the
// error as one of who has no turn.
func (c *Conversations) metLimit(ctx context.Context, method string, with args, err error) error {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Code == "invalid_limit" && with["limit"] == pageSize && c.reads != nil { // it takes no larger page
		c.noteLimit(ctx, method, seldom)
		return noTurn(method, seldom)
	}
	if !ok || e.Code != CodeLimited || method != historyMethod && method != repliesMethod {
		return err
	}
	if e.Status == http.StatusTooManyRequests && e.RetryAfter > longLimit {
		c.noteLimit(ctx, method, e.RetryAfter)
	}
	return &Error{Method: method, Code: e.Code, Status: e.Status, RetryAfter: e.RetryAfter, Class: []error{ErrTryLater, ErrReadTurn}}
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

// readSoFar is how far a [Reading] has come.
type readSoFar struct {
	Near   bool            `json:"near,omitempty"`   // what was posted about Near is being read
	Cursor string          `json:"cursor,omitempty"` // of the next page; "": the first one
	Rest   string          `json:"rest,omitempty"`   // the next page of all, meanwhile
	Own    []slack.Message `json:"own,omitempty"`    // of the app, without what they show
}

// readSome reads one page: first of all there is, then about Near, then the rest. What is read is never skipped: of
// what lies in between nobody could say that it is not there.
func (c *Conversations) readSome(ctx context.Context, r Reading) ([]slack.Message, error) {
	var p readSoFar
	if err := c.reads.Kept(ctx, r.name(), &p); err != nil {
		return nil, err
	}
	with := r.args(fewMessages)
	if p.Near {
		with["oldest"], with["latest"] = timestamp(r.Near.Add(-nearBefore)), timestamp(r.Near.Add(nearAfter))
	}
	with["cursor"] = p.Cursor
	next, found, err := c.page(ctx, r.method(), with)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == "invalid_cursor" { // it is too old
		return nil, errors.Join(noTurn(r.method(), seldom), c.reads.Drop(ctx, r.name()))
	}
	if err != nil {
		return nil, err
	}
	return c.readOn(ctx, r, p, next, found.Messages)
}

// readOn adds a page to what was read, and ends the reading when that is enough.
func (c *Conversations) readOn(ctx context.Context, r Reading, p readSoFar, next string, page []slack.Message) ([]slack.Message, error) {
	me, err := c.who.Identity(ctx)
	if err != nil {
		return nil, err
	}
	if next != "" { // a page that is not the last one says that the limit is still there
		c.noteLimit(ctx, r.method(), seldom)
	}
	own := slices.DeleteFunc(slices.Clone(page), func(m slack.Message) bool { return !me.Wrote(m) })
	if r.Is != nil && slices.ContainsFunc(own, r.Is) || next == "" && !p.Near {
		return sorted(append(p.Own, own...)), c.reads.Drop(ctx, r.name())
	}
	for _, m := range own {
		p.Own = append(p.Own, reduced(m))
	}
	switch first := p.Cursor == "" && !p.Near; {
	case first && r.Is != nil && !r.Near.IsZero():
		p.Near, p.Rest, p.Cursor = true, next, ""
	case next == "":
		p.Near, p.Cursor = false, p.Rest
	default:
		p.Cursor = next
	}
	if err := c.reads.Keep(ctx, r.name(), p); err != nil {
		return nil, err
	}
	return nil, noTurn(r.method(), seldom)
}

// reduced is what a message is, without what it shows.
func reduced(m slack.Message) slack.Message {
	return slack.Message{Msg: slack.Msg{
		Timestamp: m.Timestamp, User: m.User, BotID: m.BotID, SubType: m.SubType, Metadata: m.Metadata,
	}}
}

// sorted are messages oldest first, each once, as it was read last.
func sorted(all []slack.Message) []slack.Message {
	byTS := map[string]slack.Message{}
	for _, m := range all {
		byTS[m.Timestamp] = m
	}
	return inOrder(byTS)
}
