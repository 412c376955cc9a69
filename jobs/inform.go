package jobs

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// inform tells a person by direct message what must reach them; who can have none is told where
// they asked. A job that is delivered again repeats nothing. It fails only while it makes sense to
// come back: see isWorthRetrying, and with [bot.ErrUnknownOutcome] when the message may have arrived.
func (j *Jobs) inform(ctx context.Context, a Asker, all ...cards.Message) error {
	for _, m := range all {
		if err := j.informOnce(ctx, a, m); err != nil {
			return err
		}
	}
	return nil
}

// informOnce keeps a mark before it sends the message. A delivery that finds the mark looks in the
// person's messages before it sends anything.
func (j *Jobs) informOnce(ctx context.Context, a Asker, m cards.Message) error {
	id, told := Hash(a.Team+" "+a.User+" "+a.View+" "+a.Request+" "+a.At.UTC().String()+" "+m.Text), false
	if err := j.store.GetIfThere(ctx, toldNote(id), &told); err != nil || told {
		return err
	}
	there, err := j.arrived(ctx, a.User, id)
	if err != nil {
		return err
	}
	if !there {
		if err := j.send(ctx, a, m, id); err != nil {
			return err
		}
	}
	return j.store.PutTTL(ctx, toldNote(id), true, toldLife)
}

// toldLife is how long a job may be delivered again.
const toldLife = 25 * time.Hour

// toldNote keeps that an answer was told, and tellingNote since when its message may be under way.
func toldNote(id string) string { return "told:" + id }

func tellingNote(id string) string { return "telling:" + id }

// send sends the message; its answer may be lost.
func (j *Jobs) send(ctx context.Context, a Asker, m cards.Message, id string) error {
	if err := j.store.PutTTL(ctx, tellingNote(id), time.Now(), toldLife); err != nil {
		return err
	}
	_, _, err := j.slack.DM(ctx, a.User, bot.Post{Text: m.Text, Blocks: m.Blocks, Metadata: cards.ToldMetadata(id)})
	if errors.Is(err, bot.ErrUnknownOutcome) {
		return err // the job comes back, and looks
	}
	if err != nil && ctx.Err() == nil && !isWorthRetrying(err) {
		err = j.Tell(ctx, a.request(), m)
	}
	if err = j.retryOrLog(ctx, a.User, err); err != nil && ctx.Err() == nil {
		return errors.Join(err, j.store.Delete(ctx, tellingNote(id))) // it did not arrive
	}
	return err
}

// arrived tells whether a delivery before sent the message, and could not say so. Where nobody can look it may
// have, and is not sent again.
func (j *Jobs) arrived(ctx context.Context, user, id string) (bool, error) {
	var since time.Time
	if err := j.store.GetIfThere(ctx, tellingNote(id), &since); err != nil || since.IsZero() {
		return false, err
	}
	found, err := j.findDM(ctx, user, since, time.Now(), func(m slack.Message) bool { return cards.ToldOf(m) == id })
	if errors.Is(err, errUnreadable) {
		j.log.WarnContext(ctx, "an answer may not have arrived", "user", user)
		return true, nil
	}
	return found.TS != "", err
}

// errUnreadable says that the app may not read its own direct messages: it has no im:history.
var errUnreadable = errors.New("direct messages may not be read")

// sentDM is where a direct message of the app's is.
type sentDM struct {
	Channel string
	TS      string // "" when it is not there
}

// findDM looks for a direct message of the app's that may have been sent to the person since then, as soon as it can no
// longer be under way.
func (j *Jobs) findDM(ctx context.Context, user string, since, now time.Time, is func(slack.Message) bool) (sentDM, error) {
	// Another machine's clock may have said since when: it is never longer than that.
	if wait := min(j.waits.Outcome-now.Sub(since), j.waits.Outcome); wait > 0 {
		return sentDM{}, queue.Wait(wait)
	}
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return sentDM{}, err
	}
	if !me.Granted("im:history") {
		return sentDM{}, errUnreadable
	}
	channel, err := j.slack.Direct(ctx, user)
	if err != nil {
		return sentDM{}, err
	}
	ours := func(m slack.Message) bool { return me.Wrote(m) && is(m) }
	messages, err := j.slack.Read(ctx, bot.Reading{Channel: channel, Oldest: since.Add(-clockSkew), Is: ours, Near: since})
	if err != nil && !errors.Is(err, bot.ErrTooMany) {
		return sentDM{}, err
	}
	found := sentDM{Channel: channel}
	if at := slices.IndexFunc(messages, ours); at >= 0 {
		found.TS = messages[at].Timestamp
	}
	return found, nil
}

// informOf is inform with the way to the card of the order that it is about.
func (j *Jobs) informOf(ctx context.Context, a Asker, t store.Tracked, m cards.Message) error {
	return j.inform(ctx, a, j.aboutOrder(ctx, t, []cards.Message{m})...)
}

// aboutOrder adds to what is said last where the order's card is.
func (j *Jobs) aboutOrder(ctx context.Context, t store.Tracked, all []cards.Message) []cards.Message {
	address := j.Links(ctx).Card(t)
	if len(all) == 0 || address == "" {
		return all
	}
	all = slices.Clone(all)
	all[len(all)-1] = cards.WithLink(all[len(all)-1], address)
	return all
}
