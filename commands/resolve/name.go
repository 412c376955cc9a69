package resolve

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// quotedName matches a line that begins with a quoted name, in straight or typographic quotation marks, and its rest.
var quotedName = regexp.MustCompile(`(?s)^["“”„«]([^"“”„«»]+)["“”»](?:\s+(.*))?$`)

// byQuotedName finds the order of a line that begins with a quoted name; ok is false without one. A name that
// is unknown is an error: it never becomes part of the text.
func (c *Finder) byQuotedName(ctx context.Context, r bot.Request) (Ref, bool, error) {
	parts := quotedName.FindStringSubmatch(strings.TrimSpace(r.Args))
	if parts == nil {
		return Ref{}, false, nil
	}
	p, _, err := c.byName(ctx, r, parts[1], partOfName)
	p.Text = strings.TrimSpace(parts[2])
	return p, true, err
}

// byName finds the visible order with that id, or the visible orders with that name. known is false for a hidden order,
// as for an unknown one.
func (c *Finder) byName(ctx context.Context, r bot.Request, typed string, fits nameFits) (p Ref, known bool, err error) {
	typed = strings.Trim(strings.TrimSpace(client.AsTyped(typed)), NameMarks)
	name := normalName(typed)
	if known, err := c.canSee(ctx, r, typed); known || err != nil || name == "" {
		return Ref{ID: typed}, known, err
	}
	found, err := c.candidates(ctx, r, func(t store.Tracked) bool { return fits(t, name) })
	whole := slices.DeleteFunc(slices.Clone(found), func(t store.Tracked) bool { return !wholeName(t, name) })
	if len(whole) > 0 {
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

// canSee reports whether the person may see an order with that id or reference.
func (c *Finder) canSee(ctx context.Context, r bot.Request, id string) (bool, error) {
	_, err := c.jobs.Finder.Visible(ctx, r, id)
	if errors.Is(err, jobs.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// nameFits reports whether an order matches a name.
type nameFits func(t store.Tracked, name string) bool

// partOfName is for read-only verbs and quoted names.
func partOfName(t store.Tracked, name string) bool { return strings.Contains(nameOf(t), name) }

// wholeName is for lines that may also be text.
func wholeName(t store.Tracked, name string) bool { return nameOf(t) == name }

// nameOf returns the project's name without the reference, normalized.
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

// onlyName returns the order whose whole name the line is. It is for verbs whose form shows the order before anything
// happens.
func (c *Finder) onlyName(ctx context.Context, r bot.Request, verb string) (Ref, bool, error) {
	formFirst := verb == order.VerbApprove || verb == order.VerbRevise || verb == order.VerbCancel
	if !formFirst || strings.TrimSpace(r.Args) == "" {
		return Ref{}, false, nil
	}
	return c.byName(ctx, r, r.Args, wholeName)
}
