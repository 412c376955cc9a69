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

// The fields for images, uploaded and by their addresses.
const (
	FieldPhotos = "photos"
	FieldImages = "images"
)

// Photo is a file of Slack's, as Slack told of it.
type Photo struct {
	ID, Name, Type string // Type is the MIME type
	Size           int64  // bytes
}

// Uploaded returns the photos in an upload field.
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

// PictureTypes are offered to the upload field, which only advises: what comes is
// looked at in any case.
var PictureTypes = []string{
	"jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif",
	"dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw",
}

// Thumbnail is a small picture of an image beside its name: of a file in Slack, or at an
// address; nil when Slack could show none. Slack shows PNG, JPEG and GIF:
// docs.slack.dev/reference/block-kit/blocks/image-block.
func Thumbnail(file, name, address, label string) *slack.Accessory {
	switch ext := strings.ToLower(path.Ext(name)); {
	case !slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif"}, ext):
		return nil
	case file != "":
		return slack.NewAccessory(slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: file}, Plain(label, MaxAlt)))
	case !order.WebAddress(address) || Units(address) > MaxURL:
		return nil
	}
	return slack.NewAccessory(slack.NewImageBlockElement(address, Plain(label, MaxAlt)))
}

// PhotoLabel is what an image is called wherever people choose for it.
func PhotoLabel(i int, name string) string {
	return strconv.Itoa(i+1) + " · " + cmp.Or(Plain(OneLine(name), 120), "photo")
}
