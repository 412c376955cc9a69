package files

import (
	"errors"
	"mime"
	"strings"
)

// MaxSize is the largest file that is passed on, in bytes.
const MaxSize = 200 << 20

// Why a file gets no address.
var (
	ErrNotPicture = errors.New("not a picture the service takes")
	ErrTooLarge   = errors.New("larger than what is passed on")
	ErrEmpty      = errors.New("file is empty")
)

// Check says, before anything is sent, whether a file of Slack's can be ordered:
// [ErrEmpty], [ErrTooLarge] (than [MaxSize]) or [ErrNotPicture]. Slack's type may be
// missing or vague, then the name decides; [Handler] looks at the bytes in any case.
func Check(name, mimetype string, size int64) error {
	switch {
	case !picture(name, mimetype):
		return ErrNotPicture
	case size <= 0:
		return ErrEmpty
	case size > MaxSize:
		return ErrTooLarge
	}
	return nil
}

// picture believes a type we know, and a name only where the type does not contradict:
// Slack has many words for camera raw and no type at all for some.
func picture(name, mimetype string) bool {
	typ, _, err := mime.ParseMediaType(mimetype)
	if err != nil {
		typ = strings.ToLower(strings.TrimSpace(mimetype))
	}
	if e := ext(name); e == ".svg" || e == ".svgz" {
		return false
	}
	switch {
	case mainExt[typ] != "":
		return true
	case typ == "", typ == "application/octet-stream", typ == "binary/octet-stream":
	case !strings.HasPrefix(typ, "image/"), typ == "image/svg+xml":
		return false
	}
	return byExt[ext(name)] != ""
}
