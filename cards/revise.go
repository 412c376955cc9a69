package cards

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Fields of the revise form: the first part of their block ids.
const (
	fieldImage = "image"
	fieldAll   = "all"
)

// ReviseBlock begins the block id of a button that opens the revise form again; the name
// of the note that keeps what was typed follows.
const ReviseBlock = "revise:"

// imagesPerPage lets a page hold the longest words for each of its images and still be
// smaller than Slack's 250 kB and 100 blocks.
const imagesPerPage = 8

// revisePages is how many pages the revise form of an order has, at least one.
func revisePages(t store.Tracked) int {
	return PagesOf(len(Latest(t.Order.EditedImages)), imagesPerPage)
}

// CanName tells whether the order has an image that an instruction can name.
func CanName(t store.Tracked) bool {
	return slices.ContainsFunc(t.Order.EditedImages, func(image order.EditedImage) bool { return image.ID != "" })
}

// PageOf is the page to show of a refused form: that of the first image that the
// service's reasons name, else the given one.
func (c Changes) PageOf(t store.Tracked, otherwise int) int {
	for i, image := range Latest(t.Order.EditedImages) {
		if len(c.beside(image)) > 0 {
			return i / imagesPerPage
		}
	}
	return otherwise
}

// Revise asks what should change: a box for each of the page's images and one for all
// the others. It is bound to the revision shown. Pages count from 0.
func Revise(t store.Tracked, c Changes, page int, thumbs bool, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, typed: c}.show(page, thumbs, externalID)
}

// ReviseStale is [Revise] for somebody who has seen an older revision: it says so, and is
// bound to the newer one.
func ReviseStale(t store.Tracked, seen int, c Changes, page int, thumbs bool, externalID string) slack.ModalViewRequest {
	return reviseForm{t: t, stale: true, seen: seen, typed: c}.show(page, thumbs, externalID)
}

func (f reviseForm) show(page int, thumbs bool, externalID string) slack.ModalViewRequest {
	f.latest, f.page = Latest(f.t.Order.EditedImages), min(max(page, 0), revisePages(f.t)-1)
	view := f.view(thumbs, true, externalID)
	if raw, err := json.Marshal(view); err == nil && len(raw) > maxView {
		return f.view(false, false, externalID)
	}
	return view
}

// maxView is what a view of ours has at most, in bytes; Slack takes 250 kB.
const maxView = 240_000

// reviseForm is one page of the form.
type reviseForm struct {
	t      store.Tracked
	stale  bool
	seen   int // stale: the revision the person looked at
	typed  Changes
	latest []order.EditedImage
	page   int
}

func (f reviseForm) view(thumbs, links bool, externalID string) slack.ModalViewRequest {
	p := &builder{wide: true}
	f.head(p)
	first, last := f.span()
	for i := first; i < last; i++ {
		f.image(p, i, thumbs, links)
	}
	p.boxes(fieldAll, allOthers, f.allHint(), parts(f.typed.All, maxInput, maxTextBoxes), f.allBlock)
	if f.page > 0 {
		p.buttons(press("Back", ActionBack, Value(f.t.ID, f.t.Order.Rev())))
	}
	meta := metaOf(f.t)
	meta.Page, meta.More = f.page, f.page < revisePages(f.t)-1
	submit := "Request changes"
	if meta.More {
		submit = "Next"
	}
	return p.form(TitleRevise, submit, CallbackRevise, externalID, meta)
}

// span are the places of the page's images, see [pageSpan].
func (f reviseForm) span() (first, last int) { return pageSpan(len(f.latest), f.page, imagesPerPage) }

// head says what is asked for, and what went wrong before.
func (f reviseForm) head(p *builder) {
	if f.stale {
		p.say(newer(f.t, f.seen)).say(lookAgain)
	} else {
		p.say("What should change in *" + project(f.t) + "*" + ofRound(f.t) + "? Leave a box empty where nothing should.")
	}
	p.problems("No changes were requested:", f.typed.above(f.latest), "Your words are kept.")
	if lost := f.typed.lost(f.latest); len(lost) > 0 {
		p.say("Your words for images that are no longer there are sent to nobody. Copy what you still need:")
		p.labelled(Changes{Each: lost}.labelled(f.t), -1)
	}
	if pages := revisePages(f.t); pages > 1 {
		first, last := f.span()
		p.note(fmt.Sprintf("Images %d to %d of %d, page %d of %d. What you type is kept from page to page and sent after the last one.",
			first+1, last, len(f.latest), f.page+1, pages))
	}
}

