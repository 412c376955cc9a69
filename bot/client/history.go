package client

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

const (
	historyMethod = "conversations.history"
	repliesMethod = "conversations.replies"

	maxPages = 25 // of messages
)

// Conversations reads messages of channels and threads.
type Conversations struct {
	api   *api
	reads Reads // nil: Slack limits no reading
	who   *People
}

// Replies reads a thread with its first message, oldest first, with all metadata; a
// non-zero oldest leaves out older replies. A thread of more than 5,000 fails with
// [ErrTooMany] and comes with what was read, a deleted one fails with [ErrGone].
func (c *Conversations) Replies(ctx context.Context, channel, thread string, oldest time.Time) ([]slack.Message, error) {
	return c.Read(ctx, Reading{Channel: channel, Thread: thread, Oldest: oldest})
}

// History reads a channel's messages, without replies that were not broadcast, oldest
// first, with all metadata, beginning at oldest. More than 5,000 fail with [ErrTooMany],
// and come with what was read.
func (c *Conversations) History(ctx context.Context, channel string, oldest time.Time) ([]slack.Message, error) {
	return c.Read(ctx, Reading{Channel: channel, Oldest: oldest})
}

// Reading says which messages of a conversation are read, and how where few can be.
type Reading struct {
	Channel string
	Thread  string    // its first message; "": the channel itself, without replies that were not broadcast
	Oldest  time.Time // older ones are left out, but for a thread's first; zero: none

	// Is knows a message that ends the reading when Slack gives only few at a time; nil: all are wanted. Those that
	// were posted about Near are read first then; zero: the order is Slack's.
	Is   func(slack.Message) bool
	Near time.Time
	Late bool // others who read may go first
}

func (r Reading) method() string {
	if r.Thread != "" {
		return repliesMethod
	}
	return historyMethod
}

// name is whoever reads this, each time they come back for it.
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

// Read reads messages, oldest first, with all metadata. More than 5,000 fail with [ErrTooMany], and come with what was
// read; a deleted thread fails with [ErrGone].
//
// Where Slack limits such calls it gives the app's own messages alone, and it may take several calls of Read with the
// same Reading: until then each fails with [ErrReadTurn].
func (c *Conversations) Read(ctx context.Context, r Reading) ([]slack.Message, error) {
	limited, err := c.turn(ctx, r.method(), r.name(), r.Late)
	if err != nil {
		return nil, err
	}
	if limited {
		return c.readSome(ctx, r)
	}
	with, byTS := r.args(pageSize), map[string]slack.Message{} // a thread's first message may come with every page
	for range maxPages {
		next, found, err := c.page(ctx, r.method(), with)
		if err != nil {
			return nil, err
		}
		if c.looksLimited(len(found.Messages), next) && len(byTS) == 0 {
			return c.readOn(ctx, r, readSoFar{}, next, found.Messages)
		}
		for _, m := range found.Messages {
			byTS[m.Timestamp] = m
		}
		if next == "" {
			return inOrder(byTS), nil
		}
	}
	return inOrder(byTS), &Error{Method: r.method(), Class: []error{ErrTooMany}}
}

func inOrder(byTS map[string]slack.Message) []slack.Message {
	return slices.SortedFunc(maps.Values(byTS), func(a, b slack.Message) int {
		return strings.Compare(a.Timestamp, b.Timestamp)
	})
}
