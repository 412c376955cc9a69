package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/upstream"
)

// ShortcutNew is the callback id of the global shortcut *New photo order*.
const ShortcutNew = "new"

var newHelp = cards.HelpRow{
	Verb: "new", Usage: "new [urls…]", Does: "opens the order form, filled with the image URLs of the line",
	Example: "new https://example.com/beach.jpg",
}

// openNew opens the order form on a fresh draft.
func (c *Commands) openNew(ctx context.Context, r bot.Request) error {
	draft := store.Draft{
		ID: hash(r.ID), Team: r.Team, User: r.User, Channel: postable(r.Channel), From: r.Channel,
		URLs: lineURLs(r), Service: upstream.Basic,
		Attempt: 1, State: store.DraftOpen, UpdatedAt: now(),
	}
	if err := c.store.SaveDraft(ctx, draft); err != nil {
		return err
	}
	return c.openForm(ctx, r, draft)
}

// reopenDraft opens the form again with everything that was typed.
func (c *Commands) reopenDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return c.draftGone(ctx, r, err)
	}
	switch draft.State {
	case store.DraftOpen, store.DraftRefused:
		return c.openForm(ctx, r, draft)
	}
	if err := c.ensurePlacing(ctx, draft, windowID(r, draft)); err != nil {
		return err
	}
	return c.tell(ctx, r, cards.Told(c.draftView(ctx, draft, windowID(r, draft))))
}

// openForm opens the form and then adds the credits, which the service may take a
// moment to tell.
func (c *Commands) openForm(ctx context.Context, r bot.Request, draft store.Draft) error {
	id := windowID(r, draft)
	opened, err := c.slack.OpenView(ctx, r.TriggerID, cards.NewOrder(draft, draft.Problems, "", id))
	if err != nil {
		return err
	}
	quick, cancel := brief(ctx)
	defer cancel()
	credits, err := c.service.Balance(quick)
	if err != nil {
		c.log.InfoContext(ctx, "form opened without credits", "err", err)
		return nil
	}
	view := cards.NewOrder(draft, draft.Problems, credits.String(), id)
	if _, err := c.slack.UpdateView(ctx, "", opened.ID, opened.Hash, view); err != nil {
		c.log.DebugContext(ctx, "credits not shown", "err", err)
	}
	return nil
}

// submitNew takes a filled form, on the ack path: local problems are shown under their
// field, everything else becomes the job that places the order. One attempt of a draft
// is one job, however often and from however many windows it is submitted.
func (c *Commands) submitNew(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cards.DecodeNewOrder(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	draft, err := c.submittedDraft(ctx, r, form)
	if err != nil {
		return bot.Reply{}, err
	}
	if form.Attempt < draft.Attempt && draft.State == store.DraftRefused {
		// A window from before the refusal: its words are kept, the reasons are new to it.
		return bot.Update(cards.NewOrder(fill(draft, form), draft.Problems, "", r.View.ExternalID)), nil
	}
	filled := fill(draft, form)
	filled.Attempt = form.Attempt
	sent, won, err := c.store.Submit(ctx, filled)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := c.submitted(ctx, sent, won, form.Attempt, r.View.ExternalID); err != nil {
		return bot.Reply{}, err
	}
	return bot.Update(cards.Placing(sent, r.View.ExternalID)), nil
}

// submitted puts what follows a submission. The attempt's job is put again by whoever
// comes second: the first may have died before it could.
func (c *Commands) submitted(ctx context.Context, sent store.Draft, won bool, attempt int, view string) error {
	if won {
		return c.putPlacing(ctx, sent, view, false)
	}
	if err := c.ensurePlacing(ctx, sent, view); err != nil {
		return err
	}
	return c.follow(ctx, sent, attempt, view, now())
}

// submittedDraft is the draft behind a submitted form. When the store has lost it, the
// form itself holds everything that was typed.
func (c *Commands) submittedDraft(ctx context.Context, r bot.Request, form cards.Form) (store.Draft, error) {
	draft, err := c.store.Draft(ctx, form.Draft)
	if errors.Is(err, store.ErrNoDraft) {
		return store.Draft{
			ID: form.Draft, Team: r.Team, User: r.User, From: form.Channel,
			Attempt: max(form.Attempt, 1), State: store.DraftOpen, UpdatedAt: now(),
		}, nil
	}
	if err != nil {
		return store.Draft{}, err
	}
	if draft.User != r.User {
		return store.Draft{}, fmt.Errorf("draft %s: %w", draft.ID, errNotFound)
	}
	return draft, nil
}

// fill puts what was typed into the draft.
func fill(draft store.Draft, form cards.Form) store.Draft {
	draft.Channel, draft.URLs, draft.Service = form.Channel, form.URLs, form.Service
	draft.Instructions, draft.ProjectName, draft.CustomerID = form.Instructions, form.ProjectName, form.CustomerID
	draft.SubmittedAt, draft.UpdatedAt = now(), now()
	return draft
}

// retryDraft is *Try again* after an order that was never seen at the service: a new
// attempt under the same reference, which looks once more before it sends.
func (c *Commands) retryDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return c.draftGone(ctx, r, err)
	}
	draft, _, err = c.store.TryAgain(ctx, draft)
	if err != nil {
		return err
	}
	window := buttonWindow(r, draft)
	if err := c.ensurePlacing(ctx, draft, window); err != nil {
		return err
	}
	return c.draftShown(ctx, r, draft, window)
}

