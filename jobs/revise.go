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

// revision declares how changes are requested.
var revision = changeVerb{
	kind: job.Revise, asked: "requesting changes", name: order.VerbRevise, repeatable: true,
	whyNot:    cards.CannotRevise,
	differs:   func(c *changeRun) bool { return c.hasNewPictures() || c.body.Changes.HasOrphanedText(c.order) },
	before:    (*changeRun).saveVerdicts,
	after:     sendCrops,
	intent:    (*changeRun).revisionIntent,
	send:      (*changeRun).sendRevision,
	saveTyped: (*changeRun).saveChanges,
	show:      (*changeRun).showRevision,
	form:      kit.CallbackRevise,
	typed:     func(c *changeRun) answers.Typed { return answers.Typed{Changes: typedIn(c)} },
}

func (c *changeRun) revisionIntent() order.Intent {
	i := order.Intent{PerImage: c.body.Changes.PerImage(c.order), Ticked: tickedIn(c)}
	if _, rest := c.body.Changes.Instructions(c.order); rest {
		i.Words, i.Good = order.Lines(c.body.Changes.All), c.body.Changes.Good
	}
	return i
}

// saveVerdicts saves which images were ticked as good, and which sentences as done. Both stay when the others come back.
func (c *changeRun) saveVerdicts(ctx context.Context) error {
	if len(c.body.Changes.Ticks) == 0 {
		return nil
	}
	t, _, err := c.change.store.Verdicts.Judge(ctx, c.order.ID, c.body.User, c.body.Changes.Ticks)
	if err == nil {
		c.order.Verdicts = t.Verdicts
	}
	return err
}

// sendCrops sends the marked crops of the pins that were requested.
func sendCrops(ctx context.Context, c *changeRun) error {
	return c.change.pins.Requested(ctx, c.Delivery.ID, c.body.Asker, c.order, c.body.Changes.Pins)
}

func (c *changeRun) sendRevision(ctx context.Context) (order.Order, error) {
	byImage, _ := c.body.Changes.Instructions(c.order)
	return c.change.service.Revise(ctx, c.order.ID, byImage)
}

// saveChanges saves the text for the form that is shown again, or for a message to the editor.
func (c *changeRun) saveChanges(ctx context.Context) error {
	if c.saved.Denied != "" {
		return c.change.forms.SaveText(ctx, c.body.User, answers.WordsDoc(c.Delivery.ID), c.body.Changes, c.order)
	}
	return c.change.store.Documents.PutPersonal(ctx, c.body.User, answers.ChangesDoc(c.body.View), c.changes(), answers.TypedLife)
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
			return change.ReviseStale(t, c.history, c.body.Revision, typed, thumbs, view)
		})
	case changeRefused:
		return c.form(func(typed change.Changes, thumbs cards.Thumbs) slack.ModalViewRequest {
			return change.Revise(t, c.history, typed, thumbs, view)
		})
	case changeDenied:
		note := answers.WordsDoc(c.Delivery.ID)
		if c.saved.Hidden {
			note = ""
		}
		return answers.Plain(DeniedChanges(t, c.body.Changes, c.saved.Denied, c.saved.Concurrent, note, view))
	}
	return answers.Plain(change.ReviseUnsettled(t, c.body.Changes, view))
}

// form returns an answer that shows the form again with its text. A person who closed it gets a button that opens it.
func (c *changeRun) form(view func(typed change.Changes, thumbs cards.Thumbs) slack.ModalViewRequest) answers.Answer {
	typed := c.changes()
	return answers.Answer{
		View:   func(thumbs cards.Thumbs) slack.ModalViewRequest { return view(typed, thumbs) },
		Closed: change.ReviseKept(c.order, c.body.Revision, typed, answers.ChangesDoc(c.body.View)),
	}
}

// changes returns the typed changes, with the service's reasons if it refused them.
func (c *changeRun) changes() change.Changes {
	if len(c.saved.Problems) > 0 {
		return c.body.Changes.Refused(c.order, c.saved.Problems)
	}
	return typedIn(c)
}

// typedIn returns the typed changes for the order as it is now.
func typedIn(c *changeRun) change.Changes {
	return c.body.Changes.For(c.order).WithAsked(c.order, c.history, true)
}

// DeniedChanges shows why nothing was sent: the concurrent changes if they came first, else the sentence.
func DeniedChanges(t store.Tracked, typed change.Changes, sentence string, concurrent *order.Event, note, window string) slack.ModalViewRequest {
	if concurrent != nil && concurrent.Kind == order.EventChanges {
		return change.ReviseConcurrent(t, *concurrent, typed, note, window)
	}
	return change.ReviseDenied(t, typed, sentence, note, window)
}
