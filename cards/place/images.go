package place

import (
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
	ActionBack     = "page:back"                     // the previous page of a form
	ActionEach     = kit.ActionTyped + fieldPerImage // the second step comes next
	CallbackImages = "new_images"                    // the second step of the order form
)

// ImagesPerPage bounds a page of the second step: each image has one input.
const ImagesPerPage = maxInputs

// maxImageInstruction bounds one image's instruction, in characters.
const maxImageInstruction = 1000

// ImagePages returns how many pages the second step has.
func ImagePages(d store.Draft) int {
	return cards.PagesOf(len(d.Images()), ImagesPerPage)
}

// perImage adds the checkbox that leads to the second step. Earlier choices hold until it is unchecked.
func (f *orderForm) perImage() {
	if f.open() || f.secondStep() || len(f.d.Each) > 0 {
		f.Put(tick(ActionEach, draftBlock(f.d, fieldPerImage, 0), "Per photo", "Set service type and instructions for each photo", f.secondStep()))
	}
	if len(f.d.Each) > 0 {
		f.Line("Chosen: " + tally(f.d) + ". Untick to order all photos alike.")
	}
}

// ImagesWindow is a page of the second step: service type and instruction of each image. The first page is 0.
func ImagesWindow(d store.Draft, page int, a FormExtras, externalID string) slack.ModalViewRequest {
	f, images := &orderForm{Page: &kit.Page{}, d: d, a: a}, d.Images()
	first, last := cards.PageSpan(len(images), page, ImagesPerPage)
	f.Say("*" + tally(d) + "*")
	f.Line("The order's service type and instructions apply to every photo. Change only what differs.")
	for i := first; i < last; i++ {
		f.image(i, images[i])
	}
	if ImagePages(d) > 1 {
		f.Line(fmt.Sprintf("Photos %d to %d of %d.", first+1, last, len(images)))
	}
	f.Buttons(kit.Button("Go Back", ActionBack, d.ID))
	f.Line(f.summing(false))
	meta := formMeta(d, a)
	meta.Page = page
	v := f.Form(Title, submitLabel(last < len(images)), CallbackImages, externalID, meta)
	kit.SaveOnClose(&v)
	return v
}

func (f *orderForm) image(i int, image store.DraftImage) {
	name, file := kit.PhotoLabel(i, image.Name), ""
	if i < len(f.d.Files) {
		file = f.d.Files[i].ID
	}
	if picture := kit.Thumbnail(file, image.Name, image.Address, original+name); picture != nil {
		f.Put(slack.NewSectionBlock(kit.Mrkdwn("*"+kit.Inline(name, 200)+"*"), nil, picture))
	}
	own := kit.Multiline(kit.ActionTyped+fieldOwn, image.Instruction, maxImageInstruction)
	f.Put(
		row(orderedBlock(f.d, fieldEach, i, image.Address), kit.Inline(name, 200)+": Service type", serviceSelect(image.Service, f.a.Services)),
		kit.LiveInput(orderedBlock(f.d, fieldOwn, i, image.Address), name+": Instruction", "", own).WithOptional(true))
}

// orderedBlock returns the block id of one image's field. It contains the address, because another window may
// change the order of images.
func orderedBlock(d store.Draft, field string, i int, address string) string {
	return draftBlock(d, field, i+1) + ":" + kit.Hash(address)
}

// tally counts photos, and photos to edit by service type: "3 photos · 1 reference: 1 Basic, 2 Extensive".
func tally(d store.Draft) string {
	var kinds []string
	for _, service := range []order.ServiceType{order.ServiceBasic, order.ServiceExtensive} {
		if n := ofService(d, service); n > 0 {
			kinds = append(kinds, strconv.Itoa(n)+" "+ServiceWords(service))
		}
	}
	return counted(d) + kit.Prefixed(": ", strings.Join(kinds, ", "))
}

// counted returns a draft's photos: "3 photos · 1 reference", or "".
func counted(d store.Draft) string {
	references := ofService(d, order.ServiceReference)
	edited := len(d.Images()) - references
	return kit.Dots(kit.OnlyIf(edited > 0, kit.Count(edited, "photo", "photos")), kit.OnlyIf(references > 0, kit.Count(references, "reference", "references")))
}

func ofService(d store.Draft, service order.ServiceType) int {
	return kit.CountFunc(d.Images(), func(image store.DraftImage) bool { return image.Service == service })
}

// DecodeImages returns the draft's settings per image, with those of one page. Values equal to the order's are
// not saved.
func DecodeImages(view slack.View, d store.Draft) map[string]store.PerImage {
	each := map[string]store.PerImage{}
	chosen, typed := kit.ValuesOf(view, fieldEach), kit.ValuesOf(view, fieldOwn)
	for i, image := range d.Images() {
		own := d.Each[image.Address]
		service := order.ServiceType(chosen[orderedBlock(d, fieldEach, i, image.Address)].SelectedOption.Value)
		if slices.Contains(services, service) {
			own.Service = service
		}
		if own.Service == d.Service {
			own.Service = ""
		}
		if typed, shown := typed[orderedBlock(d, fieldOwn, i, image.Address)]; shown {
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

// AllReference returns a form error if no image would be edited, else nil.
func AllReference(view slack.View, d store.Draft) map[string]string {
	images := d.Images()
	if slices.ContainsFunc(images, func(image store.DraftImage) bool { return image.Service != order.ServiceReference }) {
		return nil
	}
	block := kit.BlockOf(view, fieldOwn)
	first, last := cards.PageSpan(len(images), kit.DecodeMeta(view.PrivateMetadata).Page, ImagesPerPage)
	if first < last {
		block = orderedBlock(d, fieldOwn, first, images[first].Address)
	}
	return map[string]string{block: "All photos are for reference only. Choose Basic or Extensive for at least one."}
}
