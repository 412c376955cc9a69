package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// beginnings maps a type to the first bytes of real files.
var beginnings = map[string][]string{
	"image/jpeg":            {"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "\xff\xd8\xff\xe1\x1c\x00Exif\x00\x00"},
	"image/png":             {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"},
	"image/gif":             {"GIF87a\x01\x00", "GIF89a\x01\x00"},
	"image/webp":            {"RIFF\x24\x00\x00\x00WEBPVP8 ", "RIFF\x24\x00\x00\x00WEBPVP8X"},
	"image/tiff":            {"II*\x00\x08\x00\x00\x00", "MM\x00*\x00\x00\x00\x08", "II+\x00\x08\x00\x00\x00"},
	"image/heic":            {"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "\x00\x00\x00\x18ftypheix\x00\x00\x00\x00"},
	"image/heif":            {"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic"},
	"image/avif":            {"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf"},
	"image/x-canon-cr2":     {"II*\x00\x10\x00\x00\x00CR\x02\x00\x00\x00"},
	"image/x-canon-cr3":     {"\x00\x00\x00\x18ftypcrx \x00\x00\x00\x01crx isom"},
	"image/x-canon-crw":     {"II\x1a\x00\x00\x00HEAPCCDR\x02\x00"},
	"image/x-fuji-raf":      {"FUJIFILMCCD-RAW 0201FF389501X-T3"},
	"image/x-minolta-mrw":   {"\x00MRM\x00\x00\x00\x00"},
	"image/x-olympus-orf":   {"IIRO\x08\x00\x00\x00", "IIRS\x08\x00\x00\x00", "MMOR\x00\x00\x00\x08"},
	"image/x-panasonic-rw2": {"IIU\x00\x18\x00\x00\x00"},
	"image/x-sigma-x3f":     {"FOVb\x00\x00\x02\x00"},
}

func TestSniffKnowsPhotosByTheirFirstBytes(t *testing.T) {
	for typ, heads := range beginnings {
		for _, head := range heads {
			assert.Equal(t, typ, Sniff([]byte(head+strings.Repeat("\x00", 64))), "%q", head)
		}
	}
}

func TestEveryFormatIsSniffedOrLooksLikeTIFF(t *testing.T) {
	for _, f := range formats {
		assert.NotEmpty(t, beginnings[f.typ], "%s", f.typ)
	}
	for _, f := range rawTIFF {
		assert.Equal(t, f.typ, contentType("image/tiff", "DSC_1"+strings.ToUpper(f.exts[0])))
	}
}

func TestSniffKnowsNothingElse(t *testing.T) {
	for name, head := range notPictures {
		assert.Empty(t, Sniff([]byte(head)), name)
	}
}

// notPictures are files that were passed off as photos.
var notPictures = map[string]string{
	"empty":             "",
	"SVG":               `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
	"SVG as XML":        `<?xml version="1.0"?><svg/>`,
	"HTML":              "<!doctype html><script>alert(1)</script>",
	"HTML after spaces": "\n\n  <html>",
	"PDF":               "%PDF-1.7\n",
	"PostScript":        "%!PS-Adobe-3.0 EPSF-3.0",
	"a script":          "#!/bin/sh\nrm -rf /\n",
	"a program":         "MZ\x90\x00",
	"ZIP":               "PK\x03\x04",
	"a video":           "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommif1",
	"another video":     "\x00\x00\x00\x14ftypqt  ",
	"text about ftyp":   "but ftypheic is text",
	"BMP":               "BM\x00\x00\x00\x00",
	"icon":              "\x00\x00\x01\x00",
	"sound":             "RIFF\x24\x00\x00\x00WAVEfmt ",
	"half a TIFF":       "II*",
	"half a JPEG":       "\xff\xd8",
}

func TestLabelBelievesAnExtensionOnlyAboutTIFF(t *testing.T) {
	assert.Equal(t, "image/x-nikon-nef", contentType("image/tiff", "DSC_1.NEF"))
	assert.Equal(t, "image/tiff", contentType("image/tiff", "page.html"))
	assert.Equal(t, "image/tiff", contentType("image/tiff", "beach.jpg"))
	assert.Equal(t, "image/jpeg", contentType("image/jpeg", "DSC_1.NEF"))
}

func TestDownloadNeverSavesAProgram(t *testing.T) {
	for name, want := range map[string]string{
		"beach.jpg":         "beach.jpg",
		"été (1).JPG":       "%C3%A9t%C3%A9%20%281%29.JPG",
		"setup.exe":         "setup.exe.png",
		"page.html":         "page.html.png",
		"photo.jpg\u202e":   "photo.jpg",
		`a"; filename=b.js`: "a%22%3B%20filename%3Db.js.png",
		"":                  "photo.png",
	} {
		assert.Equal(t, "attachment; filename*=UTF-8''"+want, downloadDisposition(name, "image/png"))
	}
}
