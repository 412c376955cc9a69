package inspect

import (
	"encoding/binary"
	"io"
	"strings"

	"github.com/bep/imagemeta"
)

const (
	maxTags = 500       // read of one picture
	maxTag  = 64        // bytes of one; the library would follow as many pointers as fit
	maxSide = 1_000_000 // pixels; a header that says more lies
)

// header is what is read of a picture. Zero fields could not be read.
type header struct {
	width, height int // upright
	profile       Profile
}

// readHeader reads the header of a picture.
func readHeader(r *remote, format string) header {
	switch format {
	case "image/jpeg":
		return decodeHeader(r, imagemeta.JPEG, jpegProfile(r))
	case "image/png":
		found, end := pngProfile(r)
		r.end = end // the library would look for EXIF behind the pixels
		return decodeHeader(r, imagemeta.PNG, found)
	case "image/webp":
		return decodeHeader(r, imagemeta.WebP, webpProfile(r))
	case "image/heic", "image/heif":
		return decodeHeader(r, imagemeta.HEIF, "")
	case "image/avif":
		return decodeHeader(r, imagemeta.AVIF, "")
	case "image/tiff":
		return readTIFF(r)
	case "image/gif": // the size of the screen (GIF89a, section 18)
		size, _ := r.bytes(6, 4)
		return header{int(binary.LittleEndian.Uint16(size)), int(binary.LittleEndian.Uint16(size[2:])), NoProfile}.turned(1)
	}
	return header{}
}

// decodeHeader has the library read pixels and EXIF. A malformed EXIF leaves the pixels as they are.
func decodeHeader(r *remote, kind imagemeta.ImageFormat, found Profile) header {
	result, _ := imagemeta.Decode(imagemeta.Options{R: io.NewSectionReader(r, 0, r.end), ImageFormat: kind, Sources: imagemeta.CONFIG})
	h := header{width: result.ImageConfig.Width, height: result.ImageConfig.Height, profile: found}
	if kind == imagemeta.HEIF || kind == imagemeta.AVIF { // they say in another way how they are turned; the library obeys
		return h.turned(1)
	}
	orientation := uint16(1)
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: io.NewSectionReader(r, 0, r.end), ImageFormat: kind, Sources: imagemeta.EXIF, LimitNumTags: maxTags, LimitTagSize: maxTag,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return tag.Tag == "Orientation" && tag.Namespace == "IFD0" || strings.HasSuffix(tag.Namespace, "InteroperabilityIFD")
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			switch value := tag.Value.(type) {
			case uint16:
				orientation = value
			case string:
				if strings.HasPrefix(value, "R03") && h.profile == NoProfile { // cameras' mark of Adobe RGB
					h.profile = AdobeRGB
				}
			}
			return nil
		},
	})
	return h.turned(orientation)
}

// turned returns the header with the pixels turned upright, by EXIF's orientation.
func (h header) turned(orientation uint16) header {
	switch {
	case h.width <= 0 || h.height <= 0 || h.width > maxSide || h.height > maxSide:
		h.width, h.height = 0, 0
	case orientation >= 5 && orientation <= 8:
		h.width, h.height = h.height, h.width
	}
	return h
}
