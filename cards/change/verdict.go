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

const (
	fieldGood = "good"        // the checkboxes: first part of their block ids
	labelGood = "Good"        // one image's checkbox
	manyGood  = "Good images" // the menu that replaces them, for many images
)

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

// VerdictsSaved confirms that only checkboxes were saved: how many images are good, and which checkboxes are
// outdated.
func VerdictsSaved(t store.Tracked, outdated []order.Tick, externalID string) slack.ModalViewRequest {
	good, all := t.Good()
	now := strconv.Itoa(good) + " of " + strconv.Itoa(all) + " " + kit.Plural(good, "is", "are") + " good."
	if good > 0 && good == all {
		now = cards.GoodOf(t) + "."
	}
	p := kit.NewWindow(":white_check_mark: " + now + " Nothing was sent to the editor.")
	if names := namesOf(outdated); names != "" {
		p.Alert(notCounted(names))
	}
	return p.Note(cards.Expand("It is remembered for everybody in {channel} until a new edit of an image is there.", t)).Modal(TitleRevise, externalID, cards.MetaOf(t))
}

// notCounted names the checkboxes for edits that have been replaced.
func notCounted(names string) string {
	return "Not counted: " + names + ". A newer edit is there since you looked."
}

// namesOf names the images ticked good, or returns "".
func namesOf(ticks []order.Tick) string {
	good := slices.DeleteFunc(slices.Clone(ticks), func(tick order.Tick) bool { return !tick.Good })
	return kit.EscapeTo(kit.SomeOf(kit.Map(good, func(_ int, tick order.Tick) string { return cmp.Or(kit.OneLine(tick.Name), "an image") })), kit.MaxField)
}

// ticked returns the edits that are ticked: those good when the form opened, and later changes.
func (c Changes) ticked(t store.Tracked) map[string]bool {
	ticked := map[string]bool{}
	for _, edit := range c.opened(t) {
		ticked[edit] = true
	}
	for _, tick := range c.Ticks {
		ticked[tick.Edit] = tick.Good
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
	return c
}

// WithVerdicts returns the changes as they are sent. An image with an instruction is no longer good. The instruction
// for all other images skips the good ones.
func (c Changes) WithVerdicts(t store.Tracked) Changes {
	own := c.PerImage(t)
	c.Ticks, c.Good = slices.Clone(c.Ticks), nil
	for _, image := range order.Latest(t.Order.EditedImages) {
		edit := image.Edit()
		at := slices.IndexFunc(c.Ticks, func(tick order.Tick) bool { return tick.Edit == edit })
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

// tick adds an image's checkbox.
func (f reviseForm) tick(p *kit.Page, i int) {
	image := f.latest[i]
	option := tickOf(image, labelGood)
	choose := slack.NewCheckboxGroupsBlockElement(fieldGood, option)
	if f.ticks[image.Edit()] {
		choose.InitialOptions = []*slack.OptionBlockObject{option}
	}
	p.Put(kit.Field(goodBlock(f.t, image.Edit()), cards.ImageLabel(i+1, image)+": Verdict", "", choose).WithOptional(true))
}

// goodSelect returns the menu of good images, for orders with many images.
func (f reviseForm) goodSelect() slack.Block {
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, kit.PlainText("None yet"), fieldGood)
	for i, image := range f.latest {
		if image.ID == "" || len(choose.Options) == maxOptions {
			continue
		}
		option := tickOf(image, kit.Plain(cards.ImageLabel(i+1, image), kit.MaxOptionText))
		choose.Options = append(choose.Options, option)
		if f.ticks[image.Edit()] {
			choose.InitialOptions = append(choose.InitialOptions, option)
		}
	}
	hint := "They need no words, and the words for all images are not for them. Remembered until a new edit is there."
	return kit.Field(goodBlock(f.t, kit.Hash(cards.Pictures(f.t))), manyGood, hint, choose).WithOptional(true)
}

func tickOf(image order.EditedImage, label string) *slack.OptionBlockObject {
	return kit.Option(image.Edit()+":"+imageKey(image.ID), label, "")
}

// goodBlock returns the block id of checkboxes. Each edit has its own, so that Slack keeps no value of an
// older edit.
func goodBlock(t store.Tracked, name string) string {
	return fieldGood + ":" + strconv.Itoa(t.Order.Rev()) + ":" + name
}

// ticksIn returns the checkboxes that changed since the form opened. Forms of an early version have none.
func (r RevisePage) ticksIn(t store.Tracked) (ticks []order.Tick, asked bool) {
	var now []string
	for _, block := range kit.AnswersOf(r.view, fieldGood) {
		asked = true
		for _, option := range block.SelectedOptions {
			edit, key, _ := strings.Cut(option.Value, ":")
			now = append(now, edit)
			if image := imageOf(key, t); !slices.Contains(r.Good, edit) {
				ticks = append(ticks, order.Tick{Edit: edit, Image: image.ID, Name: image.Name, Good: true})
			}
		}
	}
	for _, edit := range r.Good {
		if asked && !slices.Contains(now, edit) {
			ticks = append(ticks, order.Tick{Edit: edit})
		}
	}
	return ticks, asked
}

// Contradictions returns form errors for images that are both good and have text.
func (r RevisePage) Contradictions(c Changes, t store.Tracked) map[string]string {
	ticked, wrong := c.ticked(t), map[string]string{}
	for _, image := range order.Latest(t.Order.EditedImages) {
		if image.ID == "" || !ticked[image.Edit()] || c.wordsFor(image.ID) == "" {
			continue
		}
		block := kit.BlockOf(r.view, fieldAll)
		for _, box := range kit.AnswersOf(r.view, fieldImage) {
			if imageIn(box.Block) == imageKey(image.ID) {
				block = box.Block
			}
		}
		wrong[block] = cards.ImageName(image) + " is ticked good, and has words. " + GoodOrWords
	}
	return wrong
}

// GoodOrWords says how to resolve a contradiction.
const GoodOrWords = "Untick it, or empty its box."
