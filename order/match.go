package order

import (
	"path"
	"regexp"
	"strings"
)

// Match says of each edited image which source of the brief it is an edit of: its place among the
// sources, or -1 where the names do not tell. Names are compared as they are, then without their
// ending, then without what editors put behind a name; each time only a name that a single source
// and a single image have decides. References are not edited. One source and one image need no names.
func (b Brief) Match(images []EditedImage) []int {
	of := make([]int, len(images))
	for i := range of {
		of[i] = -1
	}
	edited := b.sources(func(s Source) bool { return !s.Reference() })
	if len(edited) == 1 && len(images) == 1 {
		return []int{edited[0].Number - 1}
	}
	taken := map[int]bool{}
	for _, called := range []func(string) string{caseless, stem, unedited} {
		sources, edits := map[string][]int{}, map[string][]int{}
		for _, s := range edited {
			sources[called(s.Name)] = append(sources[called(s.Name)], s.Number-1)
		}
		for i, image := range images {
			edits[called(image.Name)] = append(edits[called(image.Name)], i)
		}
		for name, places := range sources {
			if name == "" || len(places) != 1 || len(edits[name]) != 1 {
				continue
			}
			source, image := places[0], edits[name][0]
			if of[image] < 0 && !taken[source] {
				of[image], taken[source] = source, true
			}
		}
	}
	return of
}

func caseless(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// stem is a name without the ending of its file.
func stem(name string) string {
	name = caseless(name)
	if ending := path.Ext(name); fileEnding.MatchString(ending) && ending != name {
		return strings.TrimSuffix(name, ending)
	}
	return name
}

var fileEnding = regexp.MustCompile(`^\.[a-z0-9]{2,5}$`)

// unedited is a stem without what says that somebody worked on the picture: "beach_edited_v2" is "beach".
func unedited(name string) string {
	name = stem(name)
	for {
		less := editedMark.ReplaceAllString(name, "")
		if less == name || less == "" {
			return name
		}
		name = less
	}
}

// editedMark ends the name of a picture that was worked on. A number alone does not: cameras and
// copies have them.
var editedMark = regexp.MustCompile(`(?:[ ._-]+\(?|\()(?:edit(?:ed)?|retouch(?:ed)?|final|finished|done|corrected|processed|revised|rev[ ._-]?\d{0,2}|v\d{1,2}|r\d{1,2}|round[ ._-]?\d{1,2})\)?$`)
