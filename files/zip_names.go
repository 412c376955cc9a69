package files

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// notIncluded is the list of what a ZIP lacks. No image has that name, since all of them end as pictures.
const notIncluded = "not-included.txt"

// entryNames gives the images of one ZIP their names: a computer that does not tell capitals from small
// letters keeps all of them.
type entryNames map[string]bool // taken, in small letters

// take makes a name for an image: its own, made safe, with the ending of a picture, and a number if another image
// has that name.
func (n entryNames) take(name, typ string) string {
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

// reserved are the names of devices, which Windows makes no files of whatever their ending.
var reserved = regexp.MustCompile(`(?i)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$`)

// entryName makes any name fit to be that of a file on every computer. It has no folder in it, and begins
// with no dot, which would hide it.
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
