package kit

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"

	"github.com/slack-go/slack"
)

// Fields for images: uploads and addresses.
const (
	FieldPhotos = "photos"
	FieldImages = "images"
)

// Photo is a file in Slack, as Slack describes it.
type Photo struct {
	ID, Name, Type string // Type is the MIME type
	Size           int64  // bytes
}

// Uploaded returns the files of an upload field.
func Uploaded(a slack.BlockAction) []Photo {
	var photos []Photo
	for _, f := range a.Files {
		if f.ID != "" {
			photos = append(photos, Photo{ID: f.ID, Name: cmp.Or(f.Name, f.Title), Type: f.Mimetype, Size: int64(f.Size)})
		}
	}
	return photos
}

// MaxUploads is how many files Slack's upload field holds.
const MaxUploads = 10

// PictureTypes are the file types that the upload field suggests. Slack does not enforce them, so uploads are
// checked again.
var PictureTypes = []string{
	"jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif",
	"dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw",
}

// Thumbnail returns a small image of a Slack file or an address. It returns nil unless the name ends as PNG,
// JPEG or GIF, the types Slack shows (docs.slack.dev/reference/block-kit/blocks/image-block).
func Thumbnail(file, name, address, label string) *slack.Accessory {
	switch ext := strings.ToLower(path.Ext(name)); {
	case !slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif"}, ext):
		return nil
	case file != "":
		return slack.NewAccessory(slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: file}, Plain("Uploaded photo: "+label, MaxAlt)))
	case !order.WebAddress(address) || Units(address) > MaxURL:
		return nil
	}
	return slack.NewAccessory(slack.NewImageBlockElement(address, Plain("Linked photo: "+label, MaxAlt)))
}

// PhotoLabel names an image in every form: "1 · beach.jpg". i counts from 0.
func PhotoLabel(i int, name string) string {
	return strconv.Itoa(i+1) + " · " + cmp.Or(Plain(OneLine(name), 120), "photo")
}
