package commands

import (
	"context"
	"errors"
	"slices"
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

// revise asks for changes to an order.
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
	Verb: "revise", Usage: "revise [ID] [words…]", Does: "asks for changes, image by image or for all of them",
	Example: "revise K7Q2XM",
	More: []string{
		"The form has a box for each image, where there are more than five for those that you choose; words after the ID are for all of them. The button “Request changes” opens it, too.",
		"Tick what is good: it is remembered for everybody until a new edit is there, and your words for all images are not for it. Ticks alone are saved, and nothing is sent.",
	},
}

// openRevise opens the form for changes, bound to the revision that the person saw. Words
// of the line are for all images; a form that came back brings its own.
func (c *revise) openRevise(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, "revise", change.TitleRevise, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		t := f.Order
		var typed change.Changes
		if err := c.finder.Note(ctx, r, change.ReviseBlock, &typed); err != nil {
			return nil, err
		}
		before := c.saved.typedBefore(ctx, r, kit.CallbackRevise, t)
		if !typed.Empty() {
			before = answers.Typed{}
		} else if !before.Empty() {
			typed = before.Changes
		}
		typed = typed.Reopened().For(t)
		if !slices.Contains(order.Lines(typed.All), strings.TrimSpace(f.Words)) {
			typed.All = strings.TrimSpace(typed.All + "\n" + f.Words)
		}
		if sentence := cannotRevise(t); sentence != "" {
			sentence, _, err := c.jobs.Orders.WhyCannot(ctx, r, t, order.VerbRevise, sentence)
			if err != nil {
				return nil, err
			}
			note := answers.WordsDoc(r.ID)
			return answer.Plain(change.ReviseDenied(t, typed, sentence, note, f.Window)), c.jobs.Forms.SaveText(ctx, r.User, note, typed, t)
		}
		seen, newer := seenBefore(r, t)
		course := c.jobs.Orders.RoundHistory(ctx, t.ID)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest {
			view := change.Revise(t, course, typed, thumbs, f.Window)
			if newer {
				view = change.ReviseStale(t, course, seen, typed, thumbs, f.Window)
			}
			if before.Empty() {
				return view
			}
			return kit.WithSaved(view, before.At)
		}, c.saveTypedChanges(ctx, r.User, f.Window, typed)
	})
}

// cannotRevise says why no changes can be asked for now, "" when they can.
func cannotRevise(t store.Tracked) string {
	switch {
	case !t.Can(order.VerbRevise):
		return cards.CannotRevise(t)
	case !change.CanName(t):
		return cards.CannotName(t)
	}
	return ""
}

// submitRevise takes the form, on the ack path. One of an earlier version may say that another page
// follows: nothing of it is sent before its person has seen the form as it is now.
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
	if page.More {
		return c.reviseAgain(ctx, r, t, typed, page)
	}
	if wrong := page.Contradictions(typed, t); len(wrong) > 0 {
		return bot.Errors(wrong), nil
	}
	if typed.Wordless() && len(typed.Ticks) > 0 {
		return c.saveVerdicts(ctx, r, t, typed, page)
	}
	typed = typed.WithVerdicts(t)
	asIs := t.Can(order.VerbRevise) && !cards.Newer(t, page.Revision, page.Pictures)
	if problem := nothingToSend(t, typed); asIs && problem != "" {
		return bot.Errors(page.Problem(problem)), nil
	}
	if err := c.store.Documents.PutPersonal(ctx, r.User, jobs.ReviseDoc(window), typedChanges{Changes: typed, TS: sent}, answers.TypedLife); err != nil {
		return bot.Reply{}, err
	}
	typed.Problems = nil
	return c.submissions.putChange(ctx, r, job.Revise, jobs.ChangeArgs{
		Order: t.ID, Revision: page.Revision, Pictures: page.Pictures, Changes: typed,
	}, change.Revising(t, window), change.ReviseLater(t, window))
}

