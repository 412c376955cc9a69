package place

import (
	"fmt"
	"slices"
	"strconv"
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

// noUploads says why the form takes only URLs.
const noUploads = "Photos cannot be uploaded here yet: the photo service could not fetch them from me. " +
	"Whoever looks after this app can change that by setting PUBLIC_URL. Until then, give image URLs."

// uploadHint says which files fit and what to do with larger ones. Slack takes 10 MB a file
// (docs.slack.dev/reference/block-kit/block-elements/file-input-element).
func (f *orderForm) uploadHint() string {
	there := kit.Either(f.shows(kit.FieldImages), "Image URLs", "“Add Photo Links”")
	needed := "At least one photo here or an address under " + there + ", or both: up to " + strconv.Itoa(order.MaxImages) + " images. "
	if len(f.d.Images()) > 0 {
		needed = "More photos here or addresses under " + there + ": up to " + strconv.Itoa(order.MaxImages) + " images in all. "
	}
	return needed +
		"JPEG, PNG, TIFF, HEIC or camera raw: up to ten at a time, 10 MB each. " +
		"A CSV file instead places one order a row, once you have seen them all. Larger ones: post them in a channel that I am in, then choose “Order these photos” in that message's menu."
}

// uploads adds the saved photos, the menu that removes one, and the upload field.
func (f *orderForm) uploads() {
	d := f.d
	for i, file := range d.Files[:min(len(d.Files), order.MaxImages)] {
		f.savedPhoto(file, kit.PhotoLabel(i, file.Name))
	}
	f.remover()
	if !f.a.Upload {
		f.Line(noUploads)
		return
	}
	room := f.roomForUploads()
	if f.a.Unsure && room > 0 {
		f.Line("If you had chosen photos below and do not see them any more, please choose them again.")
	}
	if room > 0 {
		field := slack.NewFileInputBlockElement(kit.ActionTyped + kit.FieldPhotos).WithFileTypes(append(slices.Clone(kit.PictureTypes), "csv")...).WithMaxFiles(min(room, kit.MaxUploads))
		f.Put(kit.Field(draftBlock(d, kit.FieldPhotos, f.a.UploadGen), "Photos", f.uploadHint(), field).WithOptional(true))
	}
	f.wrong(kit.FieldPhotos)
	if f.roomForMore() {
		f.Put(kit.TickBox(ActionMore, draftBlock(d, fieldMore, f.a.UploadGen), "Add more photos", "Keep these photos and show this form again for more", f.wantsMore()))
	}
}

// roomForUploads returns how many more photos the order takes.
func (f *orderForm) roomForUploads() int { return order.MaxImages - len(f.d.Files) }

// uploading reports whether the form has the upload field.
func (f *orderForm) uploading() bool { return f.a.Upload && f.roomForUploads() > 0 }

// savedPhoto adds one saved photo with the service's problems.
func (f *orderForm) savedPhoto(file store.DraftFile, label string) {
	rows := []string{"*" + kit.Inline(label, 200) + "*" + kit.OnlyIf(file.Size > 0, "  "+bytesWords(file.Size))}
	for i, problem := range f.a.Problems {
		if namesAddress(problem, file.URL) {
			rows = append(rows, ":warning: "+f.problemText(i))
		}
	}
	f.Put(slack.NewSectionBlock(kit.Mrkdwn(kit.Cut(strings.Join(rows, "\n"), kit.MaxSection)), nil, kit.Thumbnail(file.ID, file.Name, "", label)))
}

// remover counts the saved photos and adds the menu that removes one. Its block id changes with the photos, so
// that Slack keeps no choice.
func (f *orderForm) remover() {
	files := f.d.Files[:min(len(f.d.Files), order.MaxImages)]
	if len(files) == 0 {
		return
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Remove a photo"), ActionRemove,
		kit.Map(files, func(i int, file store.DraftFile) *slack.OptionBlockObject {
			return kit.Option(kit.Clip(PhotoValue(f.d.ID, file.ID), kit.MaxOptionValue), kit.Plain(kit.PhotoLabel(i, file.Name), kit.MaxOptionText), "")
		})...)
	words := "*" + kit.Count(len(files), "photo", "photos") + " kept.*"
	block := slack.NewSectionBlock(kit.Mrkdwn(words), nil, slack.NewAccessory(choose))
	block.BlockID = draftBlock(f.d, fieldRemove, len(files))
	f.Put(block)
}

// Unread names photos that the app cannot read, and says what to do. Nobody can invite the app into a direct
// message.
func Unread(names []string, direct bool) string {
	n := len(names)
	those, were, them := kit.Plural(n, "this photo", "these photos"), kit.Plural(n, "it was", "they were"), kit.Plural(n, "it", "them")
	says := "I cannot read " + those + ", because I am not in the conversation that " + were + " posted in. Invite me there and choose “Order these photos” again, or upload " + them + " here"
	if direct {
		says = "I cannot read " + those + ", because I am not in the direct message that " + were + " posted in. Please upload " + them + " here, or post " + them + " in a channel that I am in"
	}
	return says + ": " + strings.Join(names, ", ")
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

func bytesWords(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return kit.Count(int(n), "byte", "bytes")
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
