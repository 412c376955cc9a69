package commands

import (
	"context"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// openForms handles what all open forms share: saving the content, and clearing it.
type openForms struct {
	documents *store.DocumentStore
	jobs      *jobs.Jobs
	log       *slog.Logger
	finder    *resolve.Finder
	windows   *answer.Windows
	drafts    *drafts
	reference *reference
	revise    *revise
	saved     *savedForms
}

// saveForm saves a form's content and logs a failure.
func (c *openForms) saveForm(ctx context.Context, r bot.Request) {
	now, err := c.typedNow(ctx, r)
	if err == nil {
		err = c.saved.save(ctx, r, now)
	}
	if err != nil {
		c.log.WarnContext(ctx, "words not kept", "user", r.User, "form", r.View.CallbackID, "err", err)
	}
}

// typedNow returns a form's content.
func (c *openForms) typedNow(ctx context.Context, r bot.Request) (answers.Typed, error) {
	switch r.View.CallbackID {
	case kit.CallbackReference:
		album, err := c.reference.typedAlbum(ctx, r)
		return answers.Typed{Album: album}, err
	case kit.CallbackRevise:
		return c.revise.typedRevise(ctx, r)
	}
	return answers.Typed{Words: kit.TypedText(*r.View)}, nil
}

// clear empties a form that was opened with saved content.
func (c *openForms) clear(ctx context.Context, r bot.Request) error {
	if !savesForm(r) {
		return nil
	}
	t, err := c.finder.OfForm(ctx, r)
	if err != nil {
		return err
	}
	c.saved.forget(ctx, r)
	window := r.View.ExternalID
	if err := c.documents.Delete(ctx, answers.ChangesDoc(window)); err != nil {
		return err
	}
	view, err := c.emptyForm(ctx, r, t)
	if err != nil {
		return err
	}
	gen := job.Hash(r.ID)
	return c.windows.Fill(ctx, window, "", func(thumbs cards.Thumbs) slack.ModalViewRequest { return kit.WithNewIDs(view(thumbs), gen) })
}

// emptyForm returns the open form without content, for the order's current state.
func (c *openForms) emptyForm(ctx context.Context, r bot.Request, t store.Tracked) (answers.ViewFunc, error) {
	meta, window := kit.DecodeMeta(r.View.PrivateMetadata), r.View.ExternalID
	switch {
	case r.View.CallbackID == kit.CallbackRevise:
		pins, err := c.revise.store.Pins.Clear(ctx, t.ID, r.User)
		return c.revise.currentForm(ctx, t, change.Changes{}.WithPins(r.User, pins), change.DecodeRevise(*r.View), window), err
	case r.View.CallbackID == kit.CallbackReference:
		return c.reference.referenceForm(t, answers.Album{}, "", "", meta.Channel, window), nil
	case r.View.CallbackID == kit.CallbackCancel:
		return answer.Static(change.Cancel(t, "", time.Now(), window)), nil
	case r.View.CallbackID == kit.CallbackMessage && t.ID == "":
		return answer.Static(cardstalk.MessageAnyOrder("", meta.Channel, window)), nil
	case r.View.CallbackID == kit.CallbackMessage:
		return answer.Static(cardstalk.MessageEditor(t, "", meta.Channel, window)), nil
	}
	history := c.jobs.Orders.RoundHistory(ctx, t.ID)
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		if cards.Newer(t, meta.Revision, meta.Pictures) {
			return change.ApproveStale(t, history, meta.Revision, "", thumbs, window)
		}
		return change.Approve(t, history, "", thumbs, window)
	}, nil
}

// saveTyped saves the content of an open or closed form, on the ack path. Slack does not report the content of a form
// that is closed later, so it is saved at each change.
func (c *openForms) saveTyped(ctx context.Context, r bot.Request) (bot.Reply, error) {
	switch {
	case !hasState(r):
	case savesForm(r):
		c.saveForm(ctx, r)
	default:
		c.drafts.saveQuietly(ctx, r)
	}
	return bot.Ack(), nil
}
