package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	ActionChanges = "revise:changes" // opens a photo's box; its value is the photo's key
	ActionPart    = "revise:part:"   // followed by the part that it shows, which is its value too, from 0
	TitleRevise   = "Request changes"
)

// Windows of requesting changes. revise_told.go has those that show the typed text.
var (
	// Revising shows that the request is in progress.
	Revising = cards.WindowOn(TitleRevise, cards.OnItsWay, "Requesting changes to {order} …")
	// ReviseLater says that the request waits for the service.
	ReviseLater = cards.WindowOn(TitleRevise, cards.OnItsWay, cards.NotNow+"was sent yet. I request your changes to {order} when the photo service is back, unless newer photos are there by then.")
)

// Fields of the revise form: the first part of their block ids.
const (
	fieldImage = "image"
	fieldAll   = "all"
)

// ReviseBlock begins the block id of a button that opens the form again. The name of the saved text follows.
const ReviseBlock = "revise:"

const (
	boxesAtOnce = 5  // so few photos have their boxes at once; of more, each is opened
	maxInputs   = 6  // of a window
	rowsAtOnce  = 25 // photos of one part of the form
	maxFolded   = 150
	maxPinLines = 5
)

// CanName reports whether the order has an image with an id.
func CanName(t store.Tracked) bool {
	return slices.ContainsFunc(t.Order.EditedImages, func(image order.EditedImage) bool { return image.ID != "" })
}

// Revise asks for changes, photo by photo and for all others. Few photos have pictures before and after and their
// boxes at once. Many have small pictures, and a button each that opens the box. The form is bound to the revision
// shown.
func Revise(t store.Tracked, course cards.RoundHistory, c Changes, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return RevisePart(t, course, c, c.problemPart(t), thumbs, externalID)
}

// ReviseStale is [Revise] for somebody who saw revision seen. It says so and is bound to the newer one.
func ReviseStale(t store.Tracked, course cards.RoundHistory, seen int, c Changes, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, course: course, stale: true, seen: seen, typed: c, part: c.problemPart(t)}.show(thumbs, externalID)
}

// RevisePart is [Revise] with the given part of many photos.
func RevisePart(t store.Tracked, course cards.RoundHistory, c Changes, part int, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, course: course, typed: c, part: part}.show(thumbs, externalID)
}

// problemPart returns the part with the first image that the service refused, else the first part.
func (c Changes) problemPart(t store.Tracked) int {
	at := slices.IndexFunc(order.Latest(t.Order.EditedImages), func(image order.EditedImage) bool { return len(c.problemsOf(image)) > 0 })
	return max(0, at) / rowsAtOnce
}

// show builds the form with as much as a view holds. What does not fit goes in this order: pictures of earlier rounds, all
// pictures, the checkboxes of sentences, boxes. The text of a dropped box stays saved.
func (f reviseForm) show(thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	f = f.prepared()
	f.thumbs, f.links, f.marks = thumbs, true, thumbs.Mark
	view := f.view(externalID)
	if !fitsView(view) {
		f.changed = nil
		view = f.view(externalID)
	}
	if !fitsView(view) {
		f.thumbs, f.links = cards.Thumbs{}, false
		view = f.view(externalID)
	}
	if !fitsView(view) {
		f.tickless = true
		view = f.view(externalID)
	}
	for !fitsView(view) && len(f.boxes) > 0 {
		f.boxes = f.boxes[:len(f.boxes)-1]
		view = f.view(externalID)
	}
	return view
}

// prepared returns the form with all that follows from the order and the typed text.
func (f reviseForm) prepared() reviseForm {
	f.latest = order.Latest(f.t.Order.EditedImages)
	f.typed = f.typed.WithAsked(f.t, f.course, false)
	f.changed, _ = f.course.Changed(f.latest)
	if f.course.Before == nil && f.t.Order.Rev() == 0 && f.t.Brief != nil {
		f.ordered = cards.AskedFor(*f.t.Brief, f.latest, f.t.Brief.Match(f.latest))
	}
	f.many, f.ticks = manyImages(f.latest), f.typed.ticked(f.t)
	f.from = max(0, min(f.part, (len(f.latest)-1)/rowsAtOnce)) * rowsAtOnce
	f.all = kit.Parts(f.typed.All, kit.MaxInput, kit.MaxTextBoxes)
	f.boxes = f.typed.openBoxes(f.latest[f.from:f.end()], f.many, max(1, maxInputs-len(f.all)))
	return f
}

func fitsView(view slack.ModalViewRequest) bool {
	raw, err := json.Marshal(view)
	return err != nil || len(raw) <= kit.MaxView && kit.BlocksIn(view.Blocks.BlockSet) <= kit.MaxModalBlocks
}

