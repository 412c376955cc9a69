package answers

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Messages tells people, each alone.
type Messages struct {
	Slack     Slack
	Documents *store.DocumentStore
	Outcome   time.Duration // how long a message that Slack did not confirm may be under way
	Log       *slog.Logger
}

// Inform tells a person by direct message what must reach them; who can have none is told where
// they asked. A job that is delivered again repeats nothing. It fails only while it makes sense to
// come back: see [WorthRetrying], and with [client.ErrUnknownOutcome] when the message may have arrived.
func (j *Messages) Inform(ctx context.Context, a Asker, all ...kit.Message) error {
	for _, m := range all {
		if err := j.informOnce(ctx, a, m); err != nil {
			return err
		}
	}
	return nil
}

// informOnce keeps a mark before it sends the message. A delivery that finds the mark looks in the
// person's messages before it sends anything.
func (j *Messages) informOnce(ctx context.Context, a Asker, m kit.Message) error {
	id, told := job.Hash(a.Team+" "+a.User+" "+a.View+" "+a.Request+" "+a.At.UTC().String()+" "+m.Text), false
	if err := j.Documents.GetIfThere(ctx, toldNote(id), &told); err != nil || told {
		return err
	}
	there, err := j.arrived(ctx, a.User, id)
	if err != nil {
		return err
	}
	if !there {
		if err := j.deliver(ctx, a, m, id); err != nil {
			return err
		}
	}
	return j.Documents.PutTTL(ctx, toldNote(id), true, toldLife)
}

// toldLife is how long a job may be delivered again.
const toldLife = 25 * time.Hour

// toldNote keeps that an answer was told, and tellingNote since when its message may be under way.
func toldNote(id string) string { return "told:" + id }

func tellingNote(id string) string { return "telling:" + id }

// deliver sends the message; its answer may be lost.
func (j *Messages) deliver(ctx context.Context, a Asker, m kit.Message, id string) error {
	if err := j.Documents.PutTTL(ctx, tellingNote(id), time.Now(), toldLife); err != nil {
		return err
	}
	_, _, err := j.Slack.DM(ctx, a.User, client.Post{Text: m.Text, Blocks: m.Blocks, Metadata: cards.AnswerMetadata(id)})
	if errors.Is(err, client.ErrUnknownOutcome) {
		return err // the job comes back, and looks
	}
	if err != nil && ctx.Err() == nil && !WorthRetrying(err) {
		err = j.Tell(ctx, a.AsRequest(), m)
	}
	if err = j.RetryOrLog(ctx, a.User, err); err != nil && ctx.Err() == nil {
		return errors.Join(err, j.Documents.Delete(ctx, tellingNote(id))) // it did not arrive
	}
	return err
}

// arrived tells whether a delivery before sent the message, and could not say so. Where nobody can look it may
// have, and is not sent again.
func (j *Messages) arrived(ctx context.Context, user, id string) (bool, error) {
	var since time.Time
	if err := j.Documents.GetIfThere(ctx, tellingNote(id), &since); err != nil || since.IsZero() {
		return false, err
	}
	found, err := j.Find(ctx, user, since, time.Now(), func(m slack.Message) bool { return cards.AnswerIDOf(m) == id })
	if errors.Is(err, ErrUnreadable) {
		j.Log.WarnContext(ctx, "an answer may not have arrived", "user", user)
		return true, nil
	}
	return found.TS != "", err
}

// ErrUnreadable says that the app may not read its own direct messages: it has no im:history.
var ErrUnreadable = errors.New("direct messages may not be read")

// sentDM is where a direct message of the app's is.
type sentDM struct {
	Channel string
	TS      string // "" when it is not there
}

// Find looks for a direct message of the app's that may have been sent to the person since then, as soon as it can no
// longer be under way.
func (j *Messages) Find(ctx context.Context, user string, since, now time.Time, is func(slack.Message) bool) (sentDM, error) {
	// Another machine's clock may have said since when: it is never longer than that.
	if wait := min(j.Outcome-now.Sub(since), j.Outcome); wait > 0 {
		return sentDM{}, queue.Wait(wait)
	}
	me, err := j.Slack.Identity(ctx)
	if err != nil {
		return sentDM{}, err
	}
	if !me.Granted("im:history") {
		return sentDM{}, ErrUnreadable
	}
	channel, err := j.Slack.Direct(ctx, user)
	if err != nil {
		return sentDM{}, err
	}
	ours := func(m slack.Message) bool { return me.Wrote(m) && is(m) }
	messages, err := j.Slack.Read(ctx, client.Reading{Channel: channel, Oldest: since.Add(-clockSkew), Is: ours, Near: since})
	if err != nil && !errors.Is(err, client.ErrTooMany) {
		return sentDM{}, err
	}
	found := sentDM{Channel: channel}
	if at := slices.IndexFunc(messages, ours); at >= 0 {
		found.TS = messages[at].Timestamp
	}
	return found, nil
}

