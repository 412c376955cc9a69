package order

import (
	"slices"
	"strconv"
	"strings"
)

// Inspection is what was found when a delivery was compared with its order.
type Inspection struct {
	Photos    int       `json:"photos"`             // newest edits of the delivery
	Required  bool      `json:"required,omitempty"` // something was required of each photo
	Findings  []Finding `json:"findings,omitempty"` // by number; at most [MaxFindings]
	Unchecked []int     `json:"unchecked,omitempty"`
	Counts    Inspected `json:"counts,omitzero"`
}

// Inspected counts the photos that were read and fully compared. Missing photos do not count. The
// zero value: nothing was inspected.
type Inspected struct {
	Photos int `json:"photos"`
	Faulty int `json:"faulty,omitempty"` // of Photos: with a finding or more
}

// Plus returns the sum of both.
func (n Inspected) Plus(other Inspected) Inspected {
	return Inspected{n.Photos + other.Photos, n.Faulty + other.Faulty}
}

// MaxFindings bounds the findings of one inspection.
const MaxFindings = 100

// Finding is one thing that is not as ordered.
type Finding struct {
	Kind   FindingKind `json:"kind"`
	Number int         `json:"number,omitempty"` // of the photo, from 1; 0: the delivery lacks it
	Image  string      `json:"image,omitempty"`  // id of the photo
	Name   string      `json:"name,omitempty"`   // of the photo, or of the original that has none
	Got    string      `json:"got,omitempty"`    // what was found; see the kinds
	Want   string      `json:"want,omitempty"`   // what was required; see the kinds
}

// FindingKind is the kind of a finding.
type FindingKind string

// The kinds of findings, with what Got and Want hold.
const (
	FoundEdge       FindingKind = "edge"       // the longer edge is too short: pixels, "1200"
	FoundSize       FindingKind = "size"       // another size than the exact one: "1200 × 900"
	FoundRatio      FindingKind = "ratio"      // another aspect ratio: the size; the ratio, "3:2"
	FoundFormat     FindingKind = "format"     // another file format: media types; wanted ones between spaces
	FoundProfile    FindingKind = "profile"    // another colour profile, as [Requirements.Profile] names it
	FoundLarge      FindingKind = "large"      // the file is too large: millions of bytes
	FoundBackground FindingKind = "background" // another background, as a guess: nothing; the [Background]
	FoundName       FindingKind = "name"       // the original has another name: both names
	FoundNoPicture  FindingKind = "no-picture" // the file is no picture
	FoundUntouched  FindingKind = "untouched"  // it looks like the original
	FoundUnchanged  FindingKind = "unchanged"  // it looks like an earlier edit, although changes were requested: its revision
	FoundMissing    FindingKind = "missing"    // an original has no edit: how many, if names do not tell which
	FoundTwice      FindingKind = "twice"      // a second edit of one original: how many, if names do not tell which
)

// Facts are what was read of one delivered photo.
type Facts struct {
	Read       bool   // its header was read; else it counts as not checked
	NoPicture  bool   // the file is no picture
	Format     string // media type; "": unknown
	Width      int    // pixels, upright; 0: unknown
	Height     int
	Profile    string     // as [Requirements.Profile]; "": unknown
	Bytes      int64      // size of the file; 0: unknown
	Background Background // "": neither white nor transparent
	Looked     bool       // the preview was read, so Background holds
	Untouched  bool       // it looks like its original
	Unchanged  *int       // revision of the earlier edit that it looks like, although changes were requested; nil: it differs
}

// Inspect compares a delivery with its order. latest are the newest edits, facts what was read of each. brief is nil
// for an order that was placed elsewhere. Only in the first delivery a second edit of one original is a finding: some
// services deliver later rounds as new photos of the same round.
func (r Requirements) Inspect(brief *Brief, latest []EditedImage, facts []Facts, first bool) Inspection {
	found := Inspection{Photos: len(latest), Required: !r.Nothing()}
	var matches []int
	if brief != nil {
		matches = brief.Match(latest)
		found.Findings = brief.count(latest, matches, first)
	}
	for i, image := range latest {
		about := func(kind FindingKind, got, want string) {
			found.Findings = append(found.Findings, Finding{Kind: kind, Number: i + 1, Image: image.ID, Name: image.Name, Got: got, Want: want})
		}
		f := facts[i]
		r.compare(f, about)
		named := r.Names && matches != nil && matches[i] >= 0 && !f.NoPicture
		if named && stem(brief.Sources[matches[i]].Name) != stem(image.Name) {
			about(FoundName, image.Name, brief.Sources[matches[i]].Name)
		}
		switch {
		case !r.checked(f):
			found.Unchecked = append(found.Unchecked, i+1)
		case f.Read || f.NoPicture || f.Looked || named:
			found.Counts.Photos++
			if slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.Number == i+1 }) {
				found.Counts.Faulty++
			}
		}
	}
	slices.SortStableFunc(found.Findings, func(a, b Finding) int { return a.Number - b.Number })
	found.Findings = found.Findings[:min(len(found.Findings), MaxFindings)]
	return found
}