// reviseForm builds the form.
type reviseForm struct {
	t       store.Tracked
	course  cards.RoundHistory
	stale   bool
	seen    int // if stale: the revision that the person saw
	typed   Changes
	part    int // of many photos, from 0
	from    int // index of the part's first photo
	latest  []order.EditedImage
	many    bool            // more photos than have their boxes at once
	ordered cards.Album     // first round: each photo's instruction in the order
	changed []cards.Change  // photos that are new in this round
	ticks   map[string]bool // good edits
	boxes   []string        // ids of the photos with an open box
	all     []string        // text for all other photos, as its boxes hold it
	thumbs  cards.Thumbs
	links   bool
	marks   cards.MarkURL // nil: there is no page for pins
	// tickless leaves out the checkboxes of sentences.
	tickless bool
}

func (f reviseForm) view(externalID string) slack.ModalViewRequest {
	p := &kit.Page{Wide: true}
	f.head(p)
	f.mark(p, externalID)
	sheets := f.sheets()
	for _, sheet := range sheets {
		p.Put(&slack.ImageBlock{Type: slack.MBTImage, AltText: sheet.Alt, SlackFile: &slack.SlackFileObject{ID: sheet.File}})
	}
	for i := f.from; i < f.end(); i++ {
		if f.many {
			f.row(p, i)
		} else {
			f.large(p, i, len(sheets) == 0)
		}
		if !onlyImage(f.latest) || f.typed.All == "" {
			f.controls(p, i)
		}
	}
	f.otherParts(p)
	if !onlyImage(f.latest) || f.typed.All != "" {
		label, hint := cards.AllOthers, "Sent for each photo that has no text of its own and no tick. One instruction per line."
		if onlyImage(f.latest) {
			label, hint = cards.ImageLabel(1, f.latest[0]), "One instruction per line."
		}
		p.Boxes(fieldAll, label, hint, f.all, func(part int) string { return kit.BlockID(fieldAll, f.t.Order.Rev()+movedStep*f.typed.Moved, part) })
	}
	meta := cards.MetaOf(f.t)
	meta.Good, meta.Page = f.typed.opened(f.t), f.from/rowsAtOnce
	return p.Form(TitleRevise, "Request Changes", kit.CallbackRevise, externalID, meta)
}

// end returns the index after the part's last photo.
func (f reviseForm) end() int { return min(len(f.latest), f.from+rowsAtOnce) }

// manyImages reports whether there are so many photos that each box is opened.
func manyImages(latest []order.EditedImage) bool { return len(latest) > boxesAtOnce }

// onlyImage reports whether an order has one photo: it has one box and no tick.
func onlyImage(latest []order.EditedImage) bool { return len(latest) == 1 && latest[0].ID != "" }

// head says what the form asks, and what went wrong before.
func (f reviseForm) head(p *kit.Page) {
	if f.stale {
		p.Alert(newer(f.t, f.seen)).Say(lookAgain)
	} else {
		p.Say("What should change in *" + cards.Project(f.t) + "*" + cards.OfRound(f.t) + "?")
		p.Note(kit.OnlyIf(!onlyImage(f.latest), "Write only where something should change. Tick the photos that are good."))
		p.Note(kit.OnlyIf(len(f.typed.Asked) > 0, "Tick what is done. What has no tick is filled in again. Change it or delete it."))
	}
	p.Note(kit.OnlyIf(f.typed.Found, "Some text is filled in from the check of the photos. Change or delete it. Nothing is sent before you press *Request Changes*."))
	addNotCounted(p, f.typed.Late)
	p.Problems("No changes were requested:", f.typed.generalProblems(f.latest), "Your text is saved.")
	if lost := f.typed.lost(f.latest); len(lost) > 0 {
		p.Say("Some photos are no longer there. Your text for them is sent to nobody. Copy what you need:")
		addLabelled(p, Changes{Each: lost}.labelled(f.t), -1)
	}
}

// lookAgain follows the sentence that newer photos exist.
const lookAgain = "Nothing was sent, and your text is saved. Look at the newer photos, then request your changes."

// sheets returns the contact sheets of the round, for few photos: they show each edit beside its original.
func (f reviseForm) sheets() []store.Sheet {
	if f.many || !f.thumbs.Show || f.course.Before != nil {
		return nil
	}
	reply, _ := f.t.Delivery()
	return reply.Sheets
}

// large adds one of few photos: its picture, beside the edit before if there is one.
func (f reviseForm) large(p *kit.Page, i int, pictured bool) {
	image := f.latest[i]
	p.Put(slack.NewDividerBlock())
	if c, asked, is := f.change(i); is && len(c.Tiles(f.thumbs)) == 2 && cards.AddPairs(p, []cards.Change{c}, f.thumbs, nil) {
		p.Note(kit.Dots("Full size: "+c.Links(), asked, f.folded(image))).Note(kit.Join("\n", f.pinned(image)...))
		return
	}
	if pictured && f.thumbs.Shows(image) {
		p.Put(f.thumbs.Untitled(cards.Tile{Number: i + 1, Image: image}))
	}
	p.Note(kit.Dots(kit.EscapeTo(cards.ImageLabel(i+1, image), 300), f.facts(i), f.folded(image))).Note(kit.Join("\n", f.pinned(image)...))
}

