package cards

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// maxUploads is how many files Slack's upload field holds.
const maxUploads = 10

// pictureTypes are offered to the upload field, which only advises: what comes is
// looked at in any case.
var pictureTypes = []string{
	"jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif",
	"dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw",
}

// noUploads says why the form offers URLs only.
const noUploads = "Photos cannot be uploaded here yet: the photo service could not fetch them from me. " +
	"Whoever looks after this app can change that by setting PUBLIC_URL. Until then, give image URLs."

// uploadHint says what is needed, what Slack's field takes, and the way around. Slack: 10 MB a
// file, docs.slack.dev/reference/block-kit/block-elements/file-input-element.
func (f *newForm) uploadHint() string {
	there := "“Add web addresses”"
	if f.shows(fieldImages) {
		there = "Image URLs"
	}
	needed := "At least one photo here or an address under " + there + ", or both: up to " + strconv.Itoa(order.MaxImages) + " images. "
	if len(f.d.Images()) > 0 {
		needed = "More photos here or addresses under " + there + ": up to " + strconv.Itoa(order.MaxImages) + " images in all. "
	}
	return needed +
		"JPEG, PNG, TIFF, HEIC or camera raw: up to ten at a time, 10 MB each. " +
		"A CSV file instead places one order a row, once you have seen them all. Larger ones: post them in a channel that I am in, then choose “Order these photos” in that message's menu."
}

// uploads are the kept photos, a menu that takes one out, and the field for more.
func (f *newForm) uploads() {
	d := f.d
	for i, file := range d.Files[:min(len(d.Files), order.MaxImages)] {
		f.keptPhoto(file, label(i, file.Name))
	}
	f.remover()
	if !f.a.Upload {
		f.line(noUploads)
		return
	}
	room := f.roomForUploads()
	if f.a.Unsure && room > 0 {
		f.line("If you had chosen photos below and do not see them any more, please choose them again.")
	}
	if room > 0 {
		field := slack.NewFileInputBlockElement(ActionTyped + fieldPhotos).WithFileTypes(append(slices.Clone(pictureTypes), "csv")...).WithMaxFiles(min(room, maxUploads))
		f.put(ask(draftBlock(d, fieldPhotos, f.a.UploadGen), "Photos", f.uploadHint(), field).WithOptional(true))
	}
	f.wrong(fieldPhotos)
	if f.roomForMore() {
		f.put(box(ActionMore, draftBlock(d, fieldMore, f.a.UploadGen), "Add more photos", "Keep these photos and show this form again for more", f.more()))
	}
}

// roomForUploads is how many photos the order can still take.
func (f *newForm) roomForUploads() int { return order.MaxImages - len(f.d.Files) }

// uploading tells whether the form has the upload field.
func (f *newForm) uploading() bool { return f.a.Upload && f.roomForUploads() > 0 }

// keptPhoto is one kept photo with its picture, and with what the service said about it.
func (f *newForm) keptPhoto(file store.DraftFile, label string) {
	rows := []string{"*" + inline(label, 200) + "*" + onlyIf(file.Size > 0, "  "+bytesWords(file.Size))}
	for i, problem := range f.a.Problems {
		if namesAddress(problem, file.URL) {
			rows = append(rows, ":warning: "+f.toldOf(i))
		}
	}
	f.put(slack.NewSectionBlock(mrkdwn(cut(strings.Join(rows, "\n"), maxSection)), nil, thumbnail(file.ID, file.Name, "", label)))
}

// thumbnail is a small picture of an image beside its name: of a file in Slack, or at an
// address; nil when Slack could show none. Slack shows PNG, JPEG and GIF:
// docs.slack.dev/reference/block-kit/blocks/image-block.
func thumbnail(file, name, address, label string) *slack.Accessory {
	switch ext := strings.ToLower(path.Ext(name)); {
	case !slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif"}, ext):
		return nil
	case file != "":
		return slack.NewAccessory(slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: file}, plain(label, maxAlt)))
	case !isWeb(address) || units(address) > maxURL:
		return nil
	}
	return slack.NewAccessory(slack.NewImageBlockElement(address, plain(label, maxAlt)))
}

// remover counts the kept photos and takes one out. Its block is another one whenever
// the photos are: what was chosen in it is over then.
func (f *newForm) remover() {
	files := f.d.Files[:min(len(f.d.Files), order.MaxImages)]
	if len(files) == 0 {
		return
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Remove a photo"), ActionRemove,
		each(files, func(i int, file store.DraftFile) *slack.OptionBlockObject {
			return slack.NewOptionBlockObject(clip(PhotoValue(f.d.ID, file.ID), maxOptionValue), plainText(plain(label(i, file.Name), maxOptionText)), nil)
		})...)
	words := "*" + count(len(files), "photo", "photos") + " kept.*"
	block := slack.NewSectionBlock(mrkdwn(words), nil, slack.NewAccessory(choose))
	block.BlockID = draftBlock(f.d, fieldRemove, len(files))
	f.put(block)
}

// Unread names photos of a message that the app may not read, and says what to do: into a
// direct message nobody can invite it.
func Unread(names []string, direct bool) string {
	n := len(names)
	those, were, them := plural(n, "this photo", "these photos"), plural(n, "it was", "they were"), plural(n, "it", "them")
	says := "I cannot read " + those + ", because I am not in the conversation that " + were + " posted in. Invite me there and choose “Order these photos” again, or upload " + them + " here"
	if direct {
		says = "I cannot read " + those + ", because I am not in the direct message that " + were + " posted in. Please upload " + them + " here, or post " + them + " in a channel that I am in"
	}
	return says + ": " + strings.Join(names, ", ")
}

// box is a single box to tick, told at once.
func box(action, block, label, says string, ticked bool) slack.Block {
	option := slack.NewOptionBlockObject("yes", plainText(says), nil)
	choose := slack.NewCheckboxGroupsBlockElement(action, option)
	if ticked {
		choose.InitialOptions = []*slack.OptionBlockObject{option}
	}
	return ask(block, label, "", choose).WithOptional(true).WithDispatchAction(true)
}

// label is what an image is called wherever people choose for it.
func label(i int, name string) string {
	return strconv.Itoa(i+1) + " · " + orElse(plain(oneLine(name), 120), "photo")
}

// named puts a photo's label in the place of its signed address, which says nothing to
// a person and opens the photo to whoever has it.
func named(d store.Draft, problems Problems) Problems {
	var labels []string
	for i, f := range d.Files {
		if f.URL != "" {
			labels = append(labels, f.URL, label(i, f.Name))
		}
	}
	byLabel := strings.NewReplacer(labels...)
	return each(problems, func(_ int, problem string) string { return byLabel.Replace(problem) })
}

func photoNames(d store.Draft) []string {
	return each(d.Files, func(i int, f store.DraftFile) string { return label(i, f.Name) })
}

func bytesWords(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return count(int(n), "byte", "bytes")
}

// PhotoValue is what the Remove button of a photo carries.
func PhotoValue(draft, file string) string { return draft + ":" + file }

// ParsePhotoValue reads it back.
func ParsePhotoValue(s string) (draft, file string, ok bool) {
	i := strings.LastIndex(s, ":")
	if i < 1 || i == len(s)-1 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}
