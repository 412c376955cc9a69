package client

import (
	"context"
	"fmt"
	"time"

	"github.com/slack-go/slack"
)

const (
	historyMethod = "conversations.history"
	repliesMethod = "conversations.replies"

	maxPages = 25 // of messages for one call
)

// Conversations reads messages of channels and threads.
type Conversations struct {
	api   *api
	reads Reads // nil: reading is not limited
	who   *People
}

// Replies reads a thread with its first message, oldest first, with metadata. A non-zero oldest leaves out
// older replies. Errors are those of [Conversations.Read].
func (c *Conversations) Replies(ctx context.Context, channel, thread string, oldest time.Time) ([]slack.Message, error) {
	return c.Read(ctx, Reading{Channel: channel, Thread: thread, Oldest: oldest})
}

// History reads a channel's messages from oldest on, oldest first, with metadata. It leaves out replies
// that were not broadcast. Errors are those of [Conversations.Read].
func (c *Conversations) History(ctx context.Context, channel string, oldest time.Time) ([]slack.Message, error) {
	return c.Read(ctx, Reading{Channel: channel, Oldest: oldest})
}

// Reading says which messages to read. Its last fields matter only if Slack limits reading.
type Reading struct {
	Channel string
	Thread  string    // ts of its first message; "": the channel, without replies that were not broadcast
	Oldest  time.Time // leaves out older messages except a thread's first; zero: reads all

	// Is matches a message that ends a limited reading early; nil: all messages are read. Messages posted
	// around Near are then read first; zero: in Slack's order.
	Is   func(slack.Message) bool
	Near time.Time
	Late bool // other readers go first
}

func (r Reading) method() string {
	if r.Thread != "" {
		return repliesMethod
	}
	return historyMethod
}

// name identifies the reading over all calls that continue it.
func (r Reading) name() string {
	return fmt.Sprintf("%s:%s:%d:%t", r.Channel, r.Thread, r.Oldest.UnixMicro(), r.Late)
}

func (r Reading) args(limit int) args {
	with := args{"channel": r.Channel, "ts": r.Thread, "limit": limit, "inclusive": true, "include_all_metadata": true}
	if !r.Oldest.IsZero() {
		with["oldest"] = timestamp(r.Oldest)
	}
	return with
}

func timestamp(t time.Time) string { return fmt.Sprintf("%d.%06d", t.Unix(), t.Nanosecond()/1000) }

// Read reads messages, oldest first, with metadata. For more than 5,000 it returns the first ones and
// [ErrTooMany]. For a deleted thread it returns [ErrGone].
//
// If Slack limits reading, Read returns only the app's own messages and may need several calls with the
// same Reading. Until it is complete, each call returns [ErrNoReadSlot].
func (c *Conversations) Read(ctx context.Context, r Reading) ([]slack.Message, error) {
	limited, err := c.takeSlot(ctx, r.method(), r.name(), r.Late)
	if err != nil {
		return nil, err
	}
	if limited {
		return c.readLimited(ctx, r)
	}
	with := r.args(pageSize)
	var all []slack.Message
	for range maxPages {
		next, found, err := c.page(ctx, r.method(), with)
		if err != nil {
			return nil, err
		}
		if c.looksLimited(len(found.Messages), next) && len(all) == 0 {
			return c.continueReading(ctx, r, readProgress{}, next, found.Messages)
		}
		all = append(all, found.Messages...)
		if next == "" {
			return sorted(all), nil
		}
	}
	return sorted(all), &Error{Method: r.method(), Class: []error{ErrTooMany}}
}
