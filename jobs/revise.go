package jobs

import (
	"context"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// ReviseNote is where the words of a form's other pages are kept.
func ReviseNote(window string) string { return "changes:" + Hash(window) }

// KeepText keeps what was typed for a message to the editor.
func (j *Jobs) KeepText(ctx context.Context, note string, typed cards.Changes, t store.Tracked) error {
	return j.keepWords(ctx, note, typed.Text(t))
}

func (j *Jobs) reviseKind() queue.Declared {
	return j.changeKind(ReviseJob, "requesting changes", j.revision())
}

// revision is what is special about asking for changes.
func (j *Jobs) revision() changeVerb {
	return changeVerb{
		does: order.VerbRevise, may: j.access.Authorize, deny: j.denyRevision, repeats: true,
		moved: func(a *attempt) bool { return a.newer() || a.body.Changes.Stray(a.order) },
		intent: func(a *attempt) order.Intent {
			i := order.Intent{Verb: order.VerbRevise, PerImage: a.body.Changes.PerImage(a.order)}
			if _, rest := a.body.Changes.Instructions(a.order); rest {
				i.Words = order.Lines(a.body.Changes.All)
			}
			return i
		},
		send: func(ctx context.Context, a *attempt) (order.Order, error) {
			byImage, _ := a.body.Changes.Instructions(a.order)
			return j.service.Revise(ctx, a.order.ID, byImage)
		},
		keep:  j.keepRevision,
		later: func(a *attempt) answer { return plainly(cards.ReviseLater(a.order, a.body.View)) },
		done:  func(a *attempt) answer { return plainly(cards.Revised(a.order, a.body.View)) },
		stale: func(a *attempt) answer {
			typed := a.body.Changes.For(a.order)
			return a.form(typed, func(thumbs bool) slack.ModalViewRequest {
				return cards.ReviseStale(a.order, a.body.Revision, typed, 0, thumbs, a.body.View)
			})
		},
		refused: func(a *attempt) answer {
			typed := a.refusedChanges()
			return a.form(typed, func(thumbs bool) slack.ModalViewRequest {
				return cards.Revise(a.order, typed, typed.PageOf(a.order, 0), thumbs, a.body.View)
			})
		},
		denied: func(a *attempt) answer {
			note := WordsNote(a.d.ID)
			if a.state.Hidden {
				note = ""
			}
			return plainly(DeniedChanges(a.order, a.body.Changes, a.state.Denied, a.state.Rival, note, a.body.View))
		},
		unsettled: func(a *attempt) answer {
			return plainly(cards.ReviseUnsettled(a.order, a.body.Changes, a.body.View))
		},
	}
}

// form is an answer that asks again, with all that was typed; who has closed it can open
// it again.
func (a *attempt) form(typed cards.Changes, view ViewFunc) answer {
	return answer{view: view, gone: func() []cards.Message {
		return cards.ReviseKept(a.order, a.body.Revision, typed, ReviseNote(a.body.View))
	}}
}

func (a *attempt) refusedChanges() cards.Changes {
	return a.body.Changes.Refused(a.order, a.state.Problems)
}

// denyRevision says why no changes can be asked for now; when somebody else has asked
// first, who it was.
func (j *Jobs) denyRevision(ctx context.Context, a *attempt) (err error) {
	a.state.Denied = cards.CannotRevise(a.order)
	a.state.Rival, err = j.Rival(ctx, a.order)
	return err
}

// Rival is the request for changes that is being worked on, nil when there is none.
func (j *Jobs) Rival(ctx context.Context, t store.Tracked) (*order.Event, error) {
	if t.WhyNot(order.VerbRevise) != order.ReasonRevising {
		return nil, nil
	}
	events, err := j.store.Events(ctx, t.ID)
	for _, e := range slices.Backward(events) {
		if e.Kind == order.EventChanges {
			return &e, err
		}
	}
	return nil, err
}

// DeniedChanges tells who was first, else in a sentence why nothing was sent.
func DeniedChanges(t store.Tracked, typed cards.Changes, sentence string, rival *order.Event, note, window string) slack.ModalViewRequest {
	if rival != nil {
		return cards.ReviseRival(t, *rival, typed, note, window)
	}
	return cards.ReviseDenied(t, typed, sentence, note, window)
}

// keepRevision keeps the words for the form that is shown again, and for a message to
// the editor.
func (j *Jobs) keepRevision(ctx context.Context, a *attempt) error {
	if a.state.Denied != "" {
		return j.KeepText(ctx, WordsNote(a.d.ID), a.body.Changes, a.order)
	}
	typed := a.body.Changes.For(a.order)
	if len(a.state.Problems) > 0 {
		typed = a.refusedChanges()
	}
	return j.store.Note(ctx, ReviseNote(a.body.View), typed, TypedLife)
}