// pinned returns a short line for each of the first pins on a photo, and how many more there are.
func (f reviseForm) pinned(image order.EditedImage) []string {
	all := f.typed.Pins.On(image).Lines()
	shown := kit.Map(all[:min(len(all), maxPinLines)], func(_ int, line string) string { return kit.Inline(line, maxFolded) })
	if more := len(all) - len(shown); more > 0 {
		shown = append(shown, "and "+kit.Count(more, "more pin", "more pins"))
	}
	return shown
}

// folded returns the text of a photo whose box is not open.
func (f reviseForm) folded(image order.EditedImage) string {
	return kit.OnlyIf(!f.open(image), kit.Inline(f.typed.wordsFor(image.ID), maxFolded))
}

// row adds one of many photos: its name and a small picture, and the text of a box that is not open.
func (f reviseForm) row(p *kit.Page, i int) {
	image := f.latest[i]
	facts := f.facts(i)
	if c, asked, is := f.change(i); is && f.links {
		facts = kit.Dots(c.Links(), asked)
	}
	words := kit.Join("\n", "*"+kit.EscapeTo(cards.ImageLabel(i+1, image), 300)+"*", facts)
	words += kit.Prefixed("\n> ", kit.Join("\n> ", append([]string{f.folded(image)}, f.pinned(image)...)...))
	var picture *slack.Accessory
	if shown := f.thumbs.Element(image, cards.EditAlt(i+1, image)); shown != nil {
		picture = slack.NewAccessory(shown)
	}
	p.Put(slack.NewSectionBlock(kit.Mrkdwn(kit.Cut(words, kit.MaxSection)), nil, picture))
}

// facts returns an image's size, its link, and what the order asked for it.
func (f reviseForm) facts(i int) string {
	image := f.latest[i]
	pixels := kit.OnlyIf(image.Width > 0 && image.Height > 0, fmt.Sprintf("%d × %d", image.Width, image.Height))
	return kit.Dots(kit.OnlyIf(!f.many, kit.Dots(kit.Inline(image.Size, 30), pixels)), kit.OnlyIf(f.links, fullSizeOf(image)),
		kit.Prefixed("Asked for: ", kit.Inline(f.ordered.Of(i), kit.Either(f.many, maxFolded, cards.MaxOwn))))
}

// change returns an image's edit before and what was asked for it, if this round changed it.
func (f reviseForm) change(i int) (c cards.Change, asked string, is bool) {
	at := slices.IndexFunc(f.changed, func(c cards.Change) bool { return c.Number == i+1 && c.Before != nil })
	if at < 0 {
		return c, "", false
	}
	c = f.changed[at]
	request := cards.RequestOf(f.course, nil)
	if words := request.Of(c); len(words) > 0 {
		asked = request.Who() + ": " + kit.Inline(strings.Join(words, " · "), kit.Either(f.many, maxFolded, cards.MaxRequest))
	}
	return c, asked, true
}

// open reports whether an image has an open box.
func (f reviseForm) open(image order.EditedImage) bool {
	return image.ID != "" && slices.Contains(f.boxes, image.ID)
}

// controls adds an image's tick, and its box or the button that opens it. An image with text has no tick.
func (f reviseForm) controls(p *kit.Page, i int) {
	image := f.latest[i]
	if image.ID == "" {
		p.Note("The photo service gave this photo no ID. Message the editor about it.")
		return
	}
	if said := f.typed.problemsOf(image); len(said) > 0 {
		p.Note(kit.Cut(":warning: The photo service says: "+kit.FullStop(kit.Inline(strings.Join(said, " "), 1000))+
			" Your text is saved. *"+cards.AllOthers+"* skips this photo now. Delete its text or try again.", kit.MaxField))
	}
	f.doneTicks(p, image)
	var row []slack.BlockElement
	open, words := f.open(image), f.typed.wordsFor(image.ID)
	if f.typed.pinned(image) == "" && !onlyImage(f.latest) && (!f.many && open || !open && words == "") {
		row = append(row, f.tick(i))
	}
	if !open {
		label := kit.Either(f.typed.own(image) == "", "Add Changes", "Edit Changes")
		button := kit.Button(label, ActionChanges, imageKey(image.ID))
		button.AccessibilityLabel = kit.Plain(label+": "+cards.ImageLabel(i+1, image), kit.MaxAccessible)
		row = append(row, button)
	}
	if len(row) > 0 {
		// Each edit has its own block, so that Slack keeps no tick of an older edit.
		p.Put(slack.NewActionBlock(kit.BlockID(fieldGood, f.t.Order.Rev(), 0)+":"+image.Edit(), row...))
	}
	if open {
		hint := "One instruction per line." + kit.OnlyIf(f.many && f.ticks[image.Edit()], " The photo is good so far. Instructions end that.")
		p.Put(kit.Field(imageBlock(f.t.Order.Rev(), image.ID, f.typed.askedOf(image).undone(f.ticks)), cards.ImageLabel(i+1, image), hint,
			kit.Multiline(fieldImage, words, kit.MaxInput)).WithOptional(true))
	}
}

