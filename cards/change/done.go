package change

import (
	"slices"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Checkboxes say which sentences of the round before a new edit does. A sentence without a tick is asked for again: it
// is filled into the photo's box, and leaves the box when somebody ticks it. Only lines that nobody changed leave.

// ActionDone is the action id of checkboxes that redraw the form, because they fill boxes or empty them.
const ActionDone = "revise:done"

const (
	fieldDone = "done"    // the checkboxes of sentences: first part of their block ids
	again     = "again: " // begins a sentence that is asked for again
)

// Asked is what the round before asked for on one photo, as a form shows it.
type Asked struct {
	Edit      string   `json:"edit"`                // see [order.EditedImage.Edit]
	Sentences []string `json:"sentences,omitempty"` // none: a form showed them before, and they are to be read again
	Done      []string `json:"done,omitempty"`      // those that were ticked when the form opened
}

// line returns the line that asks for a sentence again.
func line(sentence string) string {
	return kit.Either(strings.HasPrefix(sentence, again), "", again) + sentence
}

// WithAsked adds what the round before asked for. With fill it also fills boxes: sentences that are not done go into the
// empty boxes of photos that are new to the form. Sentences for all photos that are done on none go into the box for all.
func (c Changes) WithAsked(t store.Tracked, course cards.RoundHistory, fill bool) Changes {
	latest, had := order.Latest(t.Order.EditedImages), c.Asked
	c.Asked = nil
	general := generalOf(t, course, latest)
	if fill && len(had) == 0 && c.All == "" {
		c.All = strings.Join(kit.Map(general, func(_ int, s string) string { return line(s) }), "\n")
	}
	for i, sentences := range course.Sentences(latest) {
		image := latest[i]
		known := slices.IndexFunc(had, func(a Asked) bool { return a.Edit == image.Edit() })
		switch {
		case len(sentences) == 0:
			continue
		case known >= 0 && len(had[known].Sentences) > 0:
			c.Asked = append(c.Asked, had[known])
			continue
		}
		a := Asked{Edit: image.Edit(), Sentences: sentences}
		for _, sentence := range sentences {
			if tickedDone(t, image, sentence) {
				a.Done = append(a.Done, sentence)
			}
		}
		c.Asked = append(c.Asked, a)
		if fill && known < 0 && c.wordsFor(image.ID) == "" && !slices.Equal(sentences, general) {
			c = c.withLines(image, a.undone(c.ticked(t)))
		}
	}
	return c.withoutDone(t)
}

// generalOf returns the sentences that were asked of all photos without their own, if there are several such photos and
// none of the sentences is ticked done anywhere.
func generalOf(t store.Tracked, course cards.RoundHistory, latest []order.EditedImage) []string {
	if course.Asked == nil {
		return nil
	}
	general := order.Sentences(course.Asked.Words)
	all := course.Sentences(latest)
	asked := 0
	for i, image := range latest {
		if !slices.Equal(all[i], general) {
			continue
		}
		asked++
		if slices.ContainsFunc(general, func(s string) bool { return tickedDone(t, image, s) }) {
			return nil
		}
	}
	return kit.Either(asked > 1, general, nil)
}

// tickedDone reports whether the sentence itself is ticked, not only the photo.
func tickedDone(t store.Tracked, image order.EditedImage, sentence string) bool {
	verdict := t.Verdicts.Done(image, sentence)
	return verdict.Good && verdict.Done != ""
}

// spread moves what is asked of all photos again into the boxes of those that lack it, once it is ticked done on one. It
// removes what no photo lacks.
func (c Changes) spread(t store.Tracked) Changes {
	now := c.ticked(t)
	for _, again := range order.Lines(c.All) {
		var lack []order.EditedImage
		sentence, done := "", false
		for _, image := range order.Latest(t.Order.EditedImages) {
			a := c.askedOf(image)
			at := slices.IndexFunc(a.Sentences, func(s string) bool { return line(s) == again })
			if at < 0 {
				continue
			}
			if sentence = a.Sentences[at]; now[tickKey(a.tick(sentence))] {
				done = true
			} else if !now[a.Edit] {
				lack = append(lack, image)
			}
		}
		if sentence == "" || !done && len(lack) > 0 {
			continue
		}
		c.Moved++
		c.All = strings.Join(slices.DeleteFunc(order.Lines(c.All), func(l string) bool { return l == again }), "\n")
		for _, image := range lack {
			c = c.withLines(image, []string{sentence})
		}
	}
	return c
}

// refilled returns the changes after ticks: what is no longer done is asked for again, and what is done no more. before
// are the ticks before.
func (c Changes) refilled(before map[string]bool, t store.Tracked) Changes {
	c = c.spread(t)
	now := c.ticked(t)
	for _, image := range order.Latest(t.Order.EditedImages) {
		a := c.askedOf(image)
		was := a.undone(before)
		c = c.withLines(image, slices.DeleteFunc(a.undone(now), func(s string) bool { return slices.Contains(was, s) }))
	}
	return c.withoutDone(t)
}

// askedOf returns what the round before asked for on an image; zero: nothing.
func (c Changes) askedOf(image order.EditedImage) Asked {
	if at := slices.IndexFunc(c.Asked, func(a Asked) bool { return a.Edit == image.Edit() }); at >= 0 {
		return c.Asked[at]
	}
	return Asked{}
}

// undone returns the sentences without a tick. A good photo has none.
func (a Asked) undone(ticked map[string]bool) []string {
	if ticked[a.Edit] {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.Sentences), func(s string) bool { return ticked[tickKey(a.tick(s))] })
}

