package place

import (
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	ActionRemove = "draft:remove" // the menu that removes a photo; an option is "DRAFT:FILE"

	ActionMore = kit.ActionTyped + fieldMore // the form comes back for more photos
)

// noUploads says why the form takes only links.
const noUploads = "Photos cannot be uploaded until a Darkroom admin sets PUBLIC_URL. Add photo links."

// uploadHint says which files fit. Slack takes 10 MB a file
// (docs.slack.dev/reference/block-kit/block-elements/file-input-element).
const uploadHint = "Up to 10 at a time, 10 MB each. A CSV file makes one order a row."

// maxRow is how many pictures a row holds (docs.slack.dev/reference/block-kit/blocks/context-block).
const maxRow = 10

// uploads adds the saved photos, the menu that removes one, and the upload field.
func (f *orderForm) uploads() {
	f.savedPhotos()
	if !f.a.Upload {
		f.Line(noUploads)
		return
	}
	room := f.roomForUploads()
	if f.a.Unsure && room > 0 {
		f.Line("If photos you chose are gone, choose them again.")
	}
	if f.uploading() {
		field := slack.NewFileInputBlockElement(kit.ActionTyped + kit.FieldPhotos).WithFileTypes(append(slices.Clone(kit.PictureTypes), "csv")...).WithMaxFiles(min(room, kit.MaxUploads))
		f.Put(kit.Field(draftBlock(f.d, kit.FieldPhotos, f.a.UploadGen), "Photos", uploadHint, field).WithOptional(len(f.d.Files) > 0 || f.shows(kit.FieldImages)))
	}
	f.wrong(kit.FieldPhotos)
}

// addMore adds the checkbox with which the form comes back for more photos than one upload field holds.
func (f *orderForm) addMore() {
	if f.roomForMore() && (f.open() || f.wantsMore()) {
		f.Put(tick(ActionMore, draftBlock(f.d, fieldMore, f.a.UploadGen), "Add more photos", "Keep these and add more before ordering", f.wantsMore()))
	}
}

// roomForUploads returns how many more photos the order takes.
func (f *orderForm) roomForUploads() int { return order.MaxImages - len(f.d.Files) }

// uploading reports whether the form has the upload field. An order with photos has it behind Add Photos, unless it
// may hold photos, or something was wrong with some.
func (f *orderForm) uploading() bool {
	needed := len(f.d.Files) == 0 || f.a.Unsure || len(f.a.Problems)+len(f.a.Skipped) > 0 || f.a.Wrong[kit.FieldPhotos] != ""
	return f.a.Upload && f.roomForUploads() > 0 && (needed || f.wantsMore() || f.shows(kit.FieldPhotos))
}

// savedPhotos shows the saved photos as rows of small pictures, with the menu that removes one and the service's
// problems. The block id of the menu changes with the photos: under a new id, Slack shows it unselected.
func (f *orderForm) savedPhotos() {
	files := f.d.Files[:min(len(f.d.Files), order.MaxImages)]
	if len(files) == 0 {
		return
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Remove a photo"), ActionRemove,
		kit.Map(files, func(i int, file store.DraftFile) *slack.OptionBlockObject {
			return kit.Option(kit.Clip(PhotoValue(f.d.ID, file.ID), kit.MaxOptionValue), kit.Plain(kit.PhotoLabel(i, file.Name), kit.MaxOptionText), "")
		})...)
	f.Put(row(draftBlock(f.d, fieldRemove, len(files)), kit.Count(len(files), "photo", "photos")+" in this order", choose))
	pictures := kit.Map(files, func(i int, file store.DraftFile) slack.MixedElement {
		return smallPicture(file, kit.PhotoLabel(i, file.Name))
	})
	for some := range slices.Chunk(pictures, maxRow) {
		f.Put(slack.NewContextBlock("", some...))
	}
	f.problemsOf(func(problem string) bool { return fileNamed(f.d, problem) })
}

// original begins what a picture of a photo to edit is called.
const original = "Original: "

// smallPicture returns a photo, or its label if Slack does not show such files.
func smallPicture(file store.DraftFile, label string) slack.MixedElement {
	if picture := kit.Thumbnail(file.ID, file.Name, "", original+label); picture != nil {
		return picture.ImageElement
	}
	return kit.Mrkdwn(kit.Inline(label, kit.MaxField))
}

// Unread names photos that the app cannot read, and says what to do. Nobody can invite the app into a direct
// message.
func Unread(names []string, direct bool) string {
	them := kit.Plural(len(names), "it", "them")
	said := "I am not in the conversation of " + strings.Join(names, ", ") + ". Invite me there and choose “Order these photos” again, or upload " + them + "."
	if direct {
		said = "I cannot read the direct message with " + strings.Join(names, ", ") + ". Upload " + them + ", or post " + them + " in a channel that I am in."
	}
	return said
}

// Named replaces signed photo URLs by labels. The URLs mean nothing to people, and open the photos.
func Named(d store.Draft, problems kit.Problems) kit.Problems {
	var labels []string
	for i, f := range d.Files {
		if f.URL != "" {
			labels = append(labels, f.URL, kit.PhotoLabel(i, f.Name))
		}
	}
	byLabel := strings.NewReplacer(labels...)
	return kit.Map(problems, func(_ int, problem string) string { return byLabel.Replace(problem) })
}

// PhotoValue returns the value of an option that removes a photo.
func PhotoValue(draft, file string) string { return draft + ":" + file }

// ParsePhotoValue reads a [PhotoValue].
func ParsePhotoValue(s string) (draft, file string, ok bool) {
	i := strings.LastIndex(s, ":")
	if i < 1 || i == len(s)-1 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}
