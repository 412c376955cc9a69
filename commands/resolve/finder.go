// Package resolve finds the order that a line, a button or a picker means, and opens its window. It reveals nothing
// about an order that the person may not see.
package resolve

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// Ref is the order that a request names. Finding it makes few calls to Slack, so that a form can still be opened.
type Ref struct {
	ID      string          // the order as the person named it; "" if they named none and several fit, or no order does
	Text    string          // rest of the line
	fitting []store.Tracked // without an ID: the possible orders, newest first
	name    string          // their common name; "" if it was left out
}

// Finder finds the order that a request means.
type Finder struct {
	documents *store.DocumentStore
	orders    *store.Orders
	jobs      *jobs.Jobs
	access    *access.Control
	log       *slog.Logger
	answers   *answer.Messages
}

// NewFinder returns a finder.
func NewFinder(store *store.Store, jobs *jobs.Jobs, access *access.Control, log *slog.Logger, answers *answer.Messages) *Finder {
	return &Finder{documents: store.Documents, orders: store.Orders, jobs: jobs, access: access, log: log, answers: answers}
}

// Visible returns the order that p names. An unknown order and a hidden one give the same [answer.Refusal].
func (c *Finder) Visible(ctx context.Context, r bot.Request, p Ref) (store.Tracked, error) {
	t, err := c.jobs.Finder.Visible(ctx, r, p.ID)
	switch {
	case errors.Is(err, jobs.ErrOtherWorkspace):
		return t, answer.Refuse(cards.Elsewhere, client.AsTyped(p.Text))
	case errors.Is(err, jobs.ErrNotFound):
		return t, answer.Refuse(cards.NotFound(p.ID), client.AsTyped(p.Text))
	}
	return t, err
}

// Order finds the order that a button, a picker or a line names. If the line's first word neither names an order nor
// looks like a name, it belongs to the text: then the order was left out, and is the only one that fits. Ref.ID is the
// name as typed, because a hidden order's id must not be revealed.
func (c *Finder) Order(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	if id, _, ok := cards.ParseValue(r.Value); ok {
		var words string // what was typed before it was picked
		err := c.Saved(ctx, r, cards.PickBlock, &words)
		return Ref{ID: id, Text: words}, err
	}
	if r.Kind == bot.KindCommand {
		if p, named, err := c.namedInLine(ctx, r, verb); named || err != nil {
			return p, err
		}
	}
	return c.onlyCandidate(ctx, r, verb)
}

// OrderInTime is [Finder.Order] with a deadline that leaves time to open a form. late is true if Slack was too slow,
// and the order is unknown.
func (c *Finder) OrderInTime(ctx context.Context, r bot.Request, verb string) (p Ref, late bool, err error) {
	quick, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	p, err = c.Order(quick, r, verb)
	if err != nil && quick.Err() != nil && ctx.Err() == nil {
		c.log.InfoContext(ctx, "slack takes its time to tell of members", "user", r.User, "err", err)
		return Ref{}, true, nil
	}
	return p, false, err
}

// resolveTime bounds the calls to Slack before a form opens: its trigger lives three seconds.
const resolveTime = 1500 * time.Millisecond

// namedInLine returns the order that a line begins with: its quoted name, its id or reference. For a verb that opens a
// form first, the line may also be the order's whole name.
func (c *Finder) namedInLine(ctx context.Context, r bot.Request, verb string) (Ref, bool, error) {
	if p, quoted, err := c.byQuotedName(ctx, r); quoted || err != nil {
		return p, quoted, err
	}
	first, rest := FirstWord(r.Args)
	name := strings.Trim(first, NameMarks)
	if named, err := c.namesOrder(ctx, r, name); named || err != nil {
		return Ref{ID: name, Text: rest}, named, err
	}
	return c.onlyName(ctx, r, verb)
}

// namesOrder reports whether a word names an order. A word that does not look like a name must name a visible order.
func (c *Finder) namesOrder(ctx context.Context, r bot.Request, word string) (bool, error) {
	if LooksLikeID(word) || word == "" {
		return word != "", nil
	}
	return c.canSee(ctx, r, word)
}

// WholeLine returns the order that a line names, and the line's text. The text is "" if a form must ask for something.
func (c *Finder) WholeLine(ctx context.Context, r bot.Request, verb string) (t store.Tracked, words string, err error) {
	if r.Kind != bot.KindCommand || strings.TrimSpace(r.Args) == "" {
		return t, "", nil
	}
	p, err := c.Order(ctx, r, verb)
	if err != nil || p.ID == "" || p.Text == "" {
		return t, "", err
	}
	t, err = c.Visible(ctx, r, p)
	return t, p.Text, err
}

