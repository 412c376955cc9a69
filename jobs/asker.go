package jobs

import (
	"context"
	"time"

	"darkroom/bot"
	"darkroom/cards"
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