// discardDraft is *Discard*: the draft is not placed. Its reference stays watched.
func (c *Commands) discardDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return c.draftGone(ctx, r, err)
	}
	if draft.State == store.DraftUnknown || draft.State == store.DraftRefused {
		draft.State, draft.UpdatedAt = store.DraftDiscarded, now()
		if err := c.store.SaveDraft(ctx, draft); err != nil {
			return err
		}
	}
	return c.draftShown(ctx, r, draft, buttonWindow(r, draft))
}

// draftShown answers a draft's button where it was pressed: in its modal or message.
func (c *Commands) draftShown(ctx context.Context, r bot.Request, draft store.Draft, id string) error {
	view := c.draftView(ctx, draft, id)
	if r.View == nil {
		return c.tell(ctx, r, cards.Told(view))
	}
	return c.answer(ctx, draftWindow(draft, id, time.Time{}), view)
}

// ownDraft loads the draft a button names; those of other people do not exist.
func (c *Commands) ownDraft(ctx context.Context, r bot.Request) (store.Draft, error) {
	draft, err := c.store.Draft(ctx, r.Value)
	if err == nil && draft.User != r.User {
		return store.Draft{}, store.ErrNoDraft
	}
	return draft, err
}

// draftGone answers the button of a draft that is no more.
func (c *Commands) draftGone(ctx context.Context, r bot.Request, err error) error {
	if !errors.Is(err, store.ErrNoDraft) {
		return err
	}
	return c.tell(ctx, r, cards.Say("I no longer have this draft: I keep one for seven days. Please start again with `"+Slash+" new`."))
}

// windowID names one modal on a draft: a draft may be open in several.
func windowID(r bot.Request, draft store.Draft) string {
	return "new:" + draft.ID + ":" + hash(r.ID)
}

// buttonWindow is the modal whose button was pressed, else a name for none.
func buttonWindow(r bot.Request, draft store.Draft) string {
	if r.View != nil && r.View.ExternalID != "" {
		return r.View.ExternalID
	}
	return windowID(r, draft)
}

// lineURLs are the image URLs on the command line; Slack may have wrapped them as <url>
// or <url|text>.
func lineURLs(r bot.Request) []string {
	if r.Kind != bot.KindCommand {
		return nil
	}
	words := strings.Fields(r.Args)
	if looksLikeURL(r.Verb) {
		words = strings.Fields(r.Text)
	}
	for i, w := range words {
		w = strings.TrimSuffix(strings.TrimPrefix(w, "<"), ">")
		words[i], _, _ = strings.Cut(w, "|")
	}
	return words
}

// postable is the channel an order can be posted to: direct messages own no orders.
func postable(channel string) string {
	if strings.HasPrefix(channel, "D") {
		return ""
	}
	return channel
}