// lookAgain follows the news that there is something newer.
const lookAgain = "Nothing was sent, and your words are kept. Look at the newer images, then request your changes for them."

// image adds one image, what the service says about it, and its box.
func (f reviseForm) image(p *builder, i int, thumbs, links bool) {
	image := f.latest[i]
	if links && !p.preview(i+1, image, Thumbs{Show: thumbs}) {
		p.say(imageRow(i+1, image))
	}
	label := imageLabel(i+1, image)
	if image.ID == "" {
		p.note(escape(label, 300) + ": the service has given this image no ID, so nothing can be asked for it alone. Write to the editor about it.")
		return
	}
	if said := f.typed.beside(image); len(said) > 0 {
		p.note(cut(":warning: The service says: "+finished(inline(strings.Join(said, " "), 1000))+
			" Your words are kept, and *"+allOthers+"* leaves this image out now. Empty its box, or try it again.", maxField))
	}
	p.put(ask(imageBlock(f.t.Order.Rev(), image.ID), label, "One instruction per line.",
		multiline(fieldImage, f.typed.wordsFor(image.ID), maxInput)).WithOptional(true))
}

func (f reviseForm) allHint() string {
	return "One instruction per line, for every image without words of its own" + onlyIf(revisePages(f.t) > 1, ", on every page") + "."
}

// allBlock is another id on every page, so that each begins with the words kept.
func (f reviseForm) allBlock(part int) string {
	return fmt.Sprintf("%s:%d:%d:%d", fieldAll, f.t.Order.Rev(), f.page, part)
}

// imageBlock is the id of an image's box.
func imageBlock(revision int, id string) string {
	return fieldImage + ":" + strconv.Itoa(revision) + ":" + imageKey(id)
}

// imageKey stands for an image's id where ids are short.
func imageKey(id string) string {
	if len(id) <= 120 {
		return id
	}
	return short(id)
}

// RevisePage is one page of the revise form as somebody filled it in.
type RevisePage struct {
	Meta // with More, the page is turned, not sent
	view slack.View
}

// DecodeRevise reads a page that was submitted or left.
func DecodeRevise(view slack.View) RevisePage {
	return RevisePage{Meta: DecodeMeta(view.PrivateMetadata), view: view}
}

// Into puts the page's words into what the other pages hold.
func (r RevisePage) Into(c Changes, t store.Tracked) Changes {
	if len(heldBy(r.view, fieldAll)) > 0 {
		c.All = strings.TrimSpace(textOf(r.view, fieldAll))
	}
	var each []ImageWords
	for _, box := range heldBy(r.view, fieldImage) {
		typed := r.named(box.block, t)
		typed.Words = box.Value
		each = append(each, typed)
	}
	return c.with(each)
}

// named finds the image of a box.
func (r RevisePage) named(block string, t store.Tracked) ImageWords {
	_, rest, _ := strings.Cut(block, ":")
	_, key, _ := strings.Cut(rest, ":")
	for _, image := range t.Order.EditedImages {
		if image.ID != "" && imageKey(image.ID) == key {
			return ImageWords{ID: image.ID, Name: image.Name}
		}
	}
	return ImageWords{ID: key}
}

// Problem stands beside the box for all other images, which every page has.
func (r RevisePage) Problem(sentence string) map[string]string {
	field := fieldAll
	if len(heldBy(r.view, fieldAll)) == 0 && len(heldBy(r.view, fieldImage)) > 0 {
		field = fieldImage
	}
	return beside(r.view, field, sentence)
}

// What is said beside a box.
const (
	NoChanges  = "Say for at least one image what should change."
	NobodyElse = "Every image has words of its own, so these would reach nobody. Put them into the images' boxes, or take them out here."
	LostOrder  = "This window has lost its order. Copy your words, close it, and press Request changes on the order's card again."
)
