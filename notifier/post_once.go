package notifier

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// onePost is a message that a job posts once, over all of its deliveries: it leaves a mark before it posts, and a
// delivery that finds the mark looks whether the message is out. The job must run in a lane where no other posts
// the same.
type onePost struct {
	*Announcer
	d       *queue.Delivery
	channel string
	thread  string                     // "": the channel itself
	is      func(m slack.Message) bool // whether a message of ours is it
	state   postState
}

// postState is what such a job keeps between its deliveries.
type postState struct {
	Posting time.Time `json:"posting,omitzero"` // since when the message may be out; zero: it is not
}

// onePost is the job's message to a channel, as the deliveries before left it.
func (a *Announcer) onePost(d *queue.Delivery, channel, thread string, is func(m slack.Message) bool) (*onePost, error) {
	state, err := queue.State[postState](d)
	return &onePost{Announcer: a, d: d, channel: channel, thread: thread, is: is, state: state}, err
}

// out is the timestamp of the message when it is out already, "" when it is not.
func (p *onePost) out(ctx context.Context) (ts string, err error) {
	if p.state.Posting.IsZero() {
		return "", nil
	}
	messages, err := p.ours(ctx, p.state.Posting)
	if err != nil {
		return "", err
	}
	for _, m := range messages {
		if p.is(m) {
			return m.Timestamp, nil
		}
	}
	return "", p.markPosting(ctx, time.Time{})
}

// ours are the messages of ours since then, as soon as a post of before can no longer be under way.
func (p *onePost) ours(ctx context.Context, since time.Time) ([]slack.Message, error) {
	if wait := p.OutcomeAfter - p.d.Now().Sub(p.state.Posting); wait > 0 && !p.state.Posting.IsZero() {
		return nil, queue.Wait(wait)
	}
	me, err := p.Slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	var messages, ours []slack.Message
	if oldest := since.Add(-clockSkew); p.thread == "" {
		messages, err = p.Slack.History(ctx, p.channel, oldest)
	} else {
		messages, err = p.Slack.Replies(ctx, p.channel, p.thread, oldest)
	}
	if err != nil && !errors.Is(err, bot.ErrTooMany) {
		return nil, err
	}
	for _, m := range messages {
		if by(me, m) {
			ours = append(ours, m)
		}
	}
	return ours, nil
}

// post posts the first form that Slack takes, and returns its timestamp. What Slack surely refused needs no looking for.
func (p *onePost) post(ctx context.Context, m cards.Message) (ts string, err error) {
	if after := p.Slack.Turn(ctx, p.channel); after > 0 {
		return "", queue.Wait(after)
	}
	if err := p.markPosting(ctx, p.d.Now()); err != nil {
		return "", err
	}
	for _, form := range []cards.Message{m, cards.Plain(m)} {
		ts, err = p.Slack.Post(ctx, bot.Post{Channel: p.channel, Thread: p.thread, Text: form.Text, Blocks: form.Blocks, Metadata: form.Metadata})
		if !errors.Is(err, bot.ErrPayload) {
			break
		}
		p.Log.InfoContext(ctx, "a message is posted as plain text", "channel", p.channel, "job", p.d.ID, "err", err)
	}
	switch {
	case errors.Is(err, bot.ErrUnknownOutcome):
		p.Log.InfoContext(ctx, "a message may be out", "channel", p.channel, "job", p.d.ID, "err", err)
		return "", queue.Wait(p.OutcomeAfter)
	case surelyNotSent(err):
		return "", errors.Join(err, p.markPosting(ctx, time.Time{}))
	}
	return ts, err
}

func (p *onePost) markPosting(ctx context.Context, posting time.Time) error {
	p.state.Posting = posting
	return p.d.SetState(ctx, p.state)
}
