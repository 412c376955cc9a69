package jobs

import (
	"context"
	"errors"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// Asker is who asked for a job and how they are answered: in their form while it is open, else
// by direct message, see [Jobs.inform].
type Asker struct {
	Team        string    `json:"team"`
	User        string    `json:"user"`
	Channel     string    `json:"channel,omitempty"` // where they asked; "" = nowhere, answer by DM
	Thread      string    `json:"thread,omitempty"`
	ResponseURL string    `json:"response_url,omitempty"` // never that of a form
	View        string    `json:"view,omitempty"`         // external id of the form that was submitted
	Request     string    `json:"request,omitempty"`      // the identity of what they sent, see [bot.Request.ID]
	At          time.Time `json:"at"`                     // when they asked, or their form was acknowledged; zero = they only opened it
}

// AskerOf is who sent a request.
func AskerOf(r bot.Request) Asker {
	a := Asker{Team: r.Team, User: r.User, Channel: r.Channel, Thread: replyThread(r), ResponseURL: r.ResponseURL, Request: r.ID, At: r.At}
	if r.View != nil {
		a.View, a.At = r.View.ExternalID, time.Now()
	}
	return a
}

func (a Asker) request() bot.Request {
	return bot.Request{Team: a.Team, User: a.User, Channel: a.Channel, Thread: a.Thread, ResponseURL: a.ResponseURL, At: a.At}
}

// whileLooking is how long after a click or a line its person still looks where they made it.
const whileLooking = 30 * time.Second

// hint answers a click or a line where it was made, seen by its person only. Such a message may
// not arrive and is gone when they reload: it is for what they can do without, and what comes
// late is a direct message.
func (j *Jobs) hint(ctx context.Context, a Asker, all ...cards.Message) error {
	if time.Since(a.At) > whileLooking {
		return j.inform(ctx, a, all...)
	}
	for _, m := range all {
		if err := j.retryOrLog(ctx, a.User, j.Tell(ctx, a.request(), m)); err != nil {
			return err
		}
	}
	return nil
}

// inform tells a person by direct message what must reach them; who can have none is told where
// they asked. A job that is delivered again repeats nothing. It fails only while it makes sense to
// come back: see isWorthRetrying.
func (j *Jobs) inform(ctx context.Context, a Asker, all ...cards.Message) error {
	for _, m := range all {
		if err := j.informOnce(ctx, a, m); err != nil {
			return err
		}
	}
	return nil
}

func (j *Jobs) informOnce(ctx context.Context, a Asker, m cards.Message) error {
	note, told := "told:"+Hash(a.Team+" "+a.User+" "+a.View+" "+a.Request+" "+a.At.UTC().String()+" "+m.Text), false
	if err := j.store.GetIfThere(ctx, note, &told); err != nil || told {
		return err
	}
	err := j.dm(ctx, a.User, m)
	if err != nil && ctx.Err() == nil && !isWorthRetrying(err) && !errors.Is(err, bot.ErrUnknownOutcome) {
		err = j.Tell(ctx, a.request(), m)
	}
	if err = j.retryOrLog(ctx, a.User, err); err != nil {
		return err
	}
	return j.store.PutTTL(ctx, note, true, toldLife)
}

// toldLife is how long a job may be delivered again.
const toldLife = 25 * time.Hour

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
