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
	ActionWhich = "revise:which" // the images that have inputs in the form
	TitleRevise = "Request changes"
)

// Windows of requesting changes. revise_told.go has those that show the typed text.
var (
	// Revising shows that the request is in progress.
	Revising = cards.WindowOn(TitleRevise, cards.OnItsWay, "Requesting changes to {order} …")
	// ReviseLater says that the request waits for the service.
	ReviseLater = cards.WindowOn(TitleRevise, cards.OnItsWay, cards.NotNow+"was sent yet: I request your changes to {order} as soon as the service is back, unless newer images are there by then.")
)

// Fields of the revise form: the first part of their block ids.
const (
	fieldWhich = "which"
	fieldImage = "image"
	fieldAll   = "all"
)

// ReviseBlock begins the block id of a button that opens the form again. The name of the saved text follows.
const ReviseBlock = "revise:"

const (
	boxesAtOnce = 5   // with more images the person chooses first
	maxOptions  = 100 // Slack's limit for a select
	maxFacts    = 12  // images with facts below their pictures
)

// CanName reports whether the order has an image with an id.
func CanName(t store.Tracked) bool {
	return slices.ContainsFunc(t.Order.EditedImages, func(image order.EditedImage) bool { return image.ID != "" })
}

// Revise asks for changes: an input for each chosen image, and one for all others. New images of a later round
// stand beside the edit before, with their instructions. The form is bound to the revision shown.
func Revise(t store.Tracked, course cards.RoundHistory, c Changes, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, course: course, typed: c}.show(thumbs, externalID)
}

// ReviseStale is [Revise] for somebody who saw revision seen. It says so and is bound to the newer one.
func ReviseStale(t store.Tracked, course cards.RoundHistory, seen int, c Changes, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, course: course, stale: true, seen: seen, typed: c}.show(thumbs, externalID)
}

// show builds the form with as much as a view holds. It first drops pictures, then inputs; their text stays
// saved.
func (f reviseForm) show(thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	f.latest = order.Latest(f.t.Order.EditedImages)
	f.changed, _ = f.course.Changed(f.latest)
	if f.course.Before == nil && f.t.Order.Rev() == 0 && f.t.Brief != nil {
		f.ordered = cards.AskedFor(*f.t.Brief, f.latest, f.t.Brief.Match(f.latest))
	}
	f.chosen, f.ticks = f.typed.chosen(f.latest), f.typed.ticked(f.t)
	f.boxes, f.thumbs, f.links = len(f.chosen), thumbs, true
	view := f.view(externalID)
	if !fitsView(view) {
		f.changed = nil
		view = f.view(externalID)
	}
	if !fitsView(view) {
		f.thumbs, f.links = cards.Thumbs{}, false
		view = f.view(externalID)
	}
	for !fitsView(view) && f.boxes > 0 {
		f.boxes = f.boxes * 3 / 4
		view = f.view(externalID)
	}
	return view
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
	latest  []order.EditedImage
	ordered cards.Album     // first round: each image's instruction in the order
	changed []cards.Change  // images that are new in this round
	ticks   map[string]bool // good edits
	chosen  []int           // indexes of the images with inputs
	boxes   int             // how many of them fit
	thumbs  cards.Thumbs
	links   bool
}

func (f reviseForm) view(externalID string) slack.ModalViewRequest {
	p := &kit.Page{Wide: true}
	f.head(p)
	if choosesImages(f.latest) {
		p.Put(f.goodSelect(), f.which())
	}
	if len(f.chosen) == 0 {
		f.gallery(p)
	}
	room := kit.MaxModalBlocks - kit.BlocksIn(p.Blocks) - f.boxes - f.ownTicks() - kit.MaxTextBoxes - 10 // reserves the required blocks and some reasons
	for n, i := range f.chosen {
		if f.latest[i].ID != "" && n >= f.boxes {
			continue
		}
		room -= f.picture(p, i, room)
		if f.ownTicks() > 0 && f.latest[i].ID != "" {
			f.tick(p, i)
		}
		f.box(p, i)
	}
	f.hiddenText(p)
	label, hint := f.generalLabel()
	p.Boxes(fieldAll, label, hint,
		kit.Parts(f.typed.All, kit.MaxInput, kit.MaxTextBoxes), func(part int) string { return kit.BlockID(fieldAll, f.t.Order.Rev(), part) })
	if len(f.chosen) > 0 {
		f.gallery(p)
	}
	meta := cards.MetaOf(f.t)
	meta.Good = f.typed.opened(f.t)
	return p.Form(TitleRevise, "Request Changes", kit.CallbackRevise, externalID, meta)
}

