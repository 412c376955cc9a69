package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Threads finds the order that a thread belongs to.
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

// The index has the thread of every recorded card. A card may be in the channel before it is recorded, if Slack did
// not answer its post, and Redis may have lost the index. Then the first message of the thread is read, whose metadata
// names its order. That is a job, because a request is acknowledged after asking Redis alone.

// ThreadOf returns the order whose thread the request comes from, by the index alone.
func (j *Threads) ThreadOf(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if r.Thread == "" {
		return store.Tracked{}, store.ErrNotTracked
	}
	return j.store.Orders.ByThread(ctx, r.Team, r.Channel, r.Thread)
}

// ThreadArgs is the body of the job that finds the order of a message in a thread and puts the relay job.
type ThreadArgs struct {
	RelayArgs
	Root      string `json:"root"`                // the thread's timestamp
	Parent    string `json:"parent,omitempty"`    // user who began the thread, if Slack names them
	Overheard bool   `json:"overheard,omitempty"` // does not mention the app; its channel relays every reply
	First     bool   `json:"first,omitempty"`     // overheard: perhaps the writer's first in the channel
}

// While an unrecorded card may be in the channel, an unknown thread is checked again after each threadPause. After
// threadPatience its writer is notified.
const (
	threadPause    = 5 * time.Second
	threadPatience = 2 * time.Minute
)

// relation is how a thread relates to the app.
type relation int

// The bonds of a thread. Only a Present thread belongs to an order.
const (
	foreign  relation = iota // begun by a person or another app
	former                   // of an order that has left this channel
	nameless                 // begun by the app, without naming an order
	several                  // of a batch: it belongs to no single order
	Present                  // of an order in this channel
)

// foreignDoc names the document that marks a foreign thread: who began one never changes.
func foreignDoc(team, channel, thread string) string {
	return "foreign:" + team + ":" + channel + ":" + thread
}

// foreignLife is how long a foreign thread is remembered.
const foreignLife = 7 * 24 * time.Hour

// putThreaded puts the job that finds the order of a thread, in the thread's own lane. It saves the waiting message
// for edits that come meanwhile.
func (j *Threads) putThreaded(ctx context.Context, body ThreadArgs) error {
	name := relayDoc(body.Team, body.Channel, body.TS)
	lane, life := threadLane(body.Team, body.Channel, body.Root), time.Hour
	if body.First { // it may be taken back for as long as it waits
		lane, life = ownLane(body.Team, body.Channel, body.Root, body.User), relayLife
	}
	if _, err := j.store.Documents.PutIfAbsent(ctx, name, relayRecord{Author: body.Author, Raw: body.Raw, First: body.First}, life); err != nil {
		return err
	}
	return j.putter.Put(ctx, job.Thread, RelayID(body.RelayArgs), lane, body)
}

// threadLane returns the lane in which the order of a thread is found.
func threadLane(team, channel, root string) string {
	return strings.Join([]string{job.Thread, team, channel, root}, ":")
}

// IsForeign reports whether the thread is known to be foreign.
func (j *Threads) IsForeign(ctx context.Context, team, channel, thread string) (bool, error) {
	var known bool
	err := j.store.Documents.GetIfThere(ctx, foreignDoc(team, channel, thread), &known)
	return known, err
}

// resolveThread finds the thread's order and puts the relay job, or notifies the writer that nothing was sent.
func (j *Threads) resolveThread(ctx context.Context, d *queue.Delivery, body ThreadArgs) error {
	t, is, err := j.relationOf(ctx, body)
	if err != nil {
		return err
	}
	switch is {
	case Present:
		body.Order = t.ID
		if body.Offered, err = j.confirmed(ctx, d, body, t); err != nil {
			return err
		}
		return j.talk.PutRelay(ctx, body.RelayArgs, d.ID+":found")
	case former:
		return j.hintOnce(ctx, body, talk.RelayFormer())
	case several:
		return j.hintOnce(ctx, body, cardsbatch.WhichOrder())
	case nameless:
		return j.threadNameless(ctx, d, body)
	}
	return j.threadForeign(ctx, d, body)
}

// relationOf asks the index, and then reads the thread's first message.
func (j *Threads) relationOf(ctx context.Context, body ThreadArgs) (store.Tracked, relation, error) {
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
	return j.ReadThread(ctx, body.Asker, body.Channel, body.Root)
}

// ReadThread reads the first message of a thread and records the thread of its order. a is the person who used the card.
func (j *Threads) ReadThread(ctx context.Context, a answers.Asker, channel, thread string) (store.Tracked, relation, error) {
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
		return store.Tracked{}, kit.Either(cardsbatch.OfCard(root) != "", several, nameless), nil
	}
	if j.isOtherWorkspace(a.Team, &root) {
		return store.Tracked{}, former, nil
	}
	return j.orderOf(ctx, a, channel, root, about)
}

