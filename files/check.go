package files

import (
	"errors"
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// MaxSize is the largest file that the app passes on, in bytes.
const MaxSize = 200 << 20

// The reasons of [Check].
var (
	ErrNotPicture = errors.New("not a picture the service takes")
	ErrTooLarge   = errors.New("larger than the largest file that is passed on")
	ErrEmpty      = errors.New("file is empty")
)

// Check reports whether a Slack file can be ordered. The error is [ErrEmpty], [ErrTooLarge] or
// [ErrNotPicture]. If Slack's type is missing or vague, the name decides. [Handler] later checks the bytes.
func Check(name, mimetype string, size int64) error {
	switch {
	case !isPicture(name, mimetype):
		return ErrNotPicture
	case size <= 0:
		return ErrEmpty
	case size > MaxSize:
		return ErrTooLarge
	}
	return nil
}

// isPicture accepts a known type, and a name's extension if the type does not contradict it. Slack has
// many types for camera raw, and none for some formats.
func isPicture(name, mimetype string) bool {
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

// maxNameLen bounds a name in an address, in bytes. Escaping may triple it, and the service must still
// accept the address.
const maxNameLen = 120

// safeName makes a name fit for the end of an address and for a download. It removes slashes (some
// proxies refuse them even escaped) and invisible characters, and returns "photo" for names like "..".
// The extension stays.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\':
			return '-'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1 // this includes the marks that would show gpj.exe as exe.jpg
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimSpace(name)
	if ext := path.Ext(name); len(name) > maxNameLen {
		if len(ext) > maxNameLen/4 {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:maxNameLen-len(ext)], "") + ext
	}
	if strings.Trim(name, ".") == "" {
		return "photo"
	}
	return name
}

// downloadDisposition is a Content-Disposition that saves the photo and never shows it. A name without a
// picture's extension gets that of the served type, so that no photo is saved as a program.
func downloadDisposition(name, typ string) string {
	name = safeName(name)
	if byExt[ext(name)] == "" {
		name += mainExt[typ]
	}
	return attachmentDisposition(name)
}

func attachmentDisposition(name string) string {
	return "attachment; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

func ext(name string) string { return strings.ToLower(path.Ext(name)) }
