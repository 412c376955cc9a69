package commands

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// pointed is what a click or a line is about, found without asking Slack.
type pointed struct {
	id      string          // the order, "" when it was left out and not exactly one fits
	words   string          // the rest of the line
	fitting []store.Tracked // with no id: those it can mean, newest first
}

// point finds the order that a button, a picker or a line names. A first word that names
// no order and does not look like a name belongs to the words: then the order was left
// out, and is the only one that fits, if there is just one.
func (c *Commands) point(ctx context.Context, r bot.Request, fits func(store.Tracked) bool) (pointed, error) {
	if id, _, ok := cards.ParseValue(r.Value); ok {
		words, err := c.keptWords(ctx, r)
		return pointed{id: id, words: words}, err
	}
	if r.Kind == bot.KindCommand {
		first, rest := firstWord(r.Args)
		name := strings.Trim(first, "`[]#")
		t, err := c.store.Find(ctx, name)
		switch {
		case err == nil:
			return pointed{id: t.ID, words: rest}, nil
		case !errors.Is(err, store.ErrNotTracked):
			return pointed{}, err
		case looksLikeID(name):
			return pointed{id: name, words: rest}, nil
		}
	}
	return c.onlyOne(ctx, r, fits)
}

// pickFrom is how many of the newest orders are considered when no id is given.
const pickFrom = 100

// onlyOne is the order that fits when there is exactly one: of the channel, or in a
// direct message or the Home of those the person asked for.
func (c *Commands) onlyOne(ctx context.Context, r bot.Request, fits func(store.Tracked) bool) (pointed, error) {
	p := pointed{words: strings.TrimSpace(r.Args)}
	orders, err := c.near(ctx, r)
	if err != nil {
		return p, err
	}
	for _, t := range orders {
		if fits == nil || fits(t) {
			p.fitting = append(p.fitting, t)
		}
	}
	if len(p.fitting) == 1 && len(orders) < pickFrom {
		p.id = p.fitting[0].ID
	}
	return p, nil
}

// near are the orders that somebody may mean without naming them.
func (c *Commands) near(ctx context.Context, r bot.Request) ([]store.Tracked, error) {
	var orders []store.Tracked
	var err error
	if postable(r.Channel) != "" {
		orders, _, err = c.store.InChannel(ctx, r.Team, r.Channel, 0, pickFrom)
	} else {
		orders, _, err = c.store.Requested(ctx, r.Team, r.User, nil, 0, pickFrom)
	}
	return orders, err
}

// askWhich lets the person pick one of several orders; what they typed is kept meanwhile.
func (c *Commands) askWhich(ctx context.Context, r bot.Request, verb string, p pointed) error {
	visible, err := c.onlyVisible(ctx, r, p.fitting)
	if err != nil {
		return err
	}
	note := ""
	if p.words != "" && len(visible) > 0 {
		note = "words:" + hash(r.ID)
		if err := c.store.Note(ctx, note, p.words, time.Hour); err != nil {
			return err
		}
	}
	return c.tell(ctx, r, cards.Pick(verb, len(visible), p.words, note))
}

// onlyVisible leaves out the orders that the person may not see.
func (c *Commands) onlyVisible(ctx context.Context, r bot.Request, orders []store.Tracked) ([]store.Tracked, error) {
	var visible []store.Tracked
	for _, t := range orders {
		see, err := c.maySee(ctx, r, t)
		if err != nil {
			return nil, err
		}
		if see {
			visible = append(visible, t)
		}
	}
	return visible, nil
}

// keptWords are what was typed before the order was picked: the picker's block names the
// note that has them.
func (c *Commands) keptWords(ctx context.Context, r bot.Request) (string, error) {
	note, ok := strings.CutPrefix(r.BlockID, cards.PickBlock)
	if !ok || note == "" {
		return "", nil
	}
	var words string
	err := c.store.Noted(ctx, note, &words)
	if errors.Is(err, store.ErrNoNote) {
		err = nil
	}
	return words, err
}

// meant finds the order a click or a line is about, among those the person may see.
// When it answers the person itself, found is false.
func (c *Commands) meant(ctx context.Context, r bot.Request, verb string, fits func(store.Tracked) bool) (t store.Tracked, words string, found bool, err error) {
	p, err := c.point(ctx, r, fits)
	if err != nil {
		return t, "", false, err
	}
	if p.id == "" {
		return t, "", false, c.askWhich(ctx, r, verb, p)
	}
	t, err = c.visible(ctx, r, p.id)
	if errors.Is(err, errNotFound) {
		return t, "", false, c.tell(ctx, r, cards.NotFoundWith(p.id, p.words))
	}
	return t, p.words, err == nil, err
}

// visible is the order of that id or reference, when the person may see it.
func (c *Commands) visible(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	t, err := c.store.Find(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		return t, errNotFound
	}
	if err != nil {
		return t, err
	}
	see, err := c.maySee(ctx, r, t)
	if err != nil && !outage(err) {
		c.log.WarnContext(ctx, "members not known, so the order is hidden", "order", t.ID, "err", err)
		return t, errNotFound
	}
	if err == nil && !see {
		err = errNotFound
	}
	return t, err
}

// firstWord parts a line; the rest keeps its line breaks.
func firstWord(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t\r\n")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

var (
	referenceLike = regexp.MustCompile(`^[0-9A-Z]{6}$`)
	numbered      = regexp.MustCompile(`^[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*$`)
)

// looksLikeID tells a word that was meant to name an order: a mistyped name must never
// become the first word of a message to an editor.
func looksLikeID(word string) bool {
	return referenceLike.MatchString(word) || len(word) >= 4 && numbered.MatchString(word)
}
