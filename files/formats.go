package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
)

// sniffLen is how many bytes of a file identify its format.
const sniffLen = 512

// A format is a kind of picture that the service accepts.
type format struct {
	typ  string
	exts []string // the first is the usual one
}

// formats lists all kinds of pictures that the app passes on. SVG is missing: it is a program, not a photo.
var formats = []format{
	{"image/jpeg", []string{".jpg", ".jpeg", ".jpe", ".jfif"}},
	{"image/png", []string{".png"}},
	{"image/gif", []string{".gif"}},
	{"image/webp", []string{".webp"}},
	{"image/tiff", []string{".tif", ".tiff"}},
	{"image/heic", []string{".heic", ".hif"}},
	{"image/heif", []string{".heif"}},
	{"image/avif", []string{".avif"}},
	// Camera raw with a signature of its own.
	{"image/x-canon-cr2", []string{".cr2"}},
	{"image/x-canon-cr3", []string{".cr3"}},
	{"image/x-canon-crw", []string{".crw"}},
	{"image/x-fuji-raf", []string{".raf"}},
	{"image/x-minolta-mrw", []string{".mrw"}},
	{"image/x-olympus-orf", []string{".orf"}},
	{"image/x-panasonic-rw2", []string{".rw2", ".rwl"}},
	{"image/x-sigma-x3f", []string{".x3f"}},
}

// rawTIFF lists camera raw that begins like any TIFF. Only the extension tells them apart.
var rawTIFF = []format{
	{"image/x-adobe-dng", []string{".dng", ".gpr"}},
	{"image/x-epson-erf", []string{".erf"}},
	{"image/x-hasselblad-3fr", []string{".3fr", ".fff"}},
	{"image/x-kodak-dcr", []string{".dcr", ".kdc"}},
	{"image/x-leaf-mos", []string{".mos"}},
	{"image/x-mamiya-mef", []string{".mef"}},
	{"image/x-nikon-nef", []string{".nef", ".nrw"}},
	{"image/x-pentax-pef", []string{".pef"}},
	{"image/x-phaseone-iiq", []string{".iiq"}},
	{"image/x-samsung-srw", []string{".srw"}},
	{"image/x-sony-arw", []string{".arw", ".sr2", ".srf"}},
}

// magic lists the first bytes of formats that net/http does not know.
// https://libopenraw.freedesktop.org/formats/
var magic = []struct{ start, typ string }{
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
	{"II+\x00", "image/tiff"}, // BigTIFF
	{"MM\x00+", "image/tiff"},
	{"II\x1a\x00\x00\x00HEAPCCDR", "image/x-canon-crw"},
	{"FUJIFILMCCD-RAW ", "image/x-fuji-raf"},
	{"\x00MRM", "image/x-minolta-mrw"},
	{"IIRO", "image/x-olympus-orf"},
	{"IIRS", "image/x-olympus-orf"},
	{"MMOR", "image/x-olympus-orf"},
	{"IIU\x00", "image/x-panasonic-rw2"},
	{"FOVb", "image/x-sigma-x3f"},
}

// brands maps the brand in an ftyp box to a type. Videos have such a box, too.
var brands = map[string]string{
	"heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
	"hevc": "image/heic", "hevx": "image/heic", "hevm": "image/heic", "hevs": "image/heic",
	"mif1": "image/heif", "msf1": "image/heif",
	"avif": "image/avif", "avis": "image/avif",
	"crx ": "image/x-canon-cr3",
}

// byExt maps an extension to its type, mainExt a type to its usual extension.
var byExt, mainExt = indexFormats()

// Sniff returns the media type of a picture by its first bytes, at least 512 of a longer one. It returns "" for what the app
// does not pass on.
func Sniff(head []byte) string {
	switch typ := http.DetectContentType(head); typ {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return typ
	}
	if len(head) >= 12 && bytes.HasPrefix(head[8:], []byte("CR\x02")) && bytes.HasPrefix(head, []byte("II*\x00")) {
		return "image/x-canon-cr2"
	}
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.start)) {
			return m.typ
		}
	}
	return sniffBox(head)
}

// sniffBox recognizes pictures in MP4's container: size, "ftyp", brand.
func sniffBox(head []byte) string {
	if len(head) < 12 || head[0] != 0 || string(head[4:8]) != "ftyp" {
		return ""
	}
	return brands[string(head[8:12])]
}

// sniffBody returns the type of a body by its first bytes; full still begins with them. The error is
// [ErrEmpty], [ErrNotPicture], or an error of reading.
func sniffBody(body io.Reader) (full io.Reader, typ string, err error) {
	buffer := bufio.NewReaderSize(body, sniffLen)
	head, err := buffer.Peek(sniffLen)
	switch typ = Sniff(head); {
	case err != nil && !errors.Is(err, io.EOF): // a truncated body ends with another error
		return nil, "", err
	case len(head) == 0:
		return nil, "", ErrEmpty
	case typ == "":
		return nil, "", ErrNotPicture
	}
	return buffer, typ, nil
}

// contentType returns the Content-Type of a sniffed file. The extension refines TIFF only.
func contentType(sniffed, name string) string {
	named := slices.IndexFunc(rawTIFF, func(f format) bool { return slices.Contains(f.exts, ext(name)) })
	if sniffed == "image/tiff" && named >= 0 {
		return rawTIFF[named].typ
	}
	return sniffed
}

func indexFormats() (byExt, mainExt map[string]string) {
	byExt, mainExt = map[string]string{}, map[string]string{}
	for _, f := range slices.Concat(formats, rawTIFF) {
		mainExt[f.typ] = f.exts[0]
		for _, e := range f.exts {
			byExt[e] = f.typ
		}
	}
	return byExt, mainExt
}
