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

// Messages sends messages that one person alone sees.
type Messages struct {
	Slack     Slack
	Documents *store.DocumentStore
	Outcome   time.Duration // how long a message that Slack did not confirm may still arrive
	Log       *slog.Logger
}

// Inform sends a person messages that must reach them, by direct message or, if that is impossible, where they asked. A
// redelivered job repeats no message. It fails only if a retry makes sense, see [WorthRetrying], and with
// [client.ErrUnknownOutcome] if a message may have arrived.
func (j *Messages) Inform(ctx context.Context, a Asker, all ...kit.Message) error {
	for _, m := range all {
		if err := j.informOnce(ctx, a, m); err != nil {
			return err
		}
	}
	return nil
}

// informOnce saves a mark before it sends the message. A delivery that finds the mark reads the person's messages
// before it sends again.
func (j *Messages) informOnce(ctx context.Context, a Asker, m kit.Message) error {
	id, told := job.Hash(a.Team+" "+a.User+" "+a.View+" "+a.Request+" "+a.At.UTC().String()+" "+m.Text), false
	if err := j.Documents.GetIfThere(ctx, sentDoc(id), &told); err != nil || told {
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
	return j.Documents.PutTTL(ctx, sentDoc(id), true, redeliveryLife)
}

// redeliveryLife is how long a job may be delivered again.
const redeliveryLife = 25 * time.Hour

// sentDoc names the document that marks an answer as sent, and sendingDoc the one with the time of its send.
func sentDoc(id string) string { return "told:" + id }

func sendingDoc(id string) string { return "telling:" + id }

// deliver saves the mark and sends the message.
func (j *Messages) deliver(ctx context.Context, a Asker, m kit.Message, id string) error {
	if err := j.Documents.PutTTL(ctx, sendingDoc(id), time.Now(), redeliveryLife); err != nil {
		return err
	}
	_, _, err := j.Slack.DM(ctx, a.User, client.Post{Text: m.Text, Blocks: m.Blocks, Metadata: cards.AnswerMetadata(id)})
	if errors.Is(err, client.ErrUnknownOutcome) {
		return err // the redelivered job reads the messages
	}
	if err != nil && ctx.Err() == nil && !WorthRetrying(err) {
		err = j.SendEphemeral(ctx, a.AsRequest(), m)
	}
	if err = j.RetryOrLog(ctx, a.User, err); err != nil && ctx.Err() == nil {
		return errors.Join(err, j.Documents.Delete(ctx, sendingDoc(id))) // it did not arrive
	}
	return err
}

// arrived reports whether an earlier delivery sent the message. It is true if the app may not read its messages, so
// that the message is not sent twice.
func (j *Messages) arrived(ctx context.Context, user, id string) (bool, error) {
	var since time.Time
	if err := j.Documents.GetIfThere(ctx, sendingDoc(id), &since); err != nil || since.IsZero() {
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

// sentDM is the place of a direct message of the app.
type sentDM struct {
	Channel string
	TS      string // "": not found
}

// Find finds a direct message of the app to the user that may have been sent at since. It waits until the message
// can no longer be in flight.
func (j *Messages) Find(ctx context.Context, user string, since, now time.Time, is func(slack.Message) bool) (sentDM, error) {
	// since may be by another machine's clock, so the wait is bounded.
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

// InformOf is [Messages.Inform] with a link to the order's card.
func (j *Messages) InformOf(ctx context.Context, a Asker, t store.Tracked, m kit.Message) error {
	return j.Inform(ctx, a, j.aboutOrder(ctx, t, []kit.Message{m})...)
}

// aboutOrder adds a link to the order's card to the last message.
func (j *Messages) aboutOrder(ctx context.Context, t store.Tracked, all []kit.Message) []kit.Message {
	address := j.Links(ctx).Card(t)
	if len(all) == 0 || address == "" {
		return all
	}
	all = slices.Clone(all)
	all[len(all)-1] = cards.WithLink(all[len(all)-1], address)
	return all
}

// SendEphemeral answers a click by an ephemeral message.
func (j *Messages) SendEphemeral(ctx context.Context, r bot.Request, m kit.Message) error {
	where := client.Recipient{Channel: r.Channel, User: r.User, Thread: replyThread(r)}
	if time.Since(r.At) < AnswerLife {
		where.ResponseURL = r.ResponseURL
	}
	return j.Slack.Notify(ctx, where, m.Text, m.Blocks...)
}

// replyThread returns the thread in which a click is answered. A message with replies names itself as its thread; a
// click on it in the channel is answered in the channel.
func replyThread(r bot.Request) string {
	if r.Thread == r.MessageTS {
		return ""
	}
	return r.Thread
}

// AnswerLife is how long after a click its answer still makes sense: the life of Slack's response URLs.
const AnswerLife = 30 * time.Minute

// Send sends a direct message.
func (j *Messages) Send(ctx context.Context, user string, m kit.Message) error {
	_, _, err := j.Slack.DM(ctx, user, client.Post{Text: m.Text, Blocks: m.Blocks})
	return err
}

// SendOrLog is [Messages.Send] that logs errors that are not [WorthRetrying].
func (j *Messages) SendOrLog(ctx context.Context, user string, m kit.Message) error {
	return j.RetryOrLog(ctx, user, j.Send(ctx, user, m))
}

// RetryOrLog returns the error of a message to a person if it is [WorthRetrying], and logs any other.
func (j *Messages) RetryOrLog(ctx context.Context, user string, err error) error {
	if err == nil || ctx.Err() != nil || WorthRetrying(err) {
		return err
	}
	j.Log.ErrorContext(ctx, "person not told", "user", user, "err", err)
	return nil
}

// WorthRetrying reports whether a message should be sent later: Slack is away, or refuses the app until an operator
// acts. It is false if the person cannot be reached at all, or the message may have arrived.
func WorthRetrying(err error) bool {
	return client.NeedsOperator(err) || job.Outage(err) && !errors.Is(err, client.ErrUnknownOutcome)
}

// Links makes links to messages of this workspace. They are empty while Slack does not tell its address.
func (j *Messages) Links(ctx context.Context) cards.Links {
	me, err := j.Slack.Identity(ctx)
	if err != nil {
		j.Log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}

// hintLife is how long after a request its person is expected to still look there.
const hintLife = 30 * time.Second

// Hint answers a click or a line by ephemeral messages. They may not arrive, and are gone after a reload, so they are
// for minor answers. A late hint is a direct message.
func (j *Messages) Hint(ctx context.Context, a Asker, all ...kit.Message) error {
	if time.Since(a.At) > hintLife {
		return j.Inform(ctx, a, all...)
	}
	for _, m := range all {
		if err := j.RetryOrLog(ctx, a.User, j.SendEphemeral(ctx, a.AsRequest(), m)); err != nil {
			return err
		}
	}
	return nil
}

// clockSkew bounds the difference between Slack's clock and this machine's.
const clockSkew = 15 * time.Minute