// ownTicks returns how many images have their own checkbox: all of few images.
func (f reviseForm) ownTicks() int {
	return kit.Either(choosesImages(f.latest), 0, len(f.latest))
}

// choosesImages reports whether there are so many images that the person chooses first.
func choosesImages(latest []order.EditedImage) bool { return len(latest) > boxesAtOnce }

// which returns the menu of images. Images without an id cannot get instructions.
func (f reviseForm) which() slack.Block {
	nothing := "Leave empty for all " + strconv.Itoa(len(f.latest))
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, kit.PlainText(nothing), ActionWhich)
	for i, image := range f.latest {
		if image.ID == "" || len(choose.Options) == maxOptions {
			continue
		}
		option := kit.Option(imageKey(image.ID), kit.Plain(cards.ImageLabel(i+1, image), 75), "")
		choose.Options = append(choose.Options, option)
		if slices.Contains(f.chosen, i) {
			choose.InitialOptions = append(choose.InitialOptions, option)
		}
	}
	hint := "Each one that you choose gets its picture and a box below." + kit.OnlyIf(len(f.chosen) == 0, " What is for all of them goes below the pictures.")
	return kit.Field(kit.BlockID(fieldWhich, f.t.Order.Rev(), 0), "Which images?", hint, choose).WithDispatchAction(true).WithOptional(true)
}

// generalLabel returns the label and hint of the input for all other images.
func (f reviseForm) generalLabel() (label, hint string) {
	if choosesImages(f.latest) && len(f.chosen) == 0 {
		return "For all images", "One instruction per line, for every image that is not good."
	}
	return cards.AllOthers, "One instruction per line, for every image that is not good and has no words of its own."
}

// emptyBoxHint says what happens to images without text.
func (f reviseForm) emptyBoxHint() string {
	return kit.OnlyIf(len(f.chosen) > 0, " An image without words stays as it is, unless *"+cards.AllOthers+"* has some.")
}

// head says what the form asks, and what went wrong before.
func (f reviseForm) head(p *kit.Page) {
	if f.stale {
		p.Alert(newer(f.t, f.seen)).Say(lookAgain)
	} else {
		p.Say("What should change in *" + cards.Project(f.t) + "*" + cards.OfRound(f.t) + "?" + f.emptyBoxHint())
		p.Note("Tick what is good: that is remembered until a new edit is there, and is not changed. Ticks alone are saved, and nothing is sent.")
	}
	if names := namesOf(f.typed.Late); names != "" {
		p.Alert(notCounted(names))
	}
	p.Problems("No changes were requested:", f.typed.generalProblems(f.latest), "Your words are kept.")
	if lost := f.typed.lost(f.latest); len(lost) > 0 {
		p.Say("Your words for images that are no longer there are sent to nobody. Copy what you still need:")
		addLabelled(p, Changes{Each: lost}.labelled(f.t), -1)
	}
}

// lookAgain follows the sentence that newer images exist.
const lookAgain = "Nothing was sent, and your words are kept. Look at the newer images, then request your changes for them."

// picture adds an image and its facts if room blocks allow. It returns how many blocks it added.
func (f reviseForm) picture(p *kit.Page, i, room int) int {
	before, image := kit.BlocksIn(p.Blocks), f.latest[i]
	if room > 4 && f.beforeAndAfter(p, i) {
		return kit.BlocksIn(p.Blocks) - before
	}
	if f.thumbs.Shows(image) && room > 0 {
		p.Put(f.thumbs.Untitled(cards.Tile{Number: i + 1, Image: image}))
	}
	if f.links && room > 1 && (len(f.chosen) <= maxFacts || !f.thumbs.Show) {
		p.Note(kit.Dots(kit.Inline(image.Size, 30), kit.OnlyIf(image.Width > 0 && image.Height > 0, fmt.Sprintf("%d × %d", image.Width, image.Height)), fullSizeOf(image), kit.Prefixed("Asked for: ", kit.Inline(f.ordered.Of(i), cards.MaxOwn))))
	}
	return kit.BlocksIn(p.Blocks) - before
}

