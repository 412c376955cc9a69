package commands

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// revise asks an order's editor for changes.
type revise struct {
	store        *store.Store
	jobs         *jobs.Jobs
	access       *access.Control
	finder       *resolve.Finder
	orderWindows *resolve.Windows
	readOnly     *answer.ReadOnly
	windows      *answer.Windows
	submissions  *submissions
	saved        *savedForms
}

var reviseHelp = cards.HelpRow{
	Verb: "revise", Usage: "revise [ID] [instructions…]", Does: "asks for changes, photo by photo or for all",
	Example: "revise K7Q2XM",
	More: []string{
		"The form has a box for each photo. With more than five photos, “Add Changes” opens a photo's box. Instructions after the ID are for all photos.",
		"Photos ticked as good do not change. Ticks last until a new edit arrives, for everybody. Ticks alone send nothing.",
		"From round 2 on, each requested change has a tick “Done”. What has no tick is filled in again, to be changed or deleted.",
	},
}

// openRevise opens the form for changes, bound to the revision that the person saw. The line's text is for all images;
// a returned form brings its own.
func (c *revise) openRevise(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, "revise", change.TitleRevise, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		t := f.Order
		var typed change.Changes
		if err := c.finder.Saved(ctx, r, change.ReviseBlock, &typed); err != nil {
			return nil, err
		}
		before := c.saved.typedBefore(ctx, r, kit.CallbackRevise, t)
		if !typed.Empty() {
			before = answers.Typed{}
		} else if !before.Empty() {
			typed = before.Changes
		}
		begins := typed.Empty() && f.Text == ""
		if !slices.Contains(order.Lines(typed.All), strings.TrimSpace(f.Text)) {
			typed.All = strings.TrimSpace(typed.All + "\n" + f.Text)
		}
		pins, err := c.store.Pins.Read(ctx, t.ID, r.User)
		if err != nil {
			return nil, err
		}
		typed = typed.WithPins(r.User, pins)
		history := c.jobs.Orders.RoundHistory(ctx, t.ID)
		typed = typed.Reopened().For(t).WithAsked(t, history, true)
		if begins {
			typed = typed.WithFindings(t)
		}
		if sentence := cannotRevise(t); sentence != "" {
			sentence, _, err := c.jobs.Orders.WhyCannot(ctx, r, t, order.VerbRevise, sentence)
			if err != nil {
				return nil, err
			}
			note := answers.WordsDoc(r.ID)
			return answer.Static(change.ReviseDenied(t, typed, sentence, note, f.Window)), c.jobs.Forms.SaveText(ctx, r.User, note, typed, t)
		}
		seen, newer := seenBefore(r, t)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest {
			view := change.Revise(t, history, typed, thumbs, f.Window)
			if newer {
				view = change.ReviseStale(t, history, seen, typed, thumbs, f.Window)
			}
			if before.Empty() {
				return view
			}
			return kit.WithSaved(view, before.At)
		}, c.saveTypedChanges(ctx, r.User, f.Window, typed)
	})
}

// cannotRevise returns the reason that no changes can be asked for now, or "".
func cannotRevise(t store.Tracked) string {
	switch {
	case !t.Can(order.VerbRevise):
		return cards.CannotRevise(t)
	case !change.CanName(t):
		return cards.CannotName(t)
	}
	return ""
}