// OrderByName is [Finder.Order] for a verb without text: its line is the order's id, reference, or a unique part of its
// name.
func (c *Finder) OrderByName(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	first, rest := FirstWord(r.Args)
	if r.Kind != bot.KindCommand || first == "" {
		return c.Order(ctx, r, verb)
	}
	if p, quoted, err := c.byQuotedName(ctx, r); quoted || err != nil {
		return p, err
	}
	name := strings.Trim(first, NameMarks)
	if known, err := c.canSee(ctx, r, name); known || err != nil {
		return Ref{ID: name, Text: rest}, err
	}
	p, _, err := c.byName(ctx, r, r.Args, partOfName)
	return p, err
}

// onlyCandidate returns the order that fits if there is exactly one: in the channel, or in a direct message or the Home
// tab among all candidates.
func (c *Finder) onlyCandidate(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	fitting, err := c.candidates(ctx, r, offers(verb))
	p := Ref{Text: strings.TrimSpace(r.Args), fitting: fitting}
	if len(p.fitting) == 1 {
		p.ID = p.fitting[0].ID
	}
	return p, err
}

// candidates returns the orders that a person may mean without naming one, newest first: the visible orders of the
// channel, else the person's own and those of their channels. They have no pictures: a picker asks at each letter and
// shows only names.
func (c *Finder) candidates(ctx context.Context, r bot.Request, fits func(store.Tracked) bool) ([]store.Tracked, error) {
	viewer := c.access.Viewer(r)
	var around, own []store.Tracked
	into := func(list *[]store.Tracked) func(store.Tracked) bool {
		return func(t store.Tracked) bool {
			if len(*list) < pickFrom && fits(t) && viewer.Shows(ctx, t) {
				*list = append(*list, t)
			}
			return false
		}
	}
	if channel := answer.OriginChannel(r); channel != "" {
		_, _, err := c.orders.InChannels(ctx, r.Team, []string{channel}, into(&around), 0, 1)
		return around, errors.Join(err, viewer.Err)
	}
	channels, err := viewer.Channels(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := c.orders.InChannels(ctx, r.Team, channels, into(&around), 0, 1); err != nil {
		return nil, err
	}
	_, _, err = c.orders.Requested(ctx, r.Team, r.User, into(&own), 0, 1)
	return newestFirst(own, around), errors.Join(err, viewer.Err)
}

// newestFirst merges two lists of orders without duplicates.
func newestFirst(own, around []store.Tracked) []store.Tracked {
	all := slices.Concat(own, slices.DeleteFunc(around, func(t store.Tracked) bool {
		return slices.ContainsFunc(own, func(o store.Tracked) bool { return o.ID == t.ID })
	}))
	slices.SortStableFunc(all, func(a, b store.Tracked) int { return b.Order.OrderedAt.Compare(a.Order.OrderedAt) })
	return all[:min(len(all), pickFrom)]
}

// AskWhich shows a picker of the possible orders, and saves the typed text for the chosen one.
func (c *Finder) AskWhich(ctx context.Context, r bot.Request, verb string, p Ref) error {
	note := ""
	if p.Text != "" && len(p.fitting) > 0 {
		note = answers.WordsDoc(r.ID)
		if err := c.documents.PutPersonal(ctx, r.User, note, p.Text, time.Hour); err != nil {
			return err
		}
	}
	if p.name != "" {
		return c.answers.Send(ctx, r, cards.PickNamed(verb, p.name, p.fitting, client.AsTyped(p.Text), note))
	}
	return c.answers.Send(ctx, r, cards.Pick(verb, p.fitting, client.AsTyped(p.Text), note))
}

// Saved decodes into v the document that a button's or a picker's block names. prefix is the part of the block id
// before the name. Without a saved document, v stays as it is.
func (c *Finder) Saved(ctx context.Context, r bot.Request, prefix string, v any) error {
	name, ok := strings.CutPrefix(r.BlockID, prefix)
	if !ok || name == "" {
		return nil
	}
	return c.documents.GetIfThere(ctx, name, v)
}

// OfForm returns the order that an open form is bound to, or the zero order if the person chooses it there.
func (c *Finder) OfForm(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if id := kit.DecodeMeta(r.View.PrivateMetadata).Order; id != "" {
		return c.jobs.Finder.Visible(ctx, r, id)
	}
	return store.Tracked{}, nil
}

// offers returns the filter of orders that a verb can mean without a name, the same for pickers and for counting.
func offers(verb string) func(store.Tracked) bool {
	return func(t store.Tracked) bool { return t.Offers(verb, time.Now()) }
}

// pickFrom is the number of newest orders that a picker offers.
const pickFrom = cards.MaxChoices

// FirstWord splits a line after its first word; rest keeps its line breaks.
func FirstWord(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t\r\n")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// LooksLikeID reports whether a word was meant to name an order. A mistyped name must never become part of a message to
// an editor.
func LooksLikeID(word string) bool {
	return referenceLike.MatchString(word) || len(word) >= 4 && numbered.MatchString(word)
}

// NameMarks are characters that people copy along with a name.
const NameMarks = "`[]#"

var (
	referenceLike = regexp.MustCompile(`^[0-9A-Z]{6}$`)
	numbered      = regexp.MustCompile(`^[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*$`)
)
