package inspect

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/bep/imagemeta"
)

const (
	maxTags = 500       // read of one picture
	maxTag  = 512 << 10 // bytes of one
	maxSide = 1_000_000 // pixels; a header that says more lies
)

// header is what the library reads of a picture.
type header struct {
	width, height int
	icc           []byte // of a TIFF
	cmyk          bool   // a TIFF for printing
	adobe         bool   // a camera's mark of Adobe RGB, for a picture without a profile
}

// kinds maps the formats whose header the library reads.
var kinds = map[string]imagemeta.ImageFormat{
	"image/jpeg": imagemeta.JPEG, "image/png": imagemeta.PNG, "image/tiff": imagemeta.TIFF, "image/webp": imagemeta.WebP,
	"image/heic": imagemeta.HEIF, "image/heif": imagemeta.HEIF, "image/avif": imagemeta.AVIF,
}

// wantedTags lists the tags that are read, each of its part of the header.
var wantedTags = []string{"Orientation", "ICC_Profile", "PhotometricInterpretation", "InteroperabilityIndex"}

// readHeader reads pixels and orientation. A zero value: the header cannot be read.
func readHeader(r *remote, format string) header {
	if format == "image/gif" {
		return readGIF(r)
	}
	kind, known := kinds[format]
	if !known {
		return header{}
	}
	return decodeHeader(r, kind)
}

// decodeHeader has the library read a header. What it read before an error holds.
func decodeHeader(r *remote, kind imagemeta.ImageFormat) (h header) {
	orientation := uint16(1)
	found, _ := imagemeta.Decode(imagemeta.Options{
		R: r.reader(), ImageFormat: kind, Sources: imagemeta.EXIF | imagemeta.CONFIG, LimitNumTags: maxTags, LimitTagSize: maxTag,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return strings.HasPrefix(tag.Namespace, "IFD0") && slices.Contains(wantedTags, tag.Tag)
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			switch value := tag.Value.(type) {
			case uint16:
				switch {
				case tag.Tag == "Orientation" && tag.Namespace == "IFD0":
					orientation = value
				case tag.Tag == "PhotometricInterpretation" && tag.Namespace == "IFD0":
					h.cmyk = value == 5
				}
			case string:
				h.adobe = h.adobe || tag.Tag == "InteroperabilityIndex" && strings.HasPrefix(value, "R03")
			case []byte:
				if tag.Tag == "ICC_Profile" {
					h.icc = value
				}
			}
			return nil
		},
	})
	c := found.ImageConfig
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxSide || c.Height > maxSide {
		return h
	}
	h.width, h.height = c.Width, c.Height
	if orientation >= 5 && orientation <= 8 {
		h.width, h.height = h.height, h.width
	}
	return h
}

func readGIF(r *remote) (h header) {
	if size, ok := r.bytes(6, 4); ok {
		h.width, h.height = int(binary.LittleEndian.Uint16(size)), int(binary.LittleEndian.Uint16(size[2:]))
	}
	return h
}