// submitRevise handles the form, on the ack path.
func (c *revise) submitRevise(ctx context.Context, r bot.Request) (bot.Reply, error) {
	window := r.View.ExternalID
	page := change.DecodeRevise(*r.View)
	if page.Order == "" {
		return bot.Errors(page.Problem(change.LostOrder)), nil
	}
	t, err := c.store.Orders.Order(ctx, page.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	had, err := c.saveRevise(ctx, r, page, t)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := had.Changes
	if wrong := page.Contradictions(typed, t); len(wrong) > 0 {
		return bot.Errors(wrong), nil
	}
	if typed.OnlyTicks(t) {
		return c.saveVerdicts(ctx, r, t, typed, page)
	}
	typed = typed.WithVerdicts(t)
	asIs := t.Can(order.VerbRevise) && !cards.Newer(t, page.Revision, page.Pictures)
	if problem := nothingToSend(t, typed); asIs && problem != "" {
		return bot.Errors(page.Problem(problem)), nil
	}
	if c.jobs.Forms.Mark != nil { // a pin that is set from now on is refused, so that none is saved and not sent
		pins, err := c.store.Pins.Close(ctx, t.ID, r.User)
		if err != nil {
			return bot.Reply{}, err
		}
		typed = typed.WithPins(r.User, pins)
	}
	if err := c.store.Documents.PutPersonal(ctx, r.User, answers.ChangesDoc(window), answers.TypedChanges{Changes: typed, TS: answers.Submitted}, answers.TypedLife); err != nil {
		return bot.Reply{}, err
	}
	typed.Problems = nil
	return c.submissions.putChange(ctx, r, job.Revise, jobs.ChangeArgs{
		Order: t.ID, Revision: page.Revision, Pictures: page.Pictures, Changes: typed,
	}, change.Revising(t, window), change.ReviseLater(t, window))
}

// saveVerdicts saves the ticks of a form without text, on the ack path. It is idempotent.
func (c *revise) saveVerdicts(ctx context.Context, r bot.Request, t store.Tracked, typed change.Changes, page change.RevisePage) (bot.Reply, error) {
	window := r.View.ExternalID
	if reply, denied, err := c.deny(ctx, r, t, typed, page); err != nil || denied {
		return reply, err
	}
	now, conflicts, err := c.store.Verdicts.Judge(ctx, t.ID, r.User, typed.Ticks)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := c.store.Documents.PutPersonal(ctx, r.User, answers.ChangesDoc(window), answers.TypedChanges{TS: answers.Submitted}, answers.TypedLife); err != nil {
		return bot.Reply{}, err
	}
	c.saved.forget(ctx, r)
	return c.windows.Reply(ctx, r, change.VerdictsSaved(now, c.jobs.Orders.RoundHistory(ctx, t.ID), conflicts, window))
}

// deny answers with the reason that the person can no longer ask for changes; denied is false if they can.
func (c *revise) deny(ctx context.Context, r bot.Request, t store.Tracked, typed change.Changes, page change.RevisePage) (reply bot.Reply, denied bool, err error) {
	var note string
	var concurrent *order.Event
	sentence := cannotRevise(t)
	permit, err := c.access.Authorize(ctx, r, t)
	switch {
	case err != nil:
	case !permit.Sees:
		sentence = cards.NotFound(page.Order)
	case permit.Denial != "":
		sentence = cards.CannotPost(t.Owner.Channel, permit.Denial)
	case sentence != "":
		note = answers.WordsDoc(r.ID)
		sentence, concurrent, err = c.jobs.Orders.WhyCannot(ctx, r, t, order.VerbRevise, sentence)
		if err == nil {
			err = c.jobs.Forms.SaveText(ctx, r.User, note, typed, t)
		}
	}
	if err != nil || sentence == "" {
		return bot.Reply{}, false, err
	}
	reply, err = c.windows.Reply(ctx, r, jobs.DeniedChanges(t, typed, sentence, concurrent, note, r.View.ExternalID))
	return reply, true, err
}

// currentForm returns the form with these changes, for the order's current state. It says so if the person saw an older
// one.
func (c *revise) currentForm(ctx context.Context, t store.Tracked, typed change.Changes, page change.RevisePage, window string) answers.ViewFunc {
	history := c.jobs.Orders.RoundHistory(ctx, t.ID)
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		if cards.Newer(t, page.Revision, page.Pictures) {
			return change.ReviseStale(t, history, page.Revision, typed.For(t), thumbs, window)
		}
		return change.RevisePart(t, history, typed, page.Page, thumbs, window)
	}
}

// nothingToSend returns the reason that the text would reach no image, or "".
func nothingToSend(t store.Tracked, typed change.Changes) string {
	byImage, rest := typed.Instructions(t)
	switch {
	case typed.All != "" && !rest && len(typed.Good) > 0:
		return change.NobodyLeft
	case typed.All != "" && !rest:
		return change.NobodyElse
	case len(byImage) == 0:
		return change.NothingSaid(t)
	}
	return ""
}

