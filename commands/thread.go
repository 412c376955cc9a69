package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// Whose thread is it? The index says so for every card that was recorded. A card whose
// post was not answered is out before it is recorded, and a Redis may have forgotten
// the index: then the thread's first message is read, which names its order in its
// metadata. On the way to an acknowledgement only Redis is asked, so that is a job.

const threadJob = "thread"

// threaded is the body of the job that finds out to which order what was said in a
// thread belongs, and hands it on to the job that brings it to the editor.
type threaded struct {
	relaying
	Root      string `json:"root"`                // the thread
	Parent    string `json:"parent,omitempty"`    // who began it, when Slack says so
	Overheard bool   `json:"overheard,omitempty"` // said to nobody, in a channel that relays every reply
}

// What is said in a thread that the record cannot name waits this long for the doubt to
// end; then its writer decides.
const (
	threadPause = 5 * time.Second
	threadDoubt = 2 * time.Minute
)

// bond is what a thread is to the app.
type bond int

const (
	foreign  bond = iota // no order's: a person, or another app, began it
	former               // of an order that is no longer this place's
	nameless             // ours, and it does not say whose
	present              // an order's
)

// foreignNote is kept for threads that are known to be no order's: who began one never changes.
func foreignNote(team, channel, thread string) string {
	return strings.Join([]string{"foreign", team, channel, thread}, ":")
}

// foreignLife is how long that is remembered.
const foreignLife = 7 * 24 * time.Hour

// putThreaded puts that job in the thread's own lane. That the message waits is noted, for
// those who edit it meanwhile.
func (c *Commands) putThreaded(ctx context.Context, body threaded) error {
	name := relayNote(body.Team, body.Channel, body.TS)
	if _, err := c.store.NoteOnce(ctx, name, relayed{Author: body.Author, Raw: body.Raw}, time.Hour); err != nil {
		return err
	}
	return c.put(ctx, threadJob, relayID(body.relaying), threadLane(body.Team, body.Channel, body.Root), body)
}

func threadLane(team, channel, root string) string {
	return strings.Join([]string{threadJob, team, channel, root}, ":")
}

// isForeign tells whether the thread is known to be no order's.
func (c *Commands) isForeign(ctx context.Context, team, channel, thread string) (bool, error) {
	var known bool
	err := c.store.Noted(ctx, foreignNote(team, channel, thread), &known)
	if errors.Is(err, store.ErrNoNote) {
		return false, nil
	}
	return known, err
}

// settleThread does the job.
func (c *Commands) settleThread(ctx context.Context, d *queue.Delivery) error {
	var body threaded
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	t, is, err := c.bondOf(ctx, body)
	if err != nil {
		return err
	}
	switch is {
	case present:
		body.Order = t.ID
		return c.putRelay(ctx, body.relaying, d.ID+":found")
	case former:
		return c.whisperOnce(ctx, body, cards.RelayFormer())
	case nameless:
		return c.threadNameless(ctx, d, body)
	}
	return c.threadForeign(ctx, body)
}

// bondOf asks the record, and then the thread's first message.
func (c *Commands) bondOf(ctx context.Context, body threaded) (store.Tracked, bond, error) {
	t, err := c.store.ByThread(ctx, body.Team, body.Channel, body.Root)
	if err == nil {
		return t, present, nil
	}
	if !errors.Is(err, store.ErrNotTracked) {
		return t, foreign, err
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return t, foreign, err
	}
	if body.Parent != "" && body.Parent != me.BotUser {
		return t, foreign, nil
	}
	return c.readBond(ctx, body.Team, body.Channel, body.Root)
}

// readBond goes by the first message of a thread, and remembers whose it is.
func (c *Commands) readBond(ctx context.Context, team, channel, thread string) (store.Tracked, bond, error) {
	root, err := c.slack.Root(ctx, channel, thread)
	switch {
	case errors.Is(err, bot.ErrGone):
		return store.Tracked{}, foreign, nil
	case errors.Is(err, bot.ErrNotInChannel), errors.Is(err, bot.ErrNoChannel), errors.Is(err, bot.ErrNotAllowed):
		return store.Tracked{}, nameless, nil
	case err != nil:
		return store.Tracked{}, foreign, err
	}
	ours, err := c.isOurs(ctx, &root)
	if err != nil || !ours {
		return store.Tracked{}, foreign, err
	}
	about, named := cards.AboutOf(root)
	if !named {
		return store.Tracked{}, nameless, nil
	}
	t, err := c.store.Order(ctx, about.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return store.Tracked{}, former, nil
	case err != nil:
		return store.Tracked{}, foreign, err
	case t.Untracked, t.Owner.Team != team, t.Owner.Channel != channel, t.Owner.Generation != about.Generation:
		return store.Tracked{}, former, nil
	}
	return t, present, c.store.FoundThread(ctx, t, thread)
}

