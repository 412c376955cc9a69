package answers

import (
	"time"

	"darkroom/bot"
	"darkroom/store"
)

// Asker is the person who asked for a job, and where they are answered: in their form while it is open, else by direct
// message, see [Messages.Inform].
type Asker struct {
	Team        string    `json:"team"`
	User        string    `json:"user"`
	Channel     string    `json:"channel,omitempty"` // where they asked; "": outside a channel
	Thread      string    `json:"thread,omitempty"`
	ResponseURL string    `json:"response_url,omitempty"` // "" for a form
	View        string    `json:"view,omitempty"`         // external id of the submitted form
	Request     string    `json:"request,omitempty"`      // see [bot.Request.ID]
	At          time.Time `json:"at"`                     // when they asked, or their form was acknowledged; zero: they only opened it
}

// AskerOf returns the sender of a request.
func AskerOf(r bot.Request) Asker {
	a := Asker{Team: r.Team, User: r.User, Channel: r.Channel, Thread: replyThread(r), ResponseURL: r.ResponseURL, Request: r.ID, At: r.At}
	if r.View != nil {
		a.View, a.At = r.View.ExternalID, time.Now()
	}
	return a
}

// AsRequest returns the person as the sender of a request.
func (a Asker) AsRequest() bot.Request {
	return bot.Request{Team: a.Team, User: a.User, Channel: a.Channel, Thread: a.Thread, ResponseURL: a.ResponseURL, At: a.At}
}

// AllowerOf returns the approver who answered a question.
func AllowerOf(h store.Hold, by store.HoldDecision) Asker {
	return Asker{Team: h.Team, User: by.By, Channel: h.Channel, At: by.At}
}
