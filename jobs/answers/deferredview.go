package answers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// DeferredView is the body of the job that replaces a loading view by its content.
type DeferredView struct {
	Window string          `json:"window"`
	Team   string          `json:"team,omitempty"`
	User   string          `json:"user"`
	From   string          `json:"from,omitempty"` // channel in which the window was opened
	Render string          `json:"render"`         // see [RenderOf]; a later request replaces it
	View   json.RawMessage `json:"view,omitempty"`
	Note   string          `json:"note,omitempty"` // document with a large view, instead of View
	At     time.Time       `json:"at"`             // when the loading view was acknowledged
}

// RenderOf returns the id and the time of a request for the content of a window.
func RenderOf(r bot.Request) string { return r.ID + " " + RequestTS(r) }

// RenderDoc names the document with a window's newest [RenderOf].
func RenderDoc(window string) string { return "render:" + job.Hash(window) }

// showDeferred shows the view after the loading view, unless there is a newer one.
func (j *Forms) showDeferred(ctx context.Context, d *queue.Delivery, f DeferredView) error {
	if err := f.asker().Painted(ctx); err != nil { // then check for a newer request
		return err
	}
	var newest string
	if err := j.Documents.GetIfThere(ctx, RenderDoc(f.Window), &newest); err != nil || f.replacedBy(newest) {
		return err
	}
	if f.Note != "" {
		if err := j.Documents.Get(ctx, f.Note, &f.View); err != nil {
			return err
		}
	}
	var view slack.ModalViewRequest
	if err := json.Unmarshal(f.View, &view); err != nil {
		return queue.Dead(fmt.Errorf("job %s: its view: %w", d.ID, err))
	}
	return j.fillLate(ctx, f, view)
}

// replacedBy reports whether the last request that was written down is a later one, or the form is done (""). An earlier one
// may be written last: Slack sends a click and the submission after it at once.
func (f DeferredView) replacedBy(last string) bool {
	id, ts, _ := strings.Cut(last, " ")
	ownID, ownTS, _ := strings.Cut(f.Render, " ")
	return id != ownID && (id == "" || ts >= ownTS)
}

func (f DeferredView) asker() Asker {
	return Asker{View: f.Window, User: f.User, Channel: f.From, At: f.At}
}

func (j *Forms) fillLate(ctx context.Context, f DeferredView, view slack.ModalViewRequest) error {
	a := f.asker()
	err := j.ShowView(ctx, Drawn(view), func(view slack.ModalViewRequest) error { return j.update(ctx, a, view) })
	switch {
	case !errors.Is(err, client.ErrGone):
		return err
	case view.Submit != nil: // the person closed the form
		return nil
	}
	return j.Messages.Inform(ctx, a, kit.AsMessages(view)...) // an answer must arrive: it has what was typed
}

// DeferredKind declares the job that shows a deferred view.
func (j *Forms) DeferredKind() queue.Declared {
	return queue.Kind[DeferredView]{
		Name: job.DeferredView, Work: j.showDeferred, Asked: "showing the next page of a form",
		Truth: job.Always("Nothing was sent. Close the form and open it again."),
	}.Declare()
}
