package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/store/queue"
)

// postOnce posts messages that jobs post exactly once.
type postOnce struct {
	slack        postingSlack
	posts        *ownPosts
	outcomeAfter time.Duration
	log          *slog.Logger
}

// onePost is a message that a job posts exactly once, over all deliveries. It leaves a mark before it
// posts; a delivery that finds the mark first searches for the message. No other job may post the same
// message at the same time.
type onePost struct {
	*postOnce
	d       *queue.Delivery
	channel string
	thread  string                     // "": the channel
	is      func(m slack.Message) bool // matches the message
	state   postState
}

// postState is what such a job saves between deliveries.
type postState struct {
	Posting time.Time `json:"posting,omitzero"` // when the message was sent; zero: not sent
}

// message returns the job's message with the state of earlier deliveries.
func (p *postOnce) message(d *queue.Delivery, channel, thread string, is func(m slack.Message) bool) (*onePost, error) {
	state, err := savedState[postState](d)
	return &onePost{postOnce: p, d: d, channel: channel, thread: thread, is: is, state: state}, err
}

// out returns the timestamp of the message if it was delivered, or "". It reads the channel once no
// earlier post can still be in flight.
func (p *onePost) out(ctx context.Context) (ts string, err error) {
	if p.state.Posting.IsZero() {
		return "", nil
	}
	oldest := p.state.Posting.Add(-clockSkew)
	found, err := p.posts.fromEvents(ctx, p.channel, oldest, p.is)
	if err == nil && len(found) == 0 {
		if wait := p.outcomeAfter - p.d.Now().Sub(p.state.Posting); wait > 0 {
			return "", queue.Wait(wait)
		}
		found, err = p.posts.read(ctx, client.Reading{Channel: p.channel, Thread: p.thread, Oldest: oldest, Is: p.is, Near: p.state.Posting}, p.is)
	}
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return found[0].Timestamp, nil
	}
	return "", p.markPosting(ctx, time.Time{})
}

// post posts the first form that Slack accepts and returns its timestamp. A sure refusal deletes the mark.
func (p *onePost) post(ctx context.Context, m kit.Message) (ts string, err error) {
	if after := p.slack.Slot(ctx, p.channel); after > 0 {
		return "", queue.Wait(after)
	}
	if err := p.markPosting(ctx, p.d.Now()); err != nil {
		return "", err
	}
	for _, form := range []kit.Message{m, kit.TextOnly(m)} {
		ts, err = p.slack.Post(ctx, client.Post{Channel: p.channel, Thread: p.thread, Text: form.Text, Blocks: form.Blocks, Metadata: form.Metadata})
		if !errors.Is(err, client.ErrPayload) {
			break
		}
		p.log.InfoContext(ctx, "a message is posted as plain text", "channel", p.channel, "job", p.d.ID, "err", err)
	}
	switch {
	case errors.Is(err, client.ErrUnknownOutcome):
		p.log.InfoContext(ctx, "a message may be out", "channel", p.channel, "job", p.d.ID, "err", err)
		return "", queue.Wait(p.outcomeAfter)
	case surelyNotSent(err):
		return "", errors.Join(err, p.markPosting(ctx, time.Time{}))
	}
	return ts, err
}

func (p *onePost) markPosting(ctx context.Context, posting time.Time) error {
	p.state.Posting = posting
	return p.d.SetState(ctx, p.state)
}