// beforeAndAfter adds a changed image beside the edit before, with its instructions. It returns false if it
// cannot.
func (f reviseForm) beforeAndAfter(p *kit.Page, i int) bool {
	at := slices.IndexFunc(f.changed, func(c cards.Change) bool { return c.Number == i+1 && c.Before != nil })
	if at < 0 {
		return false
	}
	c := f.changed[at]
	if len(c.Tiles(f.thumbs)) < 2 || !cards.AddPairs(p, []cards.Change{c}, f.thumbs, nil) {
		return false
	}
	asked := cards.RequestOf(f.course)
	words := kit.OnlyIf(len(asked.Of(c)) > 0, asked.Who()+": "+kit.Inline(strings.Join(asked.Of(c), " · "), cards.MaxRequest))
	p.Note(kit.Dots("Full size: "+c.Links(), words))
	return true
}

// gallery shows all images, so that people can find by picture what they choose by name.
func (f reviseForm) gallery(p *kit.Page) {
	if !choosesImages(f.latest) || !f.links || len(f.chosen) > boxesAtOnce {
		return
	}
	cards.AddGallery(p.Say("*All "+strconv.Itoa(len(f.latest))+" images*"), cards.Album{Images: f.latest}, f.thumbs, cards.SeeAll(f.t))
}

// fullSizeOf links to an image in full size, or returns "".
func fullSizeOf(image order.EditedImage) string {
	full := kit.Link(image.Origin, "Full size")
	return kit.OnlyIf(order.WebAddress(image.Origin) && kit.Units(full) <= kit.MaxSection-100, full)
}

// box adds the service's reasons about an image, and its input.
func (f reviseForm) box(p *kit.Page, i int) {
	image := f.latest[i]
	label := cards.ImageLabel(i+1, image)
	if image.ID == "" {
		p.Note(kit.EscapeTo(label, 300) + ": the service has given this image no ID, so nothing can be asked for it alone. Write to the editor about it.")
		return
	}
	if said := f.typed.problemsOf(image); len(said) > 0 {
		p.Note(kit.Cut(":warning: The service says: "+kit.FullStop(kit.Inline(strings.Join(said, " "), 1000))+
			" Your words are kept, and *"+cards.AllOthers+"* leaves this image out now. Empty its box, or try it again.", kit.MaxField))
	}
	p.Put(kit.Field(imageBlock(f.t.Order.Rev(), image.ID), label, "One instruction per line.",
		kit.Multiline(fieldImage, f.typed.wordsFor(image.ID), kit.MaxInput)).WithOptional(true))
}

// hiddenText names the images whose saved text has no input.
func (f reviseForm) hiddenText(p *kit.Page) {
	names, hidden := f.typed.unchosenNames(f.latest), len(f.chosen)-f.boxes
	p.Note(kit.OnlyIf(names != "", "Your words for "+names+" are kept and not sent: they come back when you choose the image again."))
	p.Note(kit.OnlyIf(hidden > 0, "There is no room to show the boxes of "+kit.Count(hidden, "more image", "more images")+". Their words are kept, and sent with the others."))
}

// imageBlock returns the block id of an image's input.
func imageBlock(revision int, id string) string {
	return fieldImage + ":" + strconv.Itoa(revision) + ":" + imageKey(id)
}

// imageKey shortens an image id for block ids and option values.
func imageKey(id string) string {
	return kit.Either(len(id) <= 120, id, kit.Hash(id))
}

// RevisePage is a submitted revise form. Forms of an early version had pages; text of other pages is kept.
type RevisePage struct {
	kit.Meta // only an early version writes More: then nothing is sent yet
	view     slack.View
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
	c = c.withPage(each)
	for _, which := range kit.AnswersOf(r.view, fieldWhich) {
		var chosen []ImageText
		for _, option := range which.SelectedOptions {
			chosen = append(chosen, imageOf(option.Value, t))
		}
		c = c.choose(chosen)
	}
	if ticks, asked := r.ticksIn(t); asked {
		c.Ticks, c.Opened, c.Late = ticks, append([]string{}, r.Good...), nil
	}
	return c
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
	NoChanges  = "Say for at least one image what should change, or tick what is good."
	NobodyLeft = "Every image is good or has words of its own, so these would reach nobody. Untick the images that they are for, or take them out here."
	NobodyElse = "Every image has words of its own, so these would reach nobody. Put them into the images' boxes, or take them out here."
	LostOrder  = "This window has lost its order. Copy your words, close it, and press “Request Changes” again, on the order's card or in its review."
)
