package commands

import (
	"context"
	"fmt"
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

// savedForms saves what people typed into the forms of orders that were placed.
type savedForms struct {
	documents *store.DocumentStore
	log       *slog.Logger
}

// save saves what a form holds, unless something typed later is saved.
func (c *savedForms) save(ctx context.Context, r bot.Request, now answers.Typed) error {
	name := noteOfForm(r)
	var had answers.Typed
	if err := c.documents.GetIfThere(ctx, name, &had); err != nil || r.ActionTS != "" && r.ActionTS < had.TS {
		return err
	}
	now.TS, now.At = max(r.ActionTS, had.TS), time.Now()
	return c.documents.PutPersonal(ctx, r.User, name, now, answers.TypedLife)
}

// forget forgets what was submitted, or thrown away; what was typed before that and comes later
// does not bring it back.
func (c *savedForms) forget(ctx context.Context, r bot.Request) {
	if !savesForm(r) {
		return
	}
	if err := c.documents.PutPersonal(ctx, r.User, noteOfForm(r), answers.Typed{TS: typedAt(r)}, answers.TypedLife); err != nil {
		c.log.WarnContext(ctx, "words not forgotten", "user", r.User, "err", err)
	}
}

// typedBefore are what this person typed into that form before. That they cannot be read costs no form.
func (c *savedForms) typedBefore(ctx context.Context, r bot.Request, form string, t store.Tracked) answers.Typed {
	var had answers.Typed
	if err := c.documents.GetIfThere(ctx, formNote(r, cards.SavedKey(form, kit.Meta{Order: t.ID, Revision: t.Order.Rev()})), &had); err != nil {
		c.log.WarnContext(ctx, "kept words not read", "user", r.User, "err", err)
		return answers.Typed{}
	}
	return had
}

// withTyped are the words that a form opens with, those of the line or else those of before, and the form
// that says whose they are.
func (c *savedForms) withTyped(ctx context.Context, r bot.Request, form string, f *resolve.Form) func(slack.ModalViewRequest) slack.ModalViewRequest {
	had := c.typedBefore(ctx, r, form, f.Order)
	if f.Words != "" || had.Words == "" {
		return func(v slack.ModalViewRequest) slack.ModalViewRequest { return v }
	}
	f.Words = had.Words
	return func(v slack.ModalViewRequest) slack.ModalViewRequest { return kit.WithSaved(v, had.At) }
}

// saveForOrder keeps what the first step held for the order that may have been chosen in it: there the
// second step keeps it.
func (c *savedForms) saveForOrder(ctx context.Context, r bot.Request, a answers.Album) {
	c.forget(ctx, r)
	name := formNote(r, cards.SavedKey(kit.CallbackReference, kit.Meta{Order: a.Order}))
	if err := c.documents.PutPersonal(ctx, r.User, name, answers.Typed{TS: typedAt(r), At: time.Now(), Album: a}, answers.TypedLife); err != nil {
		c.log.WarnContext(ctx, "words not kept", "user", r.User, "form", r.View.CallbackID, "err", err)
	}
}

// savesForm tells whether a request is of a form whose words are kept.
func savesForm(r bot.Request) bool {
	return r.View != nil && slices.Contains(kit.SavedForms(), r.View.CallbackID)
}

// formNote is where it is kept.
func formNote(r bot.Request, form string) string {
	return answers.TypedDoc(r.Team, r.User, form)
}

// noteOfForm is where those of the form that a request is of are.
func noteOfForm(r bot.Request) string {
	return formNote(r, cards.SavedKey(r.View.CallbackID, kit.DecodeMeta(r.View.PrivateMetadata)))
}

// typedAt is when somebody did what a request tells, by Slack's clock where it tells.
func typedAt(r bot.Request) string {
	if r.ActionTS != "" {
		return r.ActionTS
	}
	now := time.Now()
	return fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000)
}
