package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// keepsWords tells whether a request is of a form whose words are kept.
func keepsWords(r bot.Request) bool {
	return r.View != nil && slices.Contains(cards.KeptForms(), r.View.CallbackID)
}

// keptNote is where it is kept.
func keptNote(r bot.Request, form string) string {
	return answers.TypedNote(r.Team, r.User, form)
}

// keptWordsOf is where those of the form that a request is of are.
func keptWordsOf(r bot.Request) string {
	return keptNote(r, cards.KeptOf(r.View.CallbackID, cards.DecodeMeta(r.View.PrivateMetadata)))
}

// keepWords keeps what a form of an order holds, on the ack path.
func (c *Commands) keepWords(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.View == nil || r.View.State == nil || len(r.View.State.Values) == 0 {
		return bot.Ack(), nil
	}
	c.keepWhatItHolds(ctx, r)
	return bot.Ack(), nil
}

// keepWhatItHolds keeps what a form holds; that it cannot costs nobody the form.
func (c *Commands) keepWhatItHolds(ctx context.Context, r bot.Request) {
	if err := c.keepForm(ctx, r); err != nil {
		c.log.WarnContext(ctx, "words not kept", "user", r.User, "form", r.View.CallbackID, "err", err)
	}
}

func (c *Commands) keepForm(ctx context.Context, r bot.Request) error {
	now, err := c.typedNow(ctx, r)
	if err != nil {
		return err
	}
	name := keptWordsOf(r)
	var had answers.Typed
	if err := c.store.GetIfThere(ctx, name, &had); err != nil || r.ActionTS != "" && r.ActionTS < had.TS {
		return err
	}
	now.TS, now.At = max(r.ActionTS, had.TS), time.Now()
	return c.store.PutPersonal(ctx, r.User, name, now, answers.TypedLife)
}

// typedNow is what a form holds.
func (c *Commands) typedNow(ctx context.Context, r bot.Request) (answers.Typed, error) {
	switch r.View.CallbackID {
	case cards.CallbackReference:
		album, err := c.typedAlbum(ctx, r)
		return answers.Typed{Album: album}, err
	case cards.CallbackRevise:
	default:
		return answers.Typed{Words: cards.TypedIn(*r.View)}, nil
	}
	page := cards.DecodeRevise(*r.View)
	t, err := c.store.Order(ctx, page.Order)
	if err != nil {
		return answers.Typed{}, err
	}
	typed, err := c.keepRevise(ctx, r, page, t)
	typed.Problems, typed.Unknown = nil, nil // what the service said is said once
	return answers.Typed{Changes: typed.Changes}, err
}

// forgetWords forgets what was submitted, or thrown away; what was typed before that and comes later
// does not bring it back.
func (c *Commands) forgetWords(ctx context.Context, r bot.Request) {
	if !keepsWords(r) {
		return
	}
	if err := c.store.PutPersonal(ctx, r.User, keptWordsOf(r), answers.Typed{TS: typedAt(r)}, answers.TypedLife); err != nil {
		c.log.WarnContext(ctx, "words not forgotten", "user", r.User, "err", err)
	}
}

// typedAt is when somebody did what a request tells, by Slack's clock where it tells.
func typedAt(r bot.Request) string {
	if r.ActionTS != "" {
		return r.ActionTS
	}
	now := time.Now()
	return fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000)
}

// wordsKept are what this person typed into that form before. That they cannot be read costs no form.
func (c *Commands) wordsKept(ctx context.Context, r bot.Request, form string, t store.Tracked) answers.Typed {
	var had answers.Typed
	if err := c.store.GetIfThere(ctx, keptNote(r, cards.KeptOf(form, cards.Meta{Order: t.ID, Revision: t.Order.Rev()})), &had); err != nil {
		c.log.WarnContext(ctx, "kept words not read", "user", r.User, "err", err)
		return answers.Typed{}
	}
	return had
}

// withKept are the words that a form opens with, those of the line or else those of before, and the form
// that says whose they are.
func (c *Commands) withKept(ctx context.Context, r bot.Request, form string, f *orderForm) func(slack.ModalViewRequest) slack.ModalViewRequest {
	had := c.wordsKept(ctx, r, form, f.order)
	if f.words != "" || had.Words == "" {
		return func(v slack.ModalViewRequest) slack.ModalViewRequest { return v }
	}
	f.words = had.Words
	return func(v slack.ModalViewRequest) slack.ModalViewRequest { return cards.WithKept(v, had.At) }
}

// beginAnew shows a form that was opened with the words of another time without them.
func (c *Commands) beginAnew(ctx context.Context, r bot.Request) error {
	if !keepsWords(r) {
		return nil
	}
	t, err := c.orderOfForm(ctx, r)
	if err != nil {
		return err
	}
	c.forgetWords(ctx, r)
	window := r.View.ExternalID
	if err := c.store.Delete(ctx, jobs.ReviseNote(window)); err != nil {
		return err
	}
	view, gen := c.emptyForm(ctx, r, t), job.Hash(r.ID)
	return c.fillWindow(ctx, r, window, "", func(thumbs cards.Thumbs) slack.ModalViewRequest { return cards.Anew(view(thumbs), gen) })
}

// orderOfForm is the order that an open form is bound to; nothing when it is chosen in it.
func (c *Commands) orderOfForm(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if id := cards.DecodeMeta(r.View.PrivateMetadata).Order; id != "" {
		return c.jobs.Finder.Visible(ctx, r, id)
	}
	return store.Tracked{}, nil
}

// emptyForm is an open form with nothing in its boxes, for the order as it is.
func (c *Commands) emptyForm(ctx context.Context, r bot.Request, t store.Tracked) answers.ViewFunc {
	meta, window := cards.DecodeMeta(r.View.PrivateMetadata), r.View.ExternalID
	switch {
	case r.View.CallbackID == cards.CallbackRevise:
		return c.reviseAsIs(ctx, t, cards.Changes{}, cards.DecodeRevise(*r.View), window)
	case r.View.CallbackID == cards.CallbackReference:
		return c.referenceForm(t, answers.Album{}, "", "", meta.Channel, window)
	case r.View.CallbackID == cards.CallbackCancel:
		return plainView(cards.Cancel(t, "", time.Now(), window))
	case r.View.CallbackID == cards.CallbackMessage && t.ID == "":
		return plainView(cards.MessageAnyOrder("", meta.Channel, window))
	case r.View.CallbackID == cards.CallbackMessage:
		return plainView(cards.MessageEditor(t, "", meta.Channel, window))
	}
	course := c.jobs.Orders.Course(ctx, t.ID)
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		if cards.Newer(t, meta.Revision, meta.Pictures) {
			return cards.ApproveStale(t, course, meta.Revision, "", thumbs, window)
		}
		return cards.Approve(t, course, "", thumbs, window)
	}
}