// otherParts adds buttons that show the photos of the other parts.
func (f reviseForm) otherParts(p *kit.Page) {
	var row []slack.BlockElement
	for from := 0; from < len(f.latest); from += rowsAtOnce {
		if from != f.from {
			label := "Show " + strconv.Itoa(from+1) + "–" + strconv.Itoa(min(len(f.latest), from+rowsAtOnce))
			row = append(row, kit.Button(label, ActionPart+strconv.Itoa(from/rowsAtOnce), strconv.Itoa(from/rowsAtOnce)))
		}
	}
	p.Buttons(row[:min(len(row), maxParts)]...)
}

// maxParts is Slack's limit for buttons in a row.
const maxParts = 25

// fullSizeOf links to an image in full size, or returns "".
func fullSizeOf(image order.EditedImage) string {
	full := kit.Link(image.Origin, "Full size")
	return kit.OnlyIf(order.WebAddress(image.Origin) && kit.Units(full) <= kit.MaxSection-1000, full)
}

// imageBlock returns the block id of an image's input. Another id for other sentences that are asked for again makes Slack
// show the box's new text.
func imageBlock(revision int, id string, again []string) string {
	return fieldImage + ":" + strconv.Itoa(revision) + kit.OnlyIf(len(again) > 0, "-"+kit.Hash(strings.Join(again, "\n"))) + ":" + imageKey(id)
}

// movedStep separates the block ids of the box for all: another id makes Slack show its new text. No order has as many
// rounds.
const movedStep = 10_000

// imageKey shortens an image id for block ids and option values.
func imageKey(id string) string {
	return kit.Either(len(id) <= 120, id, kit.Hash(id))
}

// RevisePage is a revise form that is submitted or being filled in. It shows one part of many photos.
type RevisePage struct {
	kit.Meta
	view slack.View
}

// DecodeRevise reads a form that is submitted or being filled in.
func DecodeRevise(view slack.View) RevisePage {
	return RevisePage{Meta: kit.DecodeMeta(view.PrivateMetadata), view: view}
}

// Into merges the form's text into the saved changes, which also hold text without inputs.
func (r RevisePage) Into(c Changes, t store.Tracked) Changes {
	if len(kit.AnswersOf(r.view, fieldAll)) > 0 {
		c.All = strings.TrimSpace(kit.TextOf(r.view, fieldAll))
	}
	var each []ImageText
	for _, box := range kit.AnswersOf(r.view, fieldImage) {
		typed := imageOf(imageIn(box.Block), t)
		typed.Words = box.Value
		each = append(each, typed)
	}
	before := c.ticked(t)
	return r.doneInto(r.ticksInto(c.withPage(each), t), t).refilled(before, t)
}

// imageIn returns the image key in an input's block id.
func imageIn(block string) string {
	_, rest, _ := strings.Cut(block, ":")
	_, key, _ := strings.Cut(rest, ":")
	return key
}

// imageOf finds the image of a key.
func imageOf(key string, t store.Tracked) ImageText {
	for _, image := range t.Order.EditedImages {
		if image.ID != "" && imageKey(image.ID) == key {
			return ImageText{ID: image.ID, Name: image.Name}
		}
	}
	return ImageText{ID: key}
}

// Problem returns a form error at the input for all other images.
func (r RevisePage) Problem(sentence string) map[string]string {
	field := fieldAll
	if len(kit.AnswersOf(r.view, fieldAll)) == 0 && len(kit.AnswersOf(r.view, fieldImage)) > 0 {
		field = fieldImage
	}
	return kit.Beside(r.view, field, sentence)
}

// Form errors.
const (
	NoChanges  = "Say what should change in at least one photo, or tick what is good."
	noChange   = "Say what should change."
	NobodyLeft = "Every photo is good or has its own instructions. Untick one or delete this text."
	NobodyElse = "Every photo has its own instructions. Add this text to them or delete it."
	LostOrder  = "I cannot tell which order this is. Copy your text, close this window and try again."
)

// NothingSaid returns the form error of a form without text.
func NothingSaid(t store.Tracked) string {
	return kit.Either(onlyImage(order.Latest(t.Order.EditedImages)), noChange, NoChanges)
}
