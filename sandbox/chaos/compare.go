package chaos

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
)

// tally is a row of the comparison: what people did, and what is wrong with it.
type tally struct {
	kind                          string
	did, lost, doubled, misplaced int
}

// comparison is what people did, what the service holds and what the channels show, held
// against each other.
type comparison struct {
	rows  []*tally
	wrong []string // each thing that is wrong, as a sentence
	told  int      // acts of which the person was told that they were not done
	never int      // acts that Slack never got an answer to, and that were not done
	aside int      // words of an editor that no answer of the service has shown
}

func (c *comparison) row(kind string) *tally {
	for _, r := range c.rows {
		if r.kind == kind {
			return r
		}
	}
	c.rows = append(c.rows, &tally{kind: kind})
	return c.rows[len(c.rows)-1]
}

func (c *comparison) say(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// The rows that are not acts.
const (
	rowPosts = "channel posts"
	rowCards = "cards"
	rowAgain = "told of it as a repeat"

	rowResults = "results of a batch"
	// rowBatches are the cards of batches, and the messages about their deliveries.
	rowBatches = "messages of a batch"
	rowLimits  = "limits of a month"
	rowCrops   = "marked crops"
)

// compare looks at everything once it is quiet. healed is when the trouble ended: from
// then on every answer of the service has arrived.
func (w *world) compare(healed time.Time) *comparison {
	c := &comparison{}
	for _, kind := range []string{actOrder, actRow, actMessage, actReference, actRevise, actPin, rowCrops, actApprove, actTicked, actCancel, actPreset, actSetting, rowResults, rowBatches, rowLimits, rowPosts, rowCards, rowAgain} {
		c.row(kind)
	}
	orders := w.Photos.Orders()
	byID := map[string]photos.Order{}
	for _, o := range orders {
		byID[o.ID] = o
	}
	for _, a := range w.ledger.acts {
		c.act(w, a, byID, orders)
	}
	for _, o := range orders {
		c.channel(w, o, healed)
		c.unasked(w, o)
	}
	for _, b := range w.ledger.batches {
		c.batch(w, b)
	}
	c.overLimit(w)
	c.unplayed(w.o)
	return c
}

// unplayed are errands that nobody came to the end of: their zeros would say nothing.
func (c *comparison) unplayed(o Options) {
	for _, kind := range []string{actRow, actPin, actTicked, actPreset, rowResults, rowBatches, actSetting, rowLimits} {
		if o.Errands && c.row(kind).did == 0 {
			c.say("nobody did it: %s", kind)
		}
	}
}

// act holds one act against what the service has.
func (c *comparison) act(w *world, a *act, byID map[string]photos.Order, orders []photos.Order) {
	row, n := c.row(a.kind), 0
	switch o := byID[a.order]; a.kind {
	case actOrder, actRow:
		for _, o := range orders {
			if called(o.Asked, a.token) {
				n++
				c.asks(a, strings.Join(o.Instructions, "\n"))
				c.has(a, o)
			}
		}
	case actMessage:
		n = said(o, a.token)
	case actReference:
		n = given(o, a.token)
	case actRevise:
		n = wished(o, a.token)
	case actPin:
		n = c.pin(a, o)
	case actApprove:
		n = o.Approvals
	case actTicked:
		n = o.Approvals
		c.seen(a, o)
	case actPreset:
		for _, preset := range w.presets(a.channel) {
			if preset.Name == a.token {
				n++
				c.asks(a, strings.Join(preset.Brief.Instructions, "\n"))
			}
		}
	case actSetting:
		if a.holds() {
			n = 1
		}
	case actCancel:
		if o.Status == "canceled" {
			n = 1
		}
	}
	switch {
	case n > 1:
		row.did++
		row.doubled += n - 1
		c.say("%s %q of order %s: the service has it %d times", a.kind, a.token, a.order, n)
	case n == 1:
		row.did++
		c.again(w, a)
	case a.acked.IsZero():
		c.never++
	case a.with != nil && wished(byID[a.order], a.with.token) == 0: // its draft still has it, or its request says so
		row.did++
	case a.told != "" || w.toldOtherwise(a):
		row.did++
		c.told++
	default:
		row.did++
		row.lost++
		c.say("%s %q of order %s: taken at %s, and the service does not have it, and %s was not told: %q",
			a.kind, a.token, a.order, a.acked.Format(clock), a.user, w.lastTold(a))
	}
}

// asks wants the instructions that were on the screen.
func (c *comparison) asks(a *act, is string) {
	if a.words != "" && a.words != is {
		c.row(a.kind).misplaced++
		c.say("%s %q asks for %q, and not for what was on the screen: %q", a.kind, a.token, is, a.words)
	}
}

// has wants the images and the references of an order of a batch to be those of its row.
func (c *comparison) has(a *act, o photos.Order) {
	if is := contentOf(o); a.content != "" && a.content != is {
		c.row(a.kind).misplaced++
		c.say("%s %q has %q, and its row %q", a.kind, a.token, is, a.content)
	}
}

// seen wants an order that was approved by a tick to have the pictures beside it.
func (c *comparison) seen(a *act, o photos.Order) {
	if is := pictures(o); o.Approvals > 0 && is != a.beside {
		c.row(a.kind).misplaced++
		c.say("order %s (%s) was approved with the pictures %s, and those beside its tick were %s", o.ID, o.Project, is, a.beside)
	}
}

// unasked finds an order of ours that was placed, or approved, and nobody asked for that.
func (c *comparison) unasked(w *world, o photos.Order) {
	if _, _, known := w.placedFor(o); !known && strings.HasPrefix(o.Asked, "Chaos ") {
		c.row(actOrder).misplaced++
		c.say("order %s (%s) was placed, and nobody had asked for it", o.ID, o.Project)
	}
	asked := slices.ContainsFunc(w.ledger.acts, func(a *act) bool {
		return a.order == o.ID && (a.kind == actApprove || a.kind == actTicked)
	})
	if _, _, ours := w.placedFor(o); ours && o.Approvals > 0 && !asked {
		c.row(actTicked).misplaced++
		c.say("order %s (%s) was approved, and nobody had ticked it", o.ID, o.Project)
	}
}

// pictures name the pictures of an order that were handed in.
func pictures(o photos.Order) string {
	ids := make([]string, len(o.Edited))
	for i, picture := range o.Edited {
		ids[i] = picture.ID
	}
	return strings.Join(ids, ",")
}

// again finds an act that was carried out once and asked for once, and whose person was
// told that it had been done before: it was worked on twice.
func (c *comparison) again(w *world, a *act) {
	row := c.row(rowAgain)
	if a.tries != 1 || a.elsewhere || a.orders() {
		return
	}
	row.did++
	names := cmp.Or(a.token, "approved") // an approval by the button has no words
	for _, said := range w.told(a) {
		if strings.Contains(said, names) && repeated.MatchString(said) {
			row.doubled++
			c.say("%s %q of order %s: done, and %s was told: %q", a.kind, a.token, a.order, a.user, said)
		}
	}
}

const clock = "15:04:05.000"

// toldOtherwise tells whether the person has read, wherever, that it was not done. Each
// person has but one order, so that its outcome need not name it.
func (w *world) toldOtherwise(a *act) bool {
	return slices.ContainsFunc(w.told(a), func(said string) bool {
		if a.kind == actRow {
			return notPlaced(said, a.token) != ""
		}
		if declined.MatchString(said) {
			return a.kind == actOrder && called(said, a.token)
		}
		return (a.kind == actOrder || strings.Contains(said, a.token)) && otherwise.MatchString(said) && !promised.MatchString(said)
	})
}

func (w *world) told(a *act) []string {
	h := hand{ws: w.Workspace, user: a.user}
	return h.told(0)
}

func (w *world) lastTold(a *act) string {
	if said := w.told(a); len(said) > 0 {
		return said[len(said)-1]
	}
	return ""
}
