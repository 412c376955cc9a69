package crowd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
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
