// Package resolve finds the order that a line, a button or a picker means, and opens its window. Of an order that a
// person may not see, it tells nothing.
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

// Ref is what a click or a line is about, found while a form can still be opened: Slack
// is asked as little as possible.
type Ref struct {
	ID      string          // the order as it was named, "" when it was left out and not exactly one fits
	Words   string          // the rest of the line
	fitting []store.Tracked // with no id: those it can mean, newest first
	name    string          // that all of them have; "" when it was left out
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

// NewFinder makes the handler from what it uses.
func NewFinder(store *store.Store, jobs *jobs.Jobs, access *access.Control, log *slog.Logger, answers *answer.Messages) *Finder {
	return &Finder{documents: store.Documents, orders: store.Orders, jobs: jobs, access: access, log: log, answers: answers}
}

// Visible is the order that is meant. Whether one that is shown to nobody exists, or is hidden
// from this person, nothing tells.
func (c *Finder) Visible(ctx context.Context, r bot.Request, p Ref) (store.Tracked, error) {
	t, err := c.jobs.Finder.Visible(ctx, r, p.ID)
	switch {
	case errors.Is(err, jobs.ErrOtherWorkspace):
		return t, answer.Sorry(cards.Elsewhere, client.AsTyped(p.Words))
	case errors.Is(err, jobs.ErrNotFound):
		return t, answer.Sorry(cards.NotFound(p.ID), client.AsTyped(p.Words))
	}
	return t, err
}

// Order finds the order that a button, a picker or a line names. A first word that names
// no order and does not look like a name belongs to the words: then the order was left
// out, and is the only one that fits, if there is just one. An order is called as it was
// typed, never as it is known to us: it may be hidden from this person.
func (c *Finder) Order(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	if id, _, ok := cards.ParseValue(r.Value); ok {
		var words string // what was typed before it was picked
		err := c.Note(ctx, r, cards.PickBlock, &words)
		return Ref{ID: id, Words: words}, err
	}
	if r.Kind == bot.KindCommand {
		if p, named, err := c.namedInLine(ctx, r, verb); named || err != nil {
			return p, err
		}
	}
	return c.onlyCandidate(ctx, r, verb)
}

// Soon is [Finder.resolveOrder] as long as a form can still be opened; late when Slack took
// longer, and nothing is known.
func (c *Finder) Soon(ctx context.Context, r bot.Request, verb string) (p Ref, late bool, err error) {
	quick, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	p, err = c.Order(quick, r, verb)
	if err != nil && quick.Err() != nil && ctx.Err() == nil {
		c.log.InfoContext(ctx, "slack takes its time to tell of members", "user", r.User, "err", err)
		return Ref{}, true, nil
	}
	return p, false, err
}

// resolveTime is how long Slack may take to say what somebody may see before a form opens: its
// trigger lives three seconds.
const resolveTime = 1500 * time.Millisecond

// namedInLine is the order that a line begins with: its name between quotation marks, its id or
// reference, or for a verb that asks before it does anything its whole name and nothing else.
func (c *Finder) namedInLine(ctx context.Context, r bot.Request, verb string) (Ref, bool, error) {
	if p, quoted, err := c.byQuotedName(ctx, r); quoted || err != nil {
		return p, quoted, err
	}
	first, rest := FirstWord(r.Args)
	name := strings.Trim(first, NameMarks)
	if named, err := c.namesOrder(ctx, r, name); named || err != nil {
		return Ref{ID: name, Words: rest}, named, err
	}
	return c.onlyName(ctx, r, verb)
}

// namesOrder tells whether a word is meant to name an order. One that does not look like a
// name must be that of an order that the person may see.
func (c *Finder) namesOrder(ctx context.Context, r bot.Request, word string) (bool, error) {
	if LooksLikeID(word) || word == "" {
		return word != "", nil
	}
	return c.knows(ctx, r, word)
}

// WholeLine is the order that a line names, and what the line says to it; "" when there is
// something left to ask for in a form.
func (c *Finder) WholeLine(ctx context.Context, r bot.Request, verb string) (t store.Tracked, words string, err error) {
	if r.Kind != bot.KindCommand || strings.TrimSpace(r.Args) == "" {
		return t, "", nil
	}
	p, err := c.Order(ctx, r, verb)
	if err != nil || p.ID == "" || p.Words == "" {
		return t, "", err
	}
	t, err = c.Visible(ctx, r, p)
	return t, p.Words, err
}

// Name is [Finder.resolveOrder] for a verb that takes no words: its line is the order's
// id, its reference, or a part of its name that no other has.
func (c *Finder) Name(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	first, rest := FirstWord(r.Args)
	if r.Kind != bot.KindCommand || first == "" {
		return c.Order(ctx, r, verb)
	}
	if p, quoted, err := c.byQuotedName(ctx, r); quoted || err != nil {
		return p, err
	}
	name := strings.Trim(first, NameMarks)
	if known, err := c.knows(ctx, r, name); known || err != nil {
		return Ref{ID: name, Words: rest}, err
	}
	p, _, err := c.byName(ctx, r, r.Args, partOfName)
	return p, err
}

// onlyCandidate is the order that fits when there is exactly one: of the channel, or in a
// direct message or the Home of those the person can mean there.
func (c *Finder) onlyCandidate(ctx context.Context, r bot.Request, verb string) (Ref, error) {
	fitting, err := c.candidates(ctx, r, offers(verb))
	p := Ref{Words: strings.TrimSpace(r.Args), fitting: fitting}
	if len(p.fitting) == 1 {
		p.ID = p.fitting[0].ID
	}
	return p, err
}

// candidates returns the orders that a person may mean without naming them, newest first, as far as they may see
// them: those of the channel, else those that the person asked for and those of all their channels. They come
// without pictures: a picker asks at every letter, and shows only names.
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

// newestFirst puts two lists of orders into one that has each order once.
func newestFirst(own, around []store.Tracked) []store.Tracked {
	all := slices.Concat(own, slices.DeleteFunc(around, func(t store.Tracked) bool {
		return slices.ContainsFunc(own, func(o store.Tracked) bool { return o.ID == t.ID })
	}))
	slices.SortStableFunc(all, func(a, b store.Tracked) int { return b.Order.OrderedAt.Compare(a.Order.OrderedAt) })
	return all[:min(len(all), pickFrom)]
}

// AskWhich lets the person pick one of several orders; what they typed is kept meanwhile.
func (c *Finder) AskWhich(ctx context.Context, r bot.Request, verb string, p Ref) error {
	note := ""
	if p.Words != "" && len(p.fitting) > 0 {
		note = answers.WordsDoc(r.ID)
		if err := c.documents.PutPersonal(ctx, r.User, note, p.Words, time.Hour); err != nil {
			return err
		}
	}
	if p.name != "" {
		return c.answers.Send(ctx, r, cards.PickNamed(verb, p.name, p.fitting, client.AsTyped(p.Words), note))
	}
	return c.answers.Send(ctx, r, cards.Pick(verb, p.fitting, client.AsTyped(p.Words), note))
}

// Note reads into kept the note that the block of a button or a picker names, if it names one
// that is kept still; kind is what the ids of such blocks begin with.
func (c *Finder) Note(ctx context.Context, r bot.Request, kind string, kept any) error {
	note, ok := strings.CutPrefix(r.BlockID, kind)
	if !ok || note == "" {
		return nil
	}
	return c.documents.GetIfThere(ctx, note, kept)
}

// OfForm is the order that an open form is bound to; nothing when it is chosen in it.
func (c *Finder) OfForm(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if id := kit.DecodeMeta(r.View.PrivateMetadata).Order; id != "" {
		return c.jobs.Finder.Visible(ctx, r, id)
	}
	return store.Tracked{}, nil
}

// offers tells which orders somebody can mean who names none: those counted here are those
// that the picker has.
func offers(verb string) func(store.Tracked) bool {
	return func(t store.Tracked) bool { return t.Offers(verb, time.Now()) }
}

// pickFrom is how many of the newest orders are offered when no id is given.
const pickFrom = cards.MaxChoices

// FirstWord parts a line; the rest keeps its line breaks.
func FirstWord(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t\r\n")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// LooksLikeID tells a word that was meant to name an order: a mistyped name must never
// become the first word of a message to an editor.
func LooksLikeID(word string) bool {
	return referenceLike.MatchString(word) || len(word) >= 4 && numbered.MatchString(word)
}

// NameMarks are what people copy along with a name.
const NameMarks = "`[]#"

var (
	referenceLike = regexp.MustCompile(`^[0-9A-Z]{6}$`)
	numbered      = regexp.MustCompile(`^[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*$`)
)
