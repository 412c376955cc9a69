package order

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Match returns, for each edited image, the index of its source in the brief, or -1 if the names do not
// decide. It compares names as they are, then without file endings, then without marks of editing. A name
// decides only if a single source and a single image have it. References have no edits. A single source and a
// single image need no names.
func (b Brief) Match(images []EditedImage) []int {
	matches := slices.Repeat([]int{-1}, len(images))
	edited := b.sources(func(s Source) bool { return !s.Reference() })
	if len(edited) == 1 && len(images) == 1 {
		return []int{edited[0].Number - 1}
	}
	taken := map[int]bool{}
	for _, normal := range []func(string) string{caseless, stem, unedited} {
		sources, edits := map[string][]int{}, map[string][]int{}
		for _, s := range edited {
			sources[normal(s.Name)] = append(sources[normal(s.Name)], s.Number-1)
		}
		for i, image := range images {
			edits[normal(image.Name)] = append(edits[normal(image.Name)], i)
		}
		for name, named := range sources {
			if name == "" || len(named) != 1 || len(edits[name]) != 1 {
				continue
			}
			source, image := named[0], edits[name][0]
			if matches[image] < 0 && !taken[source] {
				matches[image], taken[source] = source, true
			}
		}
	}
	return matches
}

func caseless(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// stem returns a normalized name without its file ending.
func stem(name string) string {
	name = caseless(name)
	if ending := path.Ext(name); fileEnding.MatchString(ending) && ending != name {
		return strings.TrimSuffix(name, ending)
	}
	return name
}

var fileEnding = regexp.MustCompile(`^\.[a-z0-9]{2,5}$`)

// unedited returns a stem without marks of editing: "beach_edited_v2" is "beach".
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

// editedMark matches a mark of editing at the end of a name. A number alone does not count: cameras and copies
// add numbers.
var editedMark = regexp.MustCompile(`(?:[ ._-]+\(?|\()(?:edit(?:ed)?|retouch(?:ed)?|final|finished|done|corrected|processed|revised|rev[ ._-]?\d{0,2}|v\d{1,2}|r\d{1,2}|round[ ._-]?\d{1,2})\)?$`)
