package files

import (
	"errors"
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode"
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

// maxName is how long a name in an address gets, in bytes: escaped it may be three
// times that, and the service must still take the address.
const maxName = 120

// safeName makes any name fit to be the last part of an address and the name of a download:
// no slashes (many a proxy refuses them even escaped), nothing invisible, never a dot or
// two (which would be a way up), its extension kept.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\':
			return '-'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1 // among them the marks that would show gpj.exe as exe.jpg
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimSpace(name)
	if ext := path.Ext(name); len(name) > maxName {
		if len(ext) > maxName/4 {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:maxName-len(ext)], "") + ext
	}
	if strings.Trim(name, ".") == "" {
		return "photo"
	}
	return name
}

// download is the value of a Content-Disposition that saves under a name and never
// shows. A name without a picture's extension gets the one of what is served, so that
// nobody can have a photo saved as a program.
func download(name, typ string) string {
	name = safeName(name)
	if byExt[ext(name)] == "" {
		name += mainExt[typ]
	}
	return attachment(name)
}

func attachment(name string) string {
	return "attachment; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

func ext(name string) string { return strings.ToLower(path.Ext(name)) }
