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

// What people think of single images: the ticks of the revise form, and what is said of them elsewhere. An
// image that is good is good for the whole channel, until another edit of it is there.

const (
	fieldGood = "good"        // the ticks of the revise form: the first part of their block ids
	labelGood = "Good"        // the tick of an image
	manyGood  = "Good images" // the choice in their place, where there are many
)

// notGood asks somebody who approves whether they mean the images that nobody found good, while others are.
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

// VerdictsSaved says that ticks alone are kept: how many images are good now, and which ticks do not count
// because a newer edit is there.
func VerdictsSaved(t store.Tracked, overtaken []order.Tick, externalID string) slack.ModalViewRequest {
	good, all := t.Good()
	now := strconv.Itoa(good) + " of " + strconv.Itoa(all) + " " + kit.Plural(good, "is", "are") + " good."
	if good > 0 && good == all {
		now = cards.GoodOf(t) + "."
	}
	p := kit.NewWindow(":white_check_mark: " + now + " Nothing was sent to the editor.")
	if names := namesOf(overtaken); names != "" {
		p.Alert(notCounted(names))
	}
	return p.Note(cards.Expand("It is remembered for everybody in {channel} until a new edit of an image is there.", t)).Modal(TitleRevise, externalID, cards.MetaOf(t))
}

// notCounted says which ticks were for an edit that is the newest no longer.
func notCounted(names string) string {
	return "Not counted: " + names + ". A newer edit is there since you looked."
}

// namesOf are the images that were ticked good, "" when none was.
func namesOf(ticks []order.Tick) string {
	good := slices.DeleteFunc(slices.Clone(ticks), func(tick order.Tick) bool { return !tick.Good })
	return kit.EscapeTo(kit.SomeOf(kit.Map(good, func(_ int, tick order.Tick) string { return cmp.Or(kit.OneLine(tick.Name), "an image") })), kit.MaxField)
}

// ticked are the edits whose ticks the form begins with: those that were good when it was opened, and what
// its person changed of that.
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

// opened are the edits that were good when the form was opened.
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

// Reopened is the changes in another form than before: its ticks begin with what is good now.
func (c Changes) Reopened() Changes {
	c.Opened, c.Late = nil, nil
	return c
}

// Judged returns the changes as they are sent. An image with an instruction is no longer good. The instruction for all
// other images skips the good ones.
func (c Changes) Judged(t store.Tracked) Changes {
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

// timely parts the ticks for edits that are the newest still from the others.
func (c Changes) timely(latest []order.EditedImage) Changes {
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

// tick asks whether one image is good, beside the box for its words.
func (f reviseForm) tick(p *kit.Page, i int) {
	image := f.latest[i]
	option := tickOf(image, labelGood)
	choose := slack.NewCheckboxGroupsBlockElement(fieldGood, option)
	if f.ticks[image.Edit()] {
		choose.InitialOptions = []*slack.OptionBlockObject{option}
	}
	p.Put(kit.Field(goodBlock(f.t, image.Edit()), cards.ImageLabel(i+1, image)+": Verdict", "", choose).WithOptional(true))
}

// goods is the choice of those that are good, where there are many.
func (f reviseForm) goods() slack.Block {
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
	return slack.NewOptionBlockObject(image.Edit()+":"+imageKey(image.ID), kit.PlainText(label), nil)
}

// goodBlock is the id of the ticks for what is named: another edit has a tick of its own, in which Slack
// keeps nothing of the one before.
func goodBlock(t store.Tracked, name string) string {
	return fieldGood + ":" + strconv.Itoa(t.Order.Rev()) + ":" + name
}

// ticksIn are what a form says otherwise than it began. One of an earlier version asked for none.
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

// Contradictions are the boxes with words for images that are ticked good in the same form.
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

// GoodOrWords is what to do about an image that is ticked good and has words.
const GoodOrWords = "Untick it, or empty its box."