// compare reports each difference from what is required, and a photo that was not edited.
func (r Requirements) compare(f Facts, about func(kind FindingKind, got, want string)) {
	switch {
	case f.NoPicture:
		about(FoundNoPicture, "", "")
		return
	case f.Untouched:
		about(FoundUntouched, "", "")
	case f.Unchanged != nil:
		about(FoundUnchanged, strconv.Itoa(*f.Unchanged), "")
	}
	if f.Width > 0 && f.Height > 0 {
		if edge := max(f.Width, f.Height); edge < r.LongEdge {
			about(FoundEdge, strconv.Itoa(edge), strconv.Itoa(r.LongEdge))
		}
		if r.Width > 0 && (f.Width != r.Width || f.Height != r.Height) {
			about(FoundSize, sizeText(f.Width, f.Height), r.Size())
		}
		if r.RatioWide > 0 && !r.hasRatio(f.Width, f.Height) {
			about(FoundRatio, sizeText(f.Width, f.Height), r.Ratio())
		}
	}
	if f.Format != "" && len(r.Formats) > 0 && !slices.Contains(r.Formats, f.Format) {
		about(FoundFormat, f.Format, strings.Join(r.Formats, " "))
	}
	if f.Profile != "" && r.Profile != "" && !r.hasProfile(f.Profile) {
		about(FoundProfile, f.Profile, r.Profile)
	}
	if f.Bytes > int64(r.MaxMB)*megabyte && r.MaxMB > 0 {
		about(FoundLarge, strconv.FormatInt((f.Bytes+megabyte-1)/megabyte, 10), strconv.Itoa(r.MaxMB))
	}
	if f.Looked && r.Backdrop != "" && f.Background != r.Backdrop {
		about(FoundBackground, "", string(r.Backdrop))
	}
}

const megabyte = 1_000_000 // bytes

// checked reports whether everything that is required of a photo could be compared.
func (r Requirements) checked(f Facts) bool {
	sized := f.Width > 0 && f.Height > 0 || r.LongEdge+r.Width+r.RatioWide == 0
	file := f.Read && sized && (r.Profile == "" || f.Profile != "") && (r.MaxMB == 0 || f.Bytes > 0)
	return f.NoPicture || (!r.OfFile() || file) && (r.Backdrop == "" || f.Looked)
}

// count finds originals without an edit, and second edits of one original.
func (b Brief) count(latest []EditedImage, matches []int, first bool) []Finding {
	ordered := b.sources(func(s Source) bool { return !s.Reference() })
	if !first && len(latest) >= len(ordered) {
		return nil
	}
	twice := b.second(latest, matches)
	missing := len(ordered) - (len(latest) - len(twice))
	switch {
	case missing < 0 && len(twice) == 0:
		return []Finding{{Kind: FoundTwice, Got: strconv.Itoa(-missing)}}
	case missing <= 0:
		return twice
	}
	without := slices.DeleteFunc(ordered, func(s NumberedSource) bool {
		return slices.Contains(matches, s.Number-1) || slices.ContainsFunc(latest, func(i EditedImage) bool { return unedited(i.Name) == unedited(s.Name) })
	})
	if len(without) != missing { // names do not tell which ones
		return append(twice, Finding{Kind: FoundMissing, Got: strconv.Itoa(missing)})
	}
	for _, s := range without {
		twice = append(twice, Finding{Kind: FoundMissing, Name: s.Name})
	}
	return twice
}

// second finds the edits that have the name of an original whose edit came before them in the list.
func (b Brief) second(latest []EditedImage, matches []int) (twice []Finding) {
	seen := map[string]bool{}
	for i, image := range latest {
		name := unedited(image.Name)
		isOriginal := func(s Source) bool { return !s.Reference() && unedited(s.Name) == name }
		if name != "" && seen[name] && matches[i] < 0 && len(b.sources(isOriginal)) == 1 {
			twice = append(twice, Finding{Kind: FoundTwice, Number: i + 1, Image: image.ID, Name: image.Name})
		}
		seen[name] = true
	}
	return twice
}
