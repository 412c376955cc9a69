package files

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// notIncluded names the list of missing images in a ZIP. No image has that name, since images have a picture's extension.
const notIncluded = "not-included.txt"

// entryNames makes the names in one ZIP unique, also on a file system that ignores case. It holds the used
// names in lower case.
type entryNames map[string]bool

// unique returns the safe name of an image, with a picture's extension, and with a number if the name is used.
func (n entryNames) unique(name, typ string) string {
	name = entryName(name)
	if byExt[ext(name)] == "" {
		name += mainExt[typ]
	}
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	for i := 2; n[strings.ToLower(name)]; i++ {
		name = stem + " (" + strconv.Itoa(i) + ")" + ending
	}
	n[strings.ToLower(name)] = true
	return name
}

// reserved matches device names. Windows creates no files with such a name, with any extension.
var reserved = regexp.MustCompile(`(?i)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$`)

// entryName makes a name fit for a file on every computer. The result has no folder and no dot at the start,
// which would hide the file.
func entryName(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"|?*`, r) {
			return '-'
		}
		return r
	}, safeName(name))
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	if name == "" {
		return "photo"
	}
	if first, _, _ := strings.Cut(name, "."); reserved.MatchString(strings.TrimSpace(first)) {
		return "_" + name
	}
	return name
}
