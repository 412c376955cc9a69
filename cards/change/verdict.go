package change

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Checkboxes say which images are good. An image is good for the whole channel until another edit replaces it.

const fieldGood = "good" // the checkboxes: first part of their block ids

// notGood asks whether to approve although some images are not marked good.
func notGood(t store.Tracked) string {
	if !cards.Undecided(t) {
		return cards.GoodNote(t)
	}
	var names []string
	for i, image := range order.Latest(t.Order.EditedImages) {
		if !t.Verdicts.Good(image) {
			names = append(names, cards.ImageLabel(i+1, image))
		}
	}
	return kit.EscapeTo(kit.SomeOf(names), kit.MaxField) + " " + kit.Plural(len(names), "is", "are") + " not marked good yet. Approve anyway?"
}

// VerdictsSaved confirms that only checkboxes were saved: how many images are good, how many of the requested changes
// are done, and which checkboxes are outdated.
func VerdictsSaved(t store.Tracked, course cards.RoundHistory, outdated []order.Tick, externalID string) slack.ModalViewRequest {
	good, all := t.Good()
	done := cards.DoneNote(nil, cards.DoneOf(t, course))
	now := kit.OnlyIf(good > 0 || done == "", strconv.Itoa(good)+" of "+strconv.Itoa(all)+" "+kit.Plural(good, "is", "are")+" good.")
	if good > 0 && good == all {
		now = cards.GoodOf(t) + "."
	}
	p := kit.NewWindow(":white_check_mark: " + kit.Join(" ", now, "Nothing was sent to the editor.")).Say(done)
	addNotCounted(p, outdated)
	return p.Note(cards.Expand("Everybody in {channel} sees the ticks. Each lasts until a new edit of its photo arrives.", t)).Modal("Ticks saved", externalID, cards.MetaOf(t))
}

// addNotCounted names the images with ticks for edits that have been replaced.
func addNotCounted(p *kit.Page, ticks []order.Tick) {
	good := slices.DeleteFunc(slices.Clone(ticks), func(tick order.Tick) bool { return !tick.Good })
	if len(good) > 0 {
		names := kit.Map(good, func(_ int, tick order.Tick) string { return cmp.Or(kit.OneLine(tick.Name), "a photo") })
		p.Alert("Not counted: " + kit.EscapeTo(kit.SomeOf(slices.Compact(names)), kit.MaxField) + ". A newer edit arrived since you looked.")
	}
}

// ticked returns the edits that are ticked, and the sentences, by [tickKey]: those ticked when the form opened, and later
// changes.
func (c Changes) ticked(t store.Tracked) map[string]bool {
	ticked := map[string]bool{}
	for _, edit := range c.opened(t) {
		ticked[edit] = true
	}
	for _, a := range c.Asked {
		for _, sentence := range a.Done {
			ticked[tickKey(a.tick(sentence))] = true
		}
	}
	for _, one := range c.Ticks {
		ticked[tickKey(one)] = one.Good
	}
	return ticked
}

// opened returns the edits that were good when the form opened.
func (c Changes) opened(t store.Tracked) []string {
	if c.Opened != nil {
		return c.Opened
	}
	opened := []string{}
	for _, image := range order.Latest(t.Order.EditedImages) {
		if t.Verdicts.Good(image) {
			opened = append(opened, image.Edit())
		}
	}
	return opened
}

// Reopened prepares the changes for a new form, whose checkboxes show what is good now.
func (c Changes) Reopened() Changes {
	c.Opened, c.Late = nil, nil
	c.Asked = kit.Map(c.Asked, func(_ int, a Asked) Asked { return Asked{Edit: a.Edit} })
	return c
}

