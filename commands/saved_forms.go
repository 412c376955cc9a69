package commands

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/resolve"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// savedForms saves the content of forms of placed orders.
type savedForms struct {
	documents *store.DocumentStore
	log       *slog.Logger
}

// save saves a form's content, unless a later edit is saved.
func (c *savedForms) save(ctx context.Context, r bot.Request, now answers.Typed) error {
	name := docOfForm(r)
	var had answers.Typed
	if err := c.documents.GetIfThere(ctx, name, &had); err != nil || r.ActionTS != "" && r.ActionTS < had.TS {
		return err
	}
	now.TS, now.At = max(r.ActionTS, had.TS), time.Now()
	return c.documents.PutPersonal(ctx, r.User, name, now, answers.TypedLife)
}

// forget deletes the content of a submitted or cleared form. Earlier edits that arrive late do not bring it back.
func (c *savedForms) forget(ctx context.Context, r bot.Request) {
	if !savesForm(r) {
		return
	}
	if err := c.documents.PutPersonal(ctx, r.User, docOfForm(r), answers.Typed{TS: answers.RequestTS(r)}, answers.TypedLife); err != nil {
		c.log.WarnContext(ctx, "words not forgotten", "user", r.User, "err", err)
	}
}

// typedBefore returns the content that the person last typed into the form. A failure to read it opens an empty form.
func (c *savedForms) typedBefore(ctx context.Context, r bot.Request, form string, t store.Tracked) answers.Typed {
	var had answers.Typed
	if err := c.documents.GetIfThere(ctx, formDoc(r, cards.SavedKey(form, kit.Meta{Order: t.ID, Revision: t.Order.Rev()})), &had); err != nil {
		c.log.WarnContext(ctx, "kept words not read", "user", r.User, "err", err)
		return answers.Typed{}
	}
	return had
}

// withTyped sets f.Text from the saved content, unless the line has text. The returned function adds a notice of the
// saved content to the form.
func (c *savedForms) withTyped(ctx context.Context, r bot.Request, form string, f *resolve.Form) func(slack.ModalViewRequest) slack.ModalViewRequest {
	had := c.typedBefore(ctx, r, form, f.Order)
	if f.Text != "" || had.Words == "" {
		return func(v slack.ModalViewRequest) slack.ModalViewRequest { return v }
	}
	f.Text = had.Words
	return func(v slack.ModalViewRequest) slack.ModalViewRequest { return kit.WithSaved(v, had.At) }
}

// saveForOrder moves the first step's content to the order that was chosen there: the second step saves under that
// order.
func (c *savedForms) saveForOrder(ctx context.Context, r bot.Request, a answers.Album) {
	c.forget(ctx, r)
	name := formDoc(r, cards.SavedKey(kit.CallbackReference, kit.Meta{Order: a.Order}))
	if err := c.documents.PutPersonal(ctx, r.User, name, answers.Typed{TS: answers.RequestTS(r), At: time.Now(), Album: a}, answers.TypedLife); err != nil {
		c.log.WarnContext(ctx, "words not kept", "user", r.User, "form", r.View.CallbackID, "err", err)
	}
}

// savesForm reports whether the content of the request's form is saved.
func savesForm(r bot.Request) bool {
	return r.View != nil && slices.Contains(kit.SavedForms(), r.View.CallbackID)
}

// formDoc returns the name of a saved form's document.
func formDoc(r bot.Request, form string) string {
	return answers.TypedDoc(r.Team, r.User, form)
}

// docOfForm returns the name of the document for the request's form.
func docOfForm(r bot.Request) string {
	return formDoc(r, cards.SavedKey(r.View.CallbackID, kit.DecodeMeta(r.View.PrivateMetadata)))
}
