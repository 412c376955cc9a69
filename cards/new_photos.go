package cards

import (
	"fmt"
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
	"Whoever runs me can change that by setting PUBLIC_URL. Until then, give image URLs."

// uploadHint says what Slack's field takes, and the way around. Slack: 10 MB a file,
// docs.slack.dev/reference/block-kit/block-elements/file-input-element.
const uploadHint = "JPEG, PNG, TIFF, HEIC or camera raw: up to ten at a time, 10 MB each. " +
	"Larger ones: post them in a channel that I am in, then choose “Order these photos” in that message's menu."

// keptPhotos are the kept ones, each with its own Remove, and the field for more.
func (p *builder) keptPhotos(d store.Draft, a Around, shown Problems) {
	for i, f := range d.Files[:min(len(d.Files), order.MaxImages)] {
		p.keptPhoto(d, f, label(i, f.Name), a.Problems, shown)
	}
	if !a.Upload {
		p.line(noUploads)
		return
	}
	room := order.MaxImages - len(d.Files)
	if a.Unsure && room > 0 {
		p.line("If you had chosen photos below and do not see them any more, please choose them again.")
	}
	if room > 0 {
		field := slack.NewFileInputBlockElement(ActionTyped + fieldPhotos).WithFileTypes(pictureTypes...).WithMaxFiles(min(room, maxUploads))
		p.put(ask(draftBlock(d, fieldPhotos, a.UploadGen), "Photos", uploadHint, field).WithOptional(true))
	}
	if room > maxUploads {
		p.put(box(d, fieldMore, a.UploadGen, "Add more photos", "Keep these photos and show this form again for more", false))
	}
	p.line(counted(d))
}

// keptPhoto is one kept photo, with what the service said about it.
func (p *builder) keptPhoto(d store.Draft, f store.DraftFile, label string, said, shown Problems) {
	rows := []string{"*" + inline(label, 200) + "*" + onlyIf(f.Size > 0, "  "+bytesWords(f.Size))}
	for i, problem := range said {
		if f.URL != "" && strings.Contains(problem, f.URL) {
			rows = append(rows, ":warning: "+inline(shown[i], 600))
		}
	}
	remove := press("Remove", ActionRemove, PhotoValue(d.ID, f.ID))
	p.put(slack.NewSectionBlock(mrkdwn(cut(strings.Join(rows, "\n"), maxSection)), nil, slack.NewAccessory(remove)))
}

// counted says how many photos are kept and how many there is room for.
func counted(d store.Draft) string {
	photos, urls := len(d.Files), len(d.URLs)
	return joined(" ", onlyIf(photos > 0, count(photos, "photo", "photos")+" kept."),
		onlyIf(photos > 0 && urls > 0, "With the URLs these are "+count(photos+urls, "image", "images")+"."),
		"An order holds up to "+strconv.Itoa(order.MaxImages)+" images.",
		onlyIf(order.MaxImages-photos > maxUploads,
			"To upload more than ten, tick *Add more photos* and press *Place order*: the form comes back, and nothing is ordered yet."))
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

// box is a single box to tick.
func box(d store.Draft, field string, part int, label, says string, ticked bool) slack.Block {
	option := slack.NewOptionBlockObject(field, plainText(says), nil)
	choose := slack.NewCheckboxGroupsBlockElement(ActionTyped+field, option)
	if ticked {
		choose.InitialOptions = []*slack.OptionBlockObject{option}
	}
	return ask(draftBlock(d, field, part), label, "", choose).WithOptional(true)
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
