package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Threads finds the order in whose thread something is said.
type Threads struct {
	slack     answers.Slack
	store     *store.Store
	queue     *queue.Queue
	account   *accounts.Account
	forgotten *Forgotten
	talk      *Talk
	messages  *answers.Messages
	putter    *job.Putter
	log       *slog.Logger
}

// Whose thread is it? The index says so for every card that was recorded. A card whose
// post was not answered is out before it is recorded, and a Redis may have forgotten
// the index: then the thread's first message is read, which names its order in its
// metadata. On the way to an acknowledgement only Redis is asked, so that is a job.

// ThreadOf is the order in whose thread the message is.
func (j *Threads) ThreadOf(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if r.Thread == "" {
		return store.Tracked{}, store.ErrNotTracked
	}
	return j.store.Orders.ByThread(ctx, r.Team, r.Channel, r.Thread)
}

// ThreadArgs is the body of the job that finds out to which order what was said in a
// thread belongs, and hands it on to the job that brings it to the editor.
type ThreadArgs struct {
	RelayArgs
	Root      string `json:"root"`                // the thread
	Parent    string `json:"parent,omitempty"`    // who began it, when Slack says so
	Overheard bool   `json:"overheard,omitempty"` // said to nobody, in a channel that relays every reply
}

// While a card in the channel may be out unrecorded, what is said in a thread that the record does
// not know is looked at again after each threadPause, for threadDoubt at most; then its writer is
// told.
const (
	threadPause = 5 * time.Second
	threadDoubt = 2 * time.Minute
)

// bond is what a thread is to the app.
type bond int

// What a thread can be. Only the last is an order's.
const (
	foreign  bond = iota // no order's: a person, or another app, began it
	former               // of an order that is no longer this channel's
	nameless             // ours, and it does not say whose
	Present              // an order's
)

// foreignNote is kept for threads that are known to be no order's: who began one never changes.
func foreignNote(team, channel, thread string) string {
	return "foreign:" + team + ":" + channel + ":" + thread
}

// foreignLife is how long it is remembered that a thread is no order's.
const foreignLife = 7 * 24 * time.Hour

// putThreaded puts the job that finds out whose thread it is, in the thread's own lane. That the
// message waits is noted, for those who edit it meanwhile.
func (j *Threads) putThreaded(ctx context.Context, body ThreadArgs) error {
	name := relayNote(body.Team, body.Channel, body.TS)
	if _, err := j.store.Documents.PutIfAbsent(ctx, name, relayed{Author: body.Author, Raw: body.Raw}, time.Hour); err != nil {
		return err
	}
	return j.putter.Put(ctx, job.Thread, RelayID(body.RelayArgs), threadLane(body.Team, body.Channel, body.Root), body)
}

// threadLane is the lane in which is found out whose thread it is.
func threadLane(team, channel, root string) string {
	return strings.Join([]string{job.Thread, team, channel, root}, ":")
}

// IsForeign tells whether the thread is known to be no order's.
func (j *Threads) IsForeign(ctx context.Context, team, channel, thread string) (bool, error) {
	var known bool
	err := j.store.Documents.GetIfThere(ctx, foreignNote(team, channel, thread), &known)
	return known, err
}

// resolveThread finds out whose thread it is and hands on what was said, or tells its writer that
// it went nowhere.
func (j *Threads) resolveThread(ctx context.Context, d *queue.Delivery, body ThreadArgs) error {
	t, is, err := j.bondOf(ctx, body)
	if err != nil {
		return err
	}
	switch is {
	case Present:
		body.Order = t.ID
		return j.talk.PutRelay(ctx, body.RelayArgs, d.ID+":found")
	case former:
		return j.hintOnce(ctx, body, talk.RelayFormer())
	case nameless:
		return j.threadNameless(ctx, d, body)
	}
	return j.threadForeign(ctx, body)
}

// bondOf asks the record, and then the thread's first message.
func (j *Threads) bondOf(ctx context.Context, body ThreadArgs) (store.Tracked, bond, error) {
	t, err := j.store.Orders.ByThread(ctx, body.Team, body.Channel, body.Root)
	if err == nil {
		return t, Present, nil
	}
	if !errors.Is(err, store.ErrNotTracked) {
		return t, foreign, err
	}
	me, err := j.slack.Identity(ctx)
	if err != nil || body.Parent != "" && body.Parent != me.BotUser {
		return t, foreign, err
	}
	return j.ReadBond(ctx, body.Asker, body.Channel, body.Root)
}