// reviseAgain shows the form in the place of a page of one, to who may change the order still. An
// order that has changed meanwhile is told at once.
func (c *revise) reviseAgain(ctx context.Context, r bot.Request, t store.Tracked, typed change.Changes, page change.RevisePage) (bot.Reply, error) {
	if denied, err := c.revisionDenied(ctx, r, t, typed, page); err != nil || denied != nil {
		return c.replyDenied(ctx, r, denied, err)
	}
	return c.windows.Reply(ctx, r, c.reviseAsIs(ctx, t, typed, page, r.View.ExternalID)(cards.Thumbs{Show: true}))
}

// saveVerdicts keeps what was ticked in a form without words, on the ack path, from who may change the order
// still. Doing it twice is doing it once.
func (c *revise) saveVerdicts(ctx context.Context, r bot.Request, t store.Tracked, typed change.Changes, page change.RevisePage) (bot.Reply, error) {
	window := r.View.ExternalID
	if denied, err := c.revisionDenied(ctx, r, t, typed, page); err != nil || denied != nil {
		return c.replyDenied(ctx, r, denied, err)
	}
	now, overtaken, err := c.store.Verdicts.Judge(ctx, t.ID, r.User, typed.Ticks)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := c.store.Documents.PutPersonal(ctx, r.User, jobs.ReviseDoc(window), typedChanges{TS: sent}, answers.TypedLife); err != nil {
		return bot.Reply{}, err
	}
	c.saved.forget(ctx, r)
	return c.windows.Reply(ctx, r, change.VerdictsSaved(now, overtaken, window))
}

// revisionDenied is why somebody who has a form cannot ask for changes to the order any more; nil when they
// can.
func (c *revise) revisionDenied(ctx context.Context, r bot.Request, t store.Tracked, typed change.Changes, page change.RevisePage) (*slack.ModalViewRequest, error) {
	window := r.View.ExternalID
	permit, err := c.access.Authorize(ctx, r, t)
	switch {
	case err != nil:
		return nil, err
	case !permit.Sees:
		return new(change.ReviseDenied(t, typed, cards.NotFound(page.Order), "", window)), nil
	case permit.Denial != "":
		return new(change.ReviseDenied(t, typed, cards.CannotPost(t.Owner.Channel, permit.Denial), "", window)), nil
	}
	sentence := cannotRevise(t)
	if sentence == "" {
		return nil, nil
	}
	sentence, rival, err := c.jobs.Orders.WhyCannot(ctx, r, t, order.VerbRevise, sentence)
	if err != nil {
		return nil, err
	}
	note := answers.WordsDoc(r.ID)
	return new(jobs.DeniedChanges(t, typed, sentence, rival, note, window)), c.jobs.Forms.SaveText(ctx, r.User, note, typed, t)
}

func (c *revise) replyDenied(ctx context.Context, r bot.Request, denied *slack.ModalViewRequest, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, *denied)
}

// reviseAsIs is the form with these words, for the order as it is: it says so when it is newer than the
// one that was shown.
func (c *revise) reviseAsIs(ctx context.Context, t store.Tracked, typed change.Changes, page change.RevisePage, window string) answers.ViewFunc {
	course := c.jobs.Orders.RoundHistory(ctx, t.ID)
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		if cards.Newer(t, page.Revision, page.Pictures) {
			return change.ReviseStale(t, course, page.Revision, typed.For(t), thumbs, window)
		}
		return change.Revise(t, course, typed, thumbs, window)
	}
}

// nothingToSend says why the words would reach no image, "" when they do.
func nothingToSend(t store.Tracked, typed change.Changes) string {
	byImage, rest := typed.Instructions(t)
	switch {
	case typed.All != "" && !rest && len(typed.Good) > 0:
		return change.NobodyLeft
	case typed.All != "" && !rest:
		return change.NobodyElse
	case len(byImage) == 0:
		return change.NoChanges
	}
	return ""
}

// chooseImages is a choice of images in the form: what it holds is kept on the ack path, and then the
// chosen ones get their boxes.
func (c *revise) chooseImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
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
	return c.readOnly.Answer(ctx, r, c.showChosen)
}

