package resolve

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// quotedName is a line that begins with words between quotation marks, those of clever keyboards
// too, and what follows them.
var quotedName = regexp.MustCompile(`(?s)^["“”„«]([^"“”„«»]+)["“”»](?:\s+(.*))?$`)

// byQuotedName finds the order whose name a line begins with between quotation marks; false when
// it begins otherwise. A name that is nobody's stays one: it never becomes part of the words.
func (c *Finder) byQuotedName(ctx context.Context, r bot.Request) (Ref, bool, error) {
	parts := quotedName.FindStringSubmatch(strings.TrimSpace(r.Args))
	if parts == nil {
		return Ref{}, false, nil
	}
	p, _, err := c.byName(ctx, r, parts[1], partOfName)
	p.Words = strings.TrimSpace(parts[2])
	return p, true, err
}

// byName finds the order with that id, or the orders with that name, as far as this person may see them.
// known is false for an order of that name that they may not see: they read that it does not exist.
func (c *Finder) byName(ctx context.Context, r bot.Request, typed string, fits nameFits) (p Ref, known bool, err error) {
	typed = strings.Trim(strings.TrimSpace(client.AsTyped(typed)), NameMarks)
	name := normalName(typed)
	if known, err := c.knows(ctx, r, typed); known || err != nil || name == "" {
		return Ref{ID: typed}, known, err
	}
	found, err := c.candidates(ctx, r, func(t store.Tracked) bool { return fits(t, name) })
	if whole := withName(found, name); len(whole) > 0 {
		found = whole
	}
	switch len(found) {
	case 0:
		return Ref{ID: typed}, false, err
	case 1:
		return Ref{ID: found[0].ID}, true, err
	}
	return Ref{name: typed, fitting: found}, true, err
}

// knows tells whether this person may see an order of that id or reference.
func (c *Finder) knows(ctx context.Context, r bot.Request, id string) (bool, error) {
	_, err := c.jobs.Finder.Visible(ctx, r, id)
	if errors.Is(err, jobs.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// nameFits tells whether an order may be meant by a name.
type nameFits func(t store.Tracked, name string) bool

// partOfName is for what only shows, and for names between quotation marks.
func partOfName(t store.Tracked, name string) bool { return strings.Contains(nameOf(t), name) }

// wholeName is for lines that may be words as well.
func wholeName(t store.Tracked, name string) bool { return nameOf(t) == name }

func withName(all []store.Tracked, name string) []store.Tracked {
	var whole []store.Tracked
	for _, t := range all {
		if wholeName(t, name) {
			whole = append(whole, t)
		}
	}
	return whole
}

// nameOf is what people call an order: its project's name without our reference.
func nameOf(t store.Tracked) string {
	name := strings.TrimSpace(t.Order.ProjectName)
	if t.Reference != "" {
		name = strings.TrimSuffix(name, "["+t.Reference+"]")
	}
	return normalName(name)
}

func normalName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(kit.AsTyped(name)), " "))
}

// asksFirst are the verbs that open a form which shows their order before anything happens: their
// line may be nothing but a name.
func asksFirst(verb string) bool {
	return verb == order.VerbApprove || verb == order.VerbRevise || verb == order.VerbCancel
}

// onlyName is the order of a line that is its whole name; false when the line is anything else.
func (c *Finder) onlyName(ctx context.Context, r bot.Request, verb string) (Ref, bool, error) {
	if !asksFirst(verb) || strings.TrimSpace(r.Args) == "" {
		return Ref{}, false, nil
	}
	return c.byName(ctx, r, r.Args, wholeName)
}