// ReadBond goes by the first message of a thread, and remembers whose it is. The asker has something
// to do with the order whose card it is.
func (j *Threads) ReadBond(ctx context.Context, a answers.Asker, channel, thread string) (store.Tracked, bond, error) {
	root, err := j.slack.Root(ctx, channel, thread)
	switch {
	case errors.Is(err, client.ErrGone):
		return store.Tracked{}, foreign, nil
	case errors.Is(err, client.ErrNotInChannel), errors.Is(err, client.ErrNoChannel), errors.Is(err, client.ErrNotAllowed):
		return store.Tracked{}, nameless, nil
	case err != nil:
		return store.Tracked{}, foreign, err
	}
	ours, err := j.IsOurs(ctx, &root)
	if err != nil || !ours {
		return store.Tracked{}, foreign, err
	}
	about, named := cards.AboutOf(root)
	if !named {
		return store.Tracked{}, nameless, nil
	}
	if j.isElsewhere(a.Team, &root) {
		return store.Tracked{}, former, nil
	}
	t, err := j.store.Orders.Order(ctx, about.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return j.forgotten.findForgotten(ctx, a, channel, root, about)
	case err != nil:
		return store.Tracked{}, foreign, err
	case t.Untracked, t.Owner.Team != a.Team, t.Owner.Channel != channel, t.Owner.Generation != about.Generation:
		return store.Tracked{}, former, nil
	}
	return t, Present, j.store.Announcements.FoundThread(ctx, t, thread)
}

// threadNameless waits while the outcome of a card in the channel is unknown: it may be this one. If no card is,
// or that does not end, the writer is told.
func (j *Threads) threadNameless(ctx context.Context, d *queue.Delivery, body ThreadArgs) error {
	doubt, err := j.store.Announcements.MayHaveCard(ctx, body.Team, body.Channel)
	if err != nil {
		return err
	}
	if doubt && d.Now().Sub(d.PutAt) < threadDoubt {
		return queue.Wait(threadPause)
	}
	called, err := j.called(ctx, body)
	if err != nil || !doubt && !called { // something else that we said
		return err
	}
	return j.messages.Hint(ctx, body.Asker, talk.RelayUnsure())
}

// threadForeign tells who called the app that nothing was sent. Somebody else's thread
// is nobody's business otherwise.
func (j *Threads) threadForeign(ctx context.Context, body ThreadArgs) error {
	if err := j.store.Documents.PutTTL(ctx, foreignNote(body.Team, body.Channel, body.Root), true, foreignLife); err != nil {
		return err
	}
	called, err := j.called(ctx, body)
	if err != nil || !called {
		return err
	}
	return j.messages.Hint(ctx, body.Asker, talk.RelayHint())
}

// called tells whether the app was meant. A message that names it comes as two events, and
// the first one that is heard is the job.
func (j *Threads) called(ctx context.Context, body ThreadArgs) (bool, error) {
	me, err := j.slack.Identity(ctx)
	return !body.Overheard || strings.Contains(body.Raw, "<@"+me.BotUser), err
}

// hintOnce answers each call; who only talks in a channel that relays hears it once in
// each thread.
func (j *Threads) hintOnce(ctx context.Context, body ThreadArgs, m kit.Message) error {
	called, err := j.called(ctx, body)
	if err != nil {
		return err
	}
	if !called {
		first, err := j.store.Documents.PutIfAbsent(ctx, formerNote(body), true, relayLife)
		if err != nil || !first {
			return err
		}
	}
	return j.messages.Hint(ctx, body.Asker, m)
}

// formerNote names the note that somebody was told, in a thread, that it is no order's any more.
func formerNote(body ThreadArgs) string {
	return "former:" + strings.Join([]string{body.Team, body.Channel, body.Root, body.User}, ":")
}

// IsOurs tells whether the app itself wrote a message: that never goes to an editor.
func (j *Threads) IsOurs(ctx context.Context, m *slack.Message) (bool, error) {
	me, err := j.slack.Identity(ctx)
	return me.Wrote(*m), err
}

func (j *Threads) threadKind() queue.Declared {
	return queue.Kind[ThreadArgs]{
		Name: job.Thread, Work: j.resolveThread, Died: j.threadDied,
		Asked: "sending a message to an editor", Truth: job.Always(job.NothingSent),
		Typed: func(b ThreadArgs) string { return b.typed() },
		Quiet: func(_ context.Context, b ThreadArgs) bool { return b.Overheard },
	}.Declare()
}

// threadDied tells who only talked in a thread that nobody could find out whose it is.
func (j *Threads) threadDied(ctx context.Context, l queue.DeadLetter, body ThreadArgs) bool {
	if !body.Overheard {
		return false
	}
	if err := j.messages.Hint(ctx, body.Asker, talk.RelayUnsure()); err != nil {
		j.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", body.User, "err", err)
	}
	return true
}
