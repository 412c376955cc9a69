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
	"darkroom/cards/place"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// openForms is what all open forms have in common: saving while somebody types, beginning anew, going back.
type openForms struct {
	documents *store.DocumentStore
	jobs      *jobs.Jobs
	log       *slog.Logger
	finder    *resolve.Finder
	windows   *answer.Windows
	draftForm *draftForm
	drafts    *drafts
	reference *reference
	revise    *revise
	saved     *savedForms
}

// saveClosed keeps what a form of an order holds, on the ack path.
func (c *openForms) saveClosed(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.View == nil || r.View.State == nil || len(r.View.State.Values) == 0 {
		return bot.Ack(), nil
	}
	c.saveForm(ctx, r)
	return bot.Ack(), nil
}

// saveForm saves what a form holds. A failure does not cost the person the form.
func (c *openForms) saveForm(ctx context.Context, r bot.Request) {
	now, err := c.typedNow(ctx, r)
	if err == nil {
		err = c.saved.save(ctx, r, now)
	}
	if err != nil {
		c.log.WarnContext(ctx, "words not kept", "user", r.User, "form", r.View.CallbackID, "err", err)
	}
}

// typedNow is what a form holds.
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

// beginAnew shows a form that was opened with the words of another time without them.
func (c *openForms) beginAnew(ctx context.Context, r bot.Request) error {
	if !savesForm(r) {
		return nil
	}
	t, err := c.finder.OfForm(ctx, r)
	if err != nil {
		return err
	}
	c.saved.forget(ctx, r)
	window := r.View.ExternalID
	if err := c.documents.Delete(ctx, jobs.ReviseDoc(window)); err != nil {
		return err
	}
	view, gen := c.emptyForm(ctx, r, t), job.Hash(r.ID)
	return c.windows.Fill(ctx, r, window, "", func(thumbs cards.Thumbs) slack.ModalViewRequest { return kit.WithNewIDs(view(thumbs), gen) })
}

// emptyForm is an open form with nothing in its boxes, for the order as it is.
func (c *openForms) emptyForm(ctx context.Context, r bot.Request, t store.Tracked) answers.ViewFunc {
	meta, window := kit.DecodeMeta(r.View.PrivateMetadata), r.View.ExternalID
	switch {
	case r.View.CallbackID == kit.CallbackRevise:
		return c.revise.reviseAsIs(ctx, t, change.Changes{}, change.DecodeRevise(*r.View), window)
	case r.View.CallbackID == kit.CallbackReference:
		return c.reference.referenceForm(t, answers.Album{}, "", "", meta.Channel, window)
	case r.View.CallbackID == kit.CallbackCancel:
		return answer.Plain(change.Cancel(t, "", time.Now(), window))
	case r.View.CallbackID == kit.CallbackMessage && t.ID == "":
		return answer.Plain(cardstalk.MessageAnyOrder("", meta.Channel, window))
	case r.View.CallbackID == kit.CallbackMessage:
		return answer.Plain(cardstalk.MessageEditor(t, "", meta.Channel, window))
	}
	course := c.jobs.Orders.RoundHistory(ctx, t.ID)
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		if cards.Newer(t, meta.Revision, meta.Pictures) {
			return change.ApproveStale(t, course, meta.Revision, "", thumbs, window)
		}
		return change.Approve(t, course, "", thumbs, window)
	}
}

// pageBack shows the page before, in a form of several.
func (c *openForms) pageBack(ctx context.Context, r bot.Request) error {
	switch {
	case r.View == nil:
		return nil
	case r.View.CallbackID == place.CallbackImages:
		return c.draftForm.imagesBack(ctx, r)
	}
	return c.revise.reviseBack(ctx, r)
}

// saveTyped keeps what is being typed into an order form, on the ack path: Slack does
// not tell what a form held when it is closed. One that is closed is offered again.
func (c *openForms) saveTyped(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if savesForm(r) {
		return c.saveClosed(ctx, r)
	}
	c.drafts.saveQuietly(ctx, r)
	return bot.Ack(), nil
}
