package answers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// DeferredView is the body of the job that puts a view where its loading was acknowledged.
type DeferredView struct {
	Window string          `json:"window"`
	Team   string          `json:"team,omitempty"`
	User   string          `json:"user"`
	From   string          `json:"from,omitempty"` // the channel in which the window was opened
	Render string          `json:"render"`         // what asked for it; a later one makes this one old
	View   json.RawMessage `json:"view,omitempty"`
	Note   string          `json:"note,omitempty"` // where a large view is kept instead
	At     time.Time       `json:"at"`             // when its loading was acknowledged
}

// RenderNote is where the newest view of a window is named.
func RenderNote(window string) string { return "render:" + job.Hash(window) }

// showDeferred does the job: the view comes after its loading, and never over a newer one.
func (j *Forms) showDeferred(ctx context.Context, d *queue.Delivery, f DeferredView) error {
	if err := f.asker().Painted(ctx); err != nil { // what came meanwhile is newer
		return err
	}
	var newest string
	if err := j.Documents.GetIfThere(ctx, RenderNote(f.Window), &newest); err != nil || newest != f.Render {
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

func (f DeferredView) asker() Asker {
	return Asker{View: f.Window, User: f.User, Channel: f.From, At: f.At}
}

func (j *Forms) fillLate(ctx context.Context, f DeferredView, view slack.ModalViewRequest) error {
	a := f.asker()
	err := j.ShowView(ctx, Drawn(view), func(view slack.ModalViewRequest) error { return j.update(ctx, a, view) })
	switch {
	case !errors.Is(err, client.ErrGone):
		return err
	case view.Submit != nil: // a form that was closed is not wanted
		return nil
	}
	return j.Messages.Inform(ctx, a, kit.AsMessages(view)...) // an answer is, and has what was typed
}

// DeferredKind declares the job that shows a deferred view.
func (j *Forms) DeferredKind() queue.Declared {
	return queue.Kind[DeferredView]{
		Name: job.DeferredView, Work: j.showDeferred, Asked: "showing the next page of a form",
		Truth: job.Always("Nothing was sent by that: close the form and open it again."),
	}.Declare()
}