// showChosen shows the form with the boxes of the chosen images.
func (c *revise) showChosen(ctx context.Context, r bot.Request) error {
	window := r.View.ExternalID
	page := change.DecodeRevise(*r.View)
	t, err := c.jobs.Finder.Visible(ctx, r, page.Order)
	if errors.Is(err, jobs.ErrNotFound) {
		return c.windows.Fill(ctx, r, window, r.View.Hash, answer.Plain(kit.Notice(change.TitleRevise, cards.NotFound(page.Order), window)))
	}
	if err != nil {
		return err
	}
	had, err := c.typedChanges(ctx, window)
	if err != nil || had.later(r) { // it shows its own
		return err
	}
	if err := c.windows.Supersede(ctx, r); err != nil {
		return err
	}
	view := c.reviseAsIs(ctx, t, had.Changes, page, window)
	if r.Name != change.ActionWhich {
		return c.windows.Fill(ctx, r, window, r.View.Hash, view)
	}
	if err = c.windows.FillUnchanged(ctx, r, window, r.View.Hash, view); !errors.Is(err, client.ErrHashConflict) {
		return err
	}
	// An earlier choice was shown meanwhile. This one comes after it, unless something newer came.
	if had, err = c.typedChanges(ctx, window); err != nil || had.later(r) {
		return err
	}
	return c.windows.Fill(ctx, r, window, "", view)
}

// typedRevise saves the words of an open form under its window and returns them.
func (c *revise) typedRevise(ctx context.Context, r bot.Request) (answers.Typed, error) {
	page := change.DecodeRevise(*r.View)
	t, err := c.store.Orders.Order(ctx, page.Order)
	if err != nil {
		return answers.Typed{}, err
	}
	typed, err := c.saveRevise(ctx, r, page, t)
	typed.Problems, typed.Unknown = nil, nil // what the service said is shown once
	return answers.Typed{Changes: typed.Changes}, err
}

// reviseBack shows the form without pages: an earlier version had some.
func (c *revise) reviseBack(ctx context.Context, r bot.Request) error {
	page := change.DecodeRevise(*r.View)
	t, err := c.store.Orders.Order(ctx, page.Order)
	if err != nil {
		return err
	}
	if _, err := c.saveRevise(ctx, r, page, t); err != nil {
		return err
	}
	return c.showChosen(ctx, r)
}

// typedChanges are the words of a form that is open, and what Slack's clock said when they were typed.
type typedChanges struct {
	change.Changes
	TS       string `json:"ts,omitempty"`
	ChosenTS string `json:"chosen_ts,omitempty"` // and when images were chosen last
}

// later tells whether something came after a request that shows the form anew: another choice of images,
// or the end of the form. What is typed into a box shows nothing anew.
func (c typedChanges) later(r bot.Request) bool {
	return c.TS == sent || r.ActionTS != "" && c.ChosenTS > r.ActionTS
}

// sent is later than anything that Slack's clock says: what was submitted is not filled in any more.
const sent = "submitted"

func (c *revise) typedChanges(ctx context.Context, window string) (had typedChanges, err error) {
	err = c.store.Documents.GetIfThere(ctx, jobs.ReviseDoc(window), &had)
	return had, err
}

// saveRevise puts what a form holds to what is kept of it. What was typed earlier and arrives later
// changes nothing.
func (c *revise) saveRevise(ctx context.Context, r bot.Request, page change.RevisePage, t store.Tracked) (typedChanges, error) {
	window := r.View.ExternalID
	had, err := c.typedChanges(ctx, window)
	if err != nil {
		return had, err
	}
	if r.Name == change.ActionWhich {
		had.ChosenTS = max(had.ChosenTS, r.ActionTS)
	}
	if r.ActionTS == "" || r.ActionTS >= had.TS {
		had.Changes, had.TS = page.Into(had.Changes, t), r.ActionTS
	}
	return had, c.store.Documents.PutPersonal(ctx, r.User, jobs.ReviseDoc(window), had, answers.TypedLife)
}

// saveTypedChanges keeps what a form is opened with; one that begins empty needs no note.
func (c *revise) saveTypedChanges(ctx context.Context, user, window string, typed change.Changes) error {
	if typed.Empty() {
		return nil
	}
	return c.store.Documents.PutPersonal(ctx, user, jobs.ReviseDoc(window), typed, answers.TypedLife)
}