// WithVerdicts returns the changes as they are sent. An image with an instruction is no longer good. The instruction
// for all other images skips the good ones.
func (c Changes) WithVerdicts(t store.Tracked) Changes {
	own := c.PerImage(t)
	c.Ticks, c.Good = slices.Clone(c.Ticks), nil
	for _, image := range order.Latest(t.Order.EditedImages) {
		edit := image.Edit()
		at := slices.IndexFunc(c.Ticks, func(tick order.Tick) bool { return tick.Edit == edit && tick.Done == "" })
		good := at >= 0 && c.Ticks[at].Good || at < 0 && t.Verdicts.Good(image)
		switch {
		case good && own[image.ID] == nil:
			c.Good = append(c.Good, image.ID)
		case good && at < 0:
			c.Ticks = append(c.Ticks, order.Tick{Edit: edit, Image: image.ID, Name: image.Name})
		}
	}
	return c
}

// splitLate moves the ticks of replaced edits to Late.
func (c Changes) splitLate(latest []order.EditedImage) Changes {
	has := func(edit string) bool {
		return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return image.Edit() == edit })
	}
	ticks := c.Ticks
	c.Ticks = nil
	for _, tick := range ticks {
		if has(tick.Edit) {
			c.Ticks = append(c.Ticks, tick)
		} else {
			c.Late = append(slices.Clone(c.Late), tick)
		}
	}
	c.Opened = slices.DeleteFunc(slices.Clone(c.Opened), func(edit string) bool { return !has(edit) })
	return c
}

// tick returns an image's checkbox.
func (f reviseForm) tick(i int) slack.BlockElement {
	image := f.latest[i]
	option := kit.Option(image.Edit()+":"+imageKey(image.ID), "Photo "+strconv.Itoa(i+1)+" is good", "")
	redraws := len(f.typed.askedOf(image).Sentences) > 0
	ticked := kit.OnlyIf(f.ticks[image.Edit()], option.Value)
	return kit.Checkboxes(kit.Either(redraws, ActionDone, kit.ActionTyped+fieldGood), []*slack.OptionBlockObject{option}, ticked)
}

// ticksInto merges the form's checkboxes into the changes. Those of images that the form does not show stay.
func (r RevisePage) ticksInto(c Changes, t store.Tracked) Changes {
	blocks := kit.AnswersOf(r.view, fieldGood)
	if len(blocks) == 0 {
		return c
	}
	for _, block := range blocks {
		one := order.Tick{Edit: editIn(block.Block)}
		for _, option := range block.SelectedOptions {
			edit, key, _ := strings.Cut(option.Value, ":")
			image := imageOf(key, t)
			one = order.Tick{Edit: edit, Image: image.ID, Name: image.Name, Good: true}
		}
		c = c.withTick(one, slices.Contains(r.Good, one.Edit))
	}
	c.Opened, c.Late = append([]string{}, r.Good...), nil
	return c
}

// withTick replaces the change of one checkbox. A checkbox as it was when the form opened is no change.
func (c Changes) withTick(now order.Tick, opened bool) Changes {
	c.Ticks = slices.DeleteFunc(slices.Clone(c.Ticks), func(had order.Tick) bool { return tickKey(had) == tickKey(now) })
	if now.Good != opened {
		c.Ticks = append(c.Ticks, now)
	}
	return c
}

// editIn returns the edit in the block id of a checkbox.
func editIn(block string) string { return block[strings.LastIndex(block, ":")+1:] }

// Contradictions returns form errors for images whose box has text beside a checkbox that is ticked.
func (r RevisePage) Contradictions(c Changes, t store.Tracked) map[string]string {
	ticked, wrong := map[string]bool{}, map[string]string{}
	for _, block := range kit.AnswersOf(r.view, fieldGood) {
		ticked[editIn(block.Block)] = len(block.SelectedOptions) > 0
	}
	for _, image := range order.Latest(t.Order.EditedImages) {
		if image.ID == "" || !ticked[image.Edit()] || c.wordsFor(image.ID) == "" {
			continue
		}
		for _, box := range kit.AnswersOf(r.view, fieldImage) {
			if imageIn(box.Block) == imageKey(image.ID) {
				wrong[box.Block] = cards.ImageName(image) + " is ticked as good and has instructions. " + GoodOrWords
			}
		}
	}
	return wrong
}

// GoodOrWords says how to resolve a contradiction.
const GoodOrWords = "Untick it or delete the text."
