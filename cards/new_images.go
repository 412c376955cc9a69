package cards

import (
	"fmt"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// ImagesPerPage is how many images one page of the second step holds: few enough for a
// phone, and nearly always for one frame of Socket Mode.
const ImagesPerPage = 10

// MaxImageInstruction is how many characters one image's own instruction has.
const maxImageInstruction = 1000

// ImagePages is how many pages the second step has.
func ImagePages(d store.Draft) int {
	return PagesOf(len(d.Images()), ImagesPerPage)
}

// perImage leads to the second step. What was chosen there before stands, until the box
// is unticked.
func (p *builder) perImage(d store.Draft) {
	p.blocks = append(p.blocks, box(d, fieldPerImage, 0, "Per image", "Choose the service type and instruction of each image next", len(d.Each) > 0))
	if len(d.Each) > 0 {
		p.line("Chosen so far: " + tally(d) + ". Without the tick, all images are ordered alike.")
	}
}

// NewImages is the page at, from 0, of the second step: each image's service type and own
// instruction.
func NewImages(d store.Draft, at int, a Around, externalID string) slack.ModalViewRequest {
	p, images := &builder{}, d.Images()
	first, last := imagesOf(len(images), at)
	p.say("*" + tally(d) + "*")
	p.line("What you leave as it is gets the order's service type, and the order's instructions count for every image.")
	for i := first; i < last; i++ {
		p.image(d, i, images[i])
	}
	if ImagePages(d) > 1 {
		p.line(fmt.Sprintf("Images %d to %d of %d.", first+1, last, len(images)))
	}
	p.buttons(press(button{label: "Back", action: ActionBack}, d.ID))
	submit := "Next"
	if last == len(images) {
		submit = "Place order"
	}
	meta := formMeta(d, a)
	meta.Page = at
	v := p.form(TitleNew, submit, CallbackNewImages, externalID, meta)
	v.NotifyOnClose = true
	return v
}

// imagesOf are the images of a page: from the first up to, not with, the last.
func imagesOf(total, page int) (first, last int) {
	first = min(max(page, 0)*ImagesPerPage, total)
	return first, min(first+ImagesPerPage, total)
}

func (p *builder) image(d store.Draft, i int, image store.DraftImage) {
	name := label(i, image.Name)
	choose := serviceSelect(fieldEach, image.Service, order.ServiceBasic, order.ServiceExtensive, order.ServiceReference)
	own := multiline(ActionTyped+fieldOwn, image.Instruction, maxImageInstruction)
	p.blocks = append(p.blocks,
		slack.NewInputBlock(orderedBlock(d, fieldEach, i, image.Address), plainText(name+": Service type"), nil, choose).WithDispatchAction(true),
		typed(orderedBlock(d, fieldOwn, i, image.Address), name+": Instruction", "", own).WithOptional(true))
}

// orderedBlock is the block id of one image's field: bound to its address, should the
// order change in another window meanwhile.
func orderedBlock(d store.Draft, field string, i int, address string) string {
	return draftBlock(d, field, i+1) + ":" + short(address)
}

// tally says how many images there are of each service type.
func tally(d store.Draft) string {
	images, by := d.Images(), map[order.ServiceType]int{}
	for _, image := range images {
		by[image.Service]++
	}
	var kinds []string
	for _, kind := range []struct {
		service order.ServiceType
		word    string
	}{{order.ServiceBasic, "basic"}, {order.ServiceExtensive, "extensive"}, {order.ServiceReference, "reference"}} {
		if n := by[kind.service]; n > 0 {
			kinds = append(kinds, strconv.Itoa(n)+" "+kind.word)
		}
	}
	all := count(len(images), "image", "images")
	if len(kinds) == 0 {
		return all
	}
	return all + ": " + strings.Join(kinds, ", ")
}

// DecodeNewImages puts what a page of the second step holds into the draft; what does
// not differ from the order as a whole is not kept.
func DecodeNewImages(view slack.View, d store.Draft) map[string]store.PerImage {
	each := map[string]store.PerImage{}
	for i, image := range d.Images() {
		own := d.Each[image.Address]
		if chosen, ok := heldBy(view, fieldEach, orderedBlock(d, fieldEach, i, image.Address)); ok && serviceOf(chosen) != "" {
			own.Service = serviceOf(chosen)
		}
		if own.Service == d.Service {
			own.Service = ""
		}
		if typed, ok := heldBy(view, fieldOwn, orderedBlock(d, fieldOwn, i, image.Address)); ok {
			own.Instruction = strings.TrimSpace(typed.Value)
		}
		if own != (store.PerImage{}) {
			each[image.Address] = own
		}
	}
	if len(each) == 0 {
		return nil
	}
	return each
}

// serviceOf is what a select says, "" when that is none of ours.
func serviceOf(a slack.BlockAction) order.ServiceType {
	switch s := order.ServiceType(a.SelectedOption.Value); s {
	case order.ServiceBasic, order.ServiceExtensive, order.ServiceReference:
		return s
	}
	return ""
}

// AllReference is the problem of an order in which nothing would be edited, beside the
// first image of the page; nil when there is none.
func AllReference(view slack.View, d store.Draft) map[string]string {
	images := d.Images()
	for _, image := range images {
		if image.Service != order.ServiceReference {
			return nil
		}
	}
	block := blockOf(view, fieldEach)
	first, last := imagesOf(len(images), DecodeMeta(view.PrivateMetadata).Page)
	if first < last {
		block = orderedBlock(d, fieldEach, first, images[first].Address)
	}
	return map[string]string{block: "All images are for reference only, so there is nothing to edit. Choose Basic or Extensive for at least one."}
}
