package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// ReviseNote is where the words are kept that a form does not show.
func ReviseNote(window string) string { return "changes:" + job.Hash(window) }

// revision is what is special about asking for changes.
var revision = changeVerb{
	kind: job.Revise, asked: "requesting changes", does: order.VerbRevise, repeats: true,
	cannot: cards.CannotRevise,
	moved:  func(c *changeRun) bool { return c.newer() || c.body.Changes.Stray(c.order) },
	before: (*changeRun).judge,
	intent: (*changeRun).revisionWords,
	send:   (*changeRun).sendRevision,
	keep:   (*changeRun).keepChanges,
	show:   (*changeRun).showRevision,
	form:   kit.CallbackRevise,
	typed:  func(c *changeRun) answers.Typed { return answers.Typed{Changes: c.body.Changes.For(c.order)} },
}

func (c *changeRun) revisionWords() order.Intent {
	i := order.Intent{PerImage: c.body.Changes.PerImage(c.order)}
	if _, rest := c.body.Changes.Instructions(c.order); rest {
		i.Words, i.Good = order.Lines(c.body.Changes.All), c.body.Changes.Good
	}
	return i
}

// judge keeps what was ticked in the form: what is good stays good when the other images come back.
func (c *changeRun) judge(ctx context.Context) error {
	if len(c.body.Changes.Ticks) == 0 {
		return nil
	}
	_, _, err := c.change.store.Verdicts.Judge(ctx, c.order.ID, c.body.User, c.body.Changes.Ticks)
	return err
}

func (c *changeRun) sendRevision(ctx context.Context) (order.Order, error) {
	byImage, _ := c.body.Changes.Instructions(c.order)
	return c.change.service.Revise(ctx, c.order.ID, byImage)
}

// keepChanges keeps the words for the form that is shown again, or for a message to the editor.
func (c *changeRun) keepChanges(ctx context.Context) error {
	if c.kept.Denied != "" {
		return c.change.forms.KeepText(ctx, c.body.User, answers.WordsNote(c.Delivery.ID), c.body.Changes, c.order)
	}
	return c.change.store.Documents.PutPersonal(ctx, c.body.User, ReviseNote(c.body.View), c.changes(), answers.TypedLife)
}

func (c *changeRun) showRevision(how changeEnd) answers.Answer {
	t, view := c.order, c.body.View
	switch how {
	case changeWaits:
		return answers.Plain(change.ReviseLater(t, view))
	case changeDone:
		return answers.Plain(change.Revised(t, view))
	case changeStale:
		return c.form(func(typed change.Changes, thumbs cards.Thumbs) slack.ModalViewRequest {
			return change.ReviseStale(t, c.course, c.body.Revision, typed, thumbs, view)
		})
	case changeRefused:
		return c.form(func(typed change.Changes, thumbs cards.Thumbs) slack.ModalViewRequest {
			return change.Revise(t, c.course, typed, thumbs, view)
		})
	case changeDenied:
		note := answers.WordsNote(c.Delivery.ID)
		if c.kept.Hidden {
			note = ""
		}
		return answers.Plain(DeniedChanges(t, c.body.Changes, c.kept.Denied, c.kept.Rival, note, view))
	}
	return answers.Plain(change.ReviseUnsettled(t, c.body.Changes, view))
}

// form is an answer that asks again, with all that was typed; who has closed it can open
// it again.
func (c *changeRun) form(view func(typed change.Changes, thumbs cards.Thumbs) slack.ModalViewRequest) answers.Answer {
	typed := c.changes()
	return answers.Answer{
		View:   func(thumbs cards.Thumbs) slack.ModalViewRequest { return view(typed, thumbs) },
		Closed: change.ReviseKept(c.order, c.body.Revision, typed, ReviseNote(c.body.View)),
	}
}

// changes are what was typed, with the service's reasons when it refused it.
func (c *changeRun) changes() change.Changes {
	if len(c.kept.Problems) > 0 {
		return c.body.Changes.Refused(c.order, c.kept.Problems)
	}
	return c.body.Changes.For(c.order)
}

// DeniedChanges tells who was first, else in a sentence why nothing was sent.
func DeniedChanges(t store.Tracked, typed change.Changes, sentence string, rival *order.Event, note, window string) slack.ModalViewRequest {
	if rival != nil && rival.Kind == order.EventChanges {
		return change.ReviseConcurrent(t, *rival, typed, note, window)
	}
	return change.ReviseDenied(t, typed, sentence, note, window)
}