// InformOf is inform with the way to the card of the order that it is about.
func (j *Messages) InformOf(ctx context.Context, a Asker, t store.Tracked, m kit.Message) error {
	return j.Inform(ctx, a, j.aboutOrder(ctx, t, []kit.Message{m})...)
}

// aboutOrder adds to what is said last where the order's card is.
func (j *Messages) aboutOrder(ctx context.Context, t store.Tracked, all []kit.Message) []kit.Message {
	address := j.Links(ctx).Card(t)
	if len(all) == 0 || address == "" {
		return all
	}
	all = slices.Clone(all)
	all[len(all)-1] = cards.WithLink(all[len(all)-1], address)
	return all
}

// Tell answers a click so that only that person sees it.
func (j *Messages) Tell(ctx context.Context, r bot.Request, m kit.Message) error {
	where := client.Recipient{Channel: r.Channel, User: r.User, Thread: replyThread(r)}
	if time.Since(r.At) < AnswerLife {
		where.ResponseURL = r.ResponseURL
	}
	return j.Slack.Notify(ctx, where, m.Text, m.Blocks...)
}

// replyThread is the thread in which a click is answered. A message that has replies names
// itself as its thread: pressed in the channel, it is answered in the channel.
func replyThread(r bot.Request) string {
	if r.Thread == r.MessageTS {
		return ""
	}
	return r.Thread
}

// AnswerLife is how long after a click its answer still makes sense; Slack's response
// URLs live as long.
const AnswerLife = 30 * time.Minute

// Send sends a direct message.
func (j *Messages) Send(ctx context.Context, user string, m kit.Message) error {
	_, _, err := j.Slack.DM(ctx, user, client.Post{Text: m.Text, Blocks: m.Blocks})
	return err
}

// SendOrLog is Send that fails only while it makes sense to come back: see [WorthRetrying].
func (j *Messages) SendOrLog(ctx context.Context, user string, m kit.Message) error {
	return j.RetryOrLog(ctx, user, j.Send(ctx, user, m))
}

// RetryOrLog is the error of telling a person something, as long as it makes sense to come back: see
// [WorthRetrying]. Any other is logged.
func (j *Messages) RetryOrLog(ctx context.Context, user string, err error) error {
	if err == nil || ctx.Err() != nil || WorthRetrying(err) {
		return err
	}
	j.Log.ErrorContext(ctx, "person not told", "user", user, "err", err)
	return nil
}

// WorthRetrying reports whether what could not be said to a person is to be said later: Slack is away,
// or refuses the app until an operator acts. Who cannot be reached at all is logged instead,
// and what may have arrived is not sent again.
func WorthRetrying(err error) bool {
	return client.NeedsOperator(err) || job.Outage(err) && !errors.Is(err, client.ErrUnknownOutcome)
}

// Links makes links to messages of this workspace; none while Slack does not say where it is.
func (j *Messages) Links(ctx context.Context) cards.Links {
	me, err := j.Slack.Identity(ctx)
	if err != nil {
		j.Log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}

// whileLooking is how long after a click or a line its person still looks where they made it.
const whileLooking = 30 * time.Second

// Hint answers a click or a line where it was made, seen by its person only. Such a message may
// not arrive and is gone when they reload: it is for what they can do without, and what comes
// late is a direct message.
func (j *Messages) Hint(ctx context.Context, a Asker, all ...kit.Message) error {
	if time.Since(a.At) > whileLooking {
		return j.Inform(ctx, a, all...)
	}
	for _, m := range all {
		if err := j.RetryOrLog(ctx, a.User, j.Tell(ctx, a.AsRequest(), m)); err != nil {
			return err
		}
	}
	return nil
}

// clockSkew is how far Slack's clock may be from ours.
const clockSkew = 15 * time.Minute