// tick returns the tick that a sentence is done.
func (a Asked) tick(sentence string) order.Tick {
	return order.Tick{Edit: a.Edit, Done: order.SentenceKey(sentence), Good: true}
}

// tickKey returns the key of a tick in [Changes.ticked].
func tickKey(t order.Tick) string { return t.Edit + kit.Prefixed(":", t.Done) }

// withLines adds lines to an image's box that ask for sentences again: those that it lacks and that still fit.
func (c Changes) withLines(image order.EditedImage, sentences []string) Changes {
	had := c.wordsFor(image.ID)
	words := had
	for _, sentence := range sentences {
		longer := kit.Join("\n", words, line(sentence))
		if !slices.Contains(order.Lines(words), line(sentence)) && kit.Units(longer) <= kit.MaxInput {
			words = longer
		}
	}
	if words == had {
		return c
	}
	return c.withPage([]ImageText{{ID: image.ID, Name: image.Name, Words: words}})
}

// withoutDone removes the lines that ask again for what is done. Lines that somebody changed stay.
func (c Changes) withoutDone(t store.Tracked) Changes {
	now := c.ticked(t)
	for _, image := range order.Latest(t.Order.EditedImages) {
		a := c.askedOf(image)
		undone := a.undone(now)
		done := map[string]bool{}
		for _, sentence := range a.Sentences {
			done[line(sentence)] = !slices.Contains(undone, sentence)
		}
		lines := strings.Split(c.wordsFor(image.ID), "\n")
		if left := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return done[strings.TrimSpace(l)] }); len(left) < len(lines) {
			c = c.withPage([]ImageText{{ID: image.ID, Name: image.Name, Words: strings.Join(left, "\n")}})
		}
	}
	return c
}

// doneInto merges the checkboxes of sentences into the changes.
func (r RevisePage) doneInto(c Changes, t store.Tracked) Changes {
	shown := map[string][]string{} // selected options, by edit
	for _, block := range kit.AnswersOf(r.view, fieldDone) {
		shown[editIn(block.Block)] = append([]string{}, kit.ChosenIn(block.BlockAction)...)
	}
	for _, image := range order.Latest(t.Order.EditedImages) {
		a, selected := c.askedOf(image), shown[image.Edit()]
		for _, sentence := range a.Sentences {
			one := a.tick(sentence)
			one.Image, one.Name, one.Good = image.ID, image.Name, slices.Contains(selected, one.Done)
			if selected != nil {
				c = c.withTick(one, slices.Contains(a.Done, sentence))
			}
		}
	}
	return c
}

// doneTicks adds the checkboxes of an image's sentences.
func (f reviseForm) doneTicks(p *kit.Page, image order.EditedImage) {
	a := f.typed.askedOf(image)
	if len(a.Sentences) == 0 || f.tickless {
		return
	}
	var options []*slack.OptionBlockObject
	var ticked []string
	for _, sentence := range a.Sentences {
		tick := a.tick(sentence)
		options = append(options, kit.Option(tick.Done, kit.Plain("Done: "+strings.TrimPrefix(sentence, again), kit.MaxOptionText), ""))
		ticked = append(ticked, kit.OnlyIf(f.ticks[tickKey(tick)], tick.Done))
	}
	choose := kit.Checkboxes(ActionDone, options, ticked...)
	p.Put(slack.NewActionBlock(kit.BlockID(fieldDone, f.t.Order.Rev(), 0)+":"+image.Edit(), choose))
}
