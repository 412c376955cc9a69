package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Sentences returns what was asked for before this delivery, by index of the latest images. An image without a request has
// nil. The general instructions are for images without their own, unless those were good.
func (c RoundHistory) Sentences(latest []order.EditedImage) [][]string {
	all := make([][]string, len(latest))
	if c.Asked == nil {
		return all
	}
	changed, _ := c.Changed(latest)
	for i, image := range latest {
		one := ChangeAt(changed, i, image)
		lines := RequestOf(c, nil).Of(one)
		before := image.ID
		if one.Before != nil {
			before = one.Before.ID
		}
		if len(lines) == 0 && !slices.Contains(c.Asked.Good, before) {
			lines = c.Asked.Words
		}
		if image.ID != "" {
			all[i] = order.Sentences(lines)
		}
	}
	return all
}

// DoneOf counts the sentences that were asked for before this delivery and are ticked as done; nil: nothing was asked.
func DoneOf(t store.Tracked, c RoundHistory) *order.DoneCount {
	latest := order.Latest(t.Order.EditedImages)
	return t.Verdicts.CountDone(latest, c.Sentences(latest))
}

// DoneNote says how many of the requested changes are ticked done, and by whom: "2 of 3 requested changes are ticked
// done, by Maria." It is "" if nothing was asked for.
func DoneNote(names kit.Names, count *order.DoneCount) string {
	if count == nil {
		return ""
	}
	by := strings.Join(kit.Map(count.By, func(_ int, user string) string { return names.Person(user) }), ", ")
	return strconv.Itoa(count.Done) + " of " + strconv.Itoa(count.Of) + " requested " + kit.Plural(count.Of, "change is", "changes are") +
		" ticked done" + kit.Prefixed(", by ", by) + "."
}