// threadNameless waits while a card in the channel is in doubt: it may be this one. When
// that does not end, or there is none, its writer is told.
func (c *Commands) threadNameless(ctx context.Context, d *queue.Delivery, body threaded) error {
	doubt, err := c.store.CardInDoubt(ctx, body.Team, body.Channel)
	if err != nil {
		return err
	}
	if doubt && d.Now().Sub(d.PutAt) < threadDoubt {
		return queue.Wait(threadPause)
	}
	called, err := c.called(ctx, body)
	if err != nil || !doubt && !called { // something else that we said
		return err
	}
	return c.whisper(ctx, body.asker, cards.RelayUnsure())
}

// threadForeign tells who called the app that nothing was sent. Somebody else's thread
// is nobody's business otherwise.
func (c *Commands) threadForeign(ctx context.Context, body threaded) error {
	if err := c.store.Note(ctx, foreignNote(body.Team, body.Channel, body.Root), true, foreignLife); err != nil {
		return err
	}
	called, err := c.called(ctx, body)
	if err != nil || !called {
		return err
	}
	return c.whisper(ctx, body.asker, cards.RelayHint())
}

// called tells whether the app was meant. A message that names it comes as two events, and
// the first one that is heard is the job.
func (c *Commands) called(ctx context.Context, body threaded) (bool, error) {
	me, err := c.slack.Identity(ctx)
	return !body.Overheard || strings.Contains(body.Raw, "<@"+me.BotUser), err
}

// whisperOnce answers each call; who only talks in a channel that relays hears it once in
// each thread.
func (c *Commands) whisperOnce(ctx context.Context, body threaded, m cards.Message) error {
	called, err := c.called(ctx, body)
	if err != nil {
		return err
	}
	if !called {
		name := strings.Join([]string{"former", body.Team, body.Channel, body.Root, body.User}, ":")
		first, err := c.store.NoteOnce(ctx, name, true, relayLife)
		if err != nil || !first {
			return err
		}
	}
	return c.whisper(ctx, body.asker, m)
}

// shortcutPatience is how long a message's menu waits for Slack to say whose thread it is
// in: a form must open within three seconds, and in it the order can be chosen.
const shortcutPatience = time.Second

// messageThread is the order in whose thread the message is, or whose card it is.
func (c *Commands) messageThread(ctx context.Context, r bot.Request) (store.Tracked, error) {
	thread := cmp.Or(r.Thread, r.MessageTS)
	t, err := c.store.ByThread(ctx, r.Team, r.Channel, thread)
	if !errors.Is(err, store.ErrNotTracked) || thread == "" {
		return t, err
	}
	if ask, err := c.mayBeOurs(ctx, r, thread); err != nil || !ask {
		return store.Tracked{}, errors.Join(err, store.ErrNotTracked)
	}
	quick, cancel := context.WithTimeout(ctx, shortcutPatience)
	defer cancel()
	found, is, err := c.readBond(quick, r.Team, r.Channel, thread)
	if err == nil && is == present {
		return found, nil
	}
	if err != nil {
		c.log.InfoContext(ctx, "thread not read", "channel", r.Channel, "thread", thread, "err", err)
	}
	return store.Tracked{}, store.ErrNotTracked
}

// mayBeOurs tells whether it is worth a question who began the thread.
func (c *Commands) mayBeOurs(ctx context.Context, r bot.Request, thread string) (bool, error) {
	if r.Message == nil {
		return false, nil
	}
	if thread == r.MessageTS {
		return c.isOurs(ctx, r.Message)
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	if parent := r.Message.ParentUserId; parent != "" && parent != me.BotUser {
		return false, nil
	}
	known, err := c.isForeign(ctx, r.Team, r.Channel, thread)
	return !known, err
}

// isOurs tells whether the app itself wrote a message: that never goes to an editor.
func (c *Commands) isOurs(ctx context.Context, m *slack.Message) (bool, error) {
	who, err := c.slack.Identity(ctx)
	return m.User != "" && m.User == who.BotUser || m.BotID != "" && m.BotID == who.BotID, err
}