// redraw handles a button that opens a photo's box or shows other photos, and a tick that fills boxes. It saves the form on
// the ack path, and then shows it.
func (c *revise) redraw(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.View == nil {
		return bot.Ack(), nil
	}
	typed, err := c.typedRevise(ctx, r)
	if err == nil {
		err = c.saved.save(ctx, r, typed)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	return c.readOnly.Answer(ctx, r, c.showAgain)
}

// showAgain shows the form with its open boxes.
func (c *revise) showAgain(ctx context.Context, r bot.Request) error {
	window := r.View.ExternalID
	page := change.DecodeRevise(*r.View)
	if part, err := strconv.Atoi(r.Value); err == nil && strings.HasPrefix(r.Name, change.ActionPart) {
		page.Page = part
	}
	t, err := c.jobs.Finder.Visible(ctx, r, page.Order)
	if errors.Is(err, jobs.ErrNotFound) {
		return c.windows.Fill(ctx, window, r.View.Hash, answer.Static(kit.Notice(change.TitleRevise, cards.NotFound(page.Order), window)))
	}
	if err != nil {
		return err
	}
	had, err := answers.ChangesIn(ctx, c.store.Documents, window)
	if err != nil || redrawnLater(had, r) { // the later request redraws the form
		return err
	}
	if err := c.windows.Supersede(ctx, r); err != nil {
		return err
	}
	view := c.currentForm(ctx, t, had.Changes, page, window)
	if err = c.windows.FillUnchanged(ctx, window, r.View.Hash, view); !errors.Is(err, client.ErrHashConflict) {
		return err
	}
	// An earlier click has redrawn the form. This click is later, so it redraws again unless a newer request came.
	if had, err = answers.ChangesIn(ctx, c.store.Documents, window); err != nil || redrawnLater(had, r) {
		return err
	}
	return c.windows.Fill(ctx, window, "", view)
}

// typedRevise saves an open form's changes under its window and returns them.
func (c *revise) typedRevise(ctx context.Context, r bot.Request) (answers.Typed, error) {
	page := change.DecodeRevise(*r.View)
	t, err := c.store.Orders.Order(ctx, page.Order)
	if err != nil {
		return answers.Typed{}, err
	}
	typed, err := c.saveRevise(ctx, r, page, t)
	typed.Problems, typed.Unknown = nil, nil // the service's problems are shown once
	return answers.Typed{Changes: typed.Changes}, err
}

// redrawnLater reports whether a newer request redraws the form: another click, or the form's end. Typing and ticking do
// not redraw it.
func redrawnLater(c answers.TypedChanges, r bot.Request) bool {
	return c.Submitted() || r.ActionTS != "" && c.ChosenTS > r.ActionTS
}

// saveRevise merges a form's content into the saved one, and opens the box that was clicked. An older edit that arrives
// late changes no text.
func (c *revise) saveRevise(ctx context.Context, r bot.Request, page change.RevisePage, t store.Tracked) (answers.TypedChanges, error) {
	window := r.View.ExternalID
	had, err := answers.ChangesIn(ctx, c.store.Documents, window)
	if err != nil {
		return had, err
	}
	pins, err := c.store.Pins.Read(ctx, t.ID, r.User)
	if err != nil {
		return had, err
	}
	had.Changes = had.WithPins(r.User, pins)
	if had.Asked == nil && t.Order.Rev() > 0 {
		had.Changes = had.WithAsked(t, c.jobs.Orders.RoundHistory(ctx, t.ID), false)
	}
	if r.Name == change.ActionChanges || r.Name == change.ActionDone || strings.HasPrefix(r.Name, change.ActionPart) {
		had.ChosenTS = max(had.ChosenTS, r.ActionTS)
	}
	if r.ActionTS == "" || r.ActionTS >= had.TS {
		had.Changes, had.TS = page.Into(had.Changes, t), r.ActionTS
	}
	if r.Name == change.ActionChanges {
		had.Changes = had.WithBox(r.Value, t)
	}
	return had, c.store.Documents.PutPersonal(ctx, r.User, answers.ChangesDoc(window), had, answers.TypedLife)
}

// saveTypedChanges saves a form's first content. An empty form needs no document.
func (c *revise) saveTypedChanges(ctx context.Context, user, window string, typed change.Changes) error {
	if typed.Empty() {
		return nil
	}
	return c.store.Documents.PutPersonal(ctx, user, answers.ChangesDoc(window), typed, answers.TypedLife)
}