// ReadCard is ReadThread for a card in the thread of a batch's card.
func (j *Threads) ReadCard(ctx context.Context, a answers.Asker, channel, thread, ts string) (store.Tracked, relation, error) {
	found, err := j.slack.Read(ctx, client.Reading{
		Channel: channel, Thread: thread, Oldest: slackTime(ts).Add(-time.Second), Near: slackTime(ts), Is: func(m slack.Message) bool { return m.Timestamp == ts },
	})
	if err != nil && !errors.Is(err, client.ErrTooMany) {
		return store.Tracked{}, foreign, err
	}
	at := slices.IndexFunc(found, func(m slack.Message) bool { return m.Timestamp == ts })
	if at < 0 {
		return store.Tracked{}, foreign, nil
	}
	card := found[at]
	card.ThreadTimestamp = thread
	ours, err := j.IsOurs(ctx, &card)
	about, named := cards.AboutOf(card)
	if err != nil || !ours || !named || about.Event != cards.CardEvent || j.isOtherWorkspace(a.Team, &card) {
		return store.Tracked{}, foreign, err
	}
	return j.orderOf(ctx, a, channel, card, about)
}

// orderOf returns the order of a card.
func (j *Threads) orderOf(ctx context.Context, a answers.Asker, channel string, card slack.Message, about cards.About) (store.Tracked, relation, error) {
	t, err := j.store.Orders.Order(ctx, about.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return j.forgotten.findForgotten(ctx, a, channel, card, about)
	case err != nil:
		return store.Tracked{}, foreign, err
	case t.Untracked, t.Owner.Team != a.Team, t.Owner.Channel != channel, t.Owner.Generation != about.Generation:
		return store.Tracked{}, former, nil
	}
	return t, Present, j.store.Announcements.FoundThread(ctx, t, card.Timestamp)
}

// threadNameless waits while an unrecorded card may be in the channel, since it may be this one. Otherwise, or after
// [threadPatience], it notifies the writer.
func (j *Threads) threadNameless(ctx context.Context, d *queue.Delivery, body ThreadArgs) error {
	pending, err := j.store.Announcements.MayHaveCard(ctx, body.Team, body.Channel)
	if err != nil {
		return err
	}
	if pending && d.Now().Sub(d.PutAt) < threadPatience {
		return queue.Wait(threadPause)
	}
	called, err := j.called(ctx, body)
	if err != nil || !pending && !called { // another message of the app
		return err
	}
	return j.messages.Hint(ctx, body.Asker, talk.RelayUnsure())
}

// threadForeign answers a writer who mentioned the app. It ignores other messages in foreign threads.
func (j *Threads) threadForeign(ctx context.Context, d *queue.Delivery, body ThreadArgs) error {
	if err := j.store.Documents.PutTTL(ctx, foreignDoc(body.Team, body.Channel, body.Root), true, foreignLife); err != nil {
		return err
	}
	called, err := j.called(ctx, body)
	if err != nil || !called {
		return err
	}
	return j.talk.mentions.answer(ctx, d.ID, body.RelayArgs)
}

// called reports whether the message is for the app. A message that mentions it comes as two events, and the job has
// the first to arrive.
func (j *Threads) called(ctx context.Context, body ThreadArgs) (bool, error) {
	me, err := j.slack.Identity(ctx)
	return !body.Overheard || strings.Contains(body.Raw, "<@"+me.BotUser), err
}

// hintOnce answers each mention of the app. Others in a channel that relays are answered once a thread.
func (j *Threads) hintOnce(ctx context.Context, body ThreadArgs, m kit.Message) error {
	called, err := j.called(ctx, body)
	if err != nil {
		return err
	}
	if !called {
		first, err := j.store.Documents.PutIfAbsent(ctx, formerDoc(body), true, relayLife)
		if err != nil || !first {
			return err
		}
	}
	return j.messages.Hint(ctx, body.Asker, m)
}

// formerDoc names the document that marks a person as notified that a thread's order has left.
func formerDoc(body ThreadArgs) string {
	return "former:" + strings.Join([]string{body.Team, body.Channel, body.Root, body.User}, ":")
}

// IsOurs reports whether the app wrote a message. Such messages never go to an editor.
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

// threadDied notifies a writer who did not mention the app that the thread's order could not be found.
func (j *Threads) threadDied(ctx context.Context, l queue.DeadLetter, body ThreadArgs) bool {
	if !body.Overheard {
		return false
	}
	if err := j.messages.Hint(ctx, body.Asker, talk.RelayUnsure()); err != nil {
		j.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", body.User, "err", err)
	}
	return true
}
