package order

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// Requirements say what each photo of a delivery must be. The zero value requires nothing.
type Requirements struct {
	LongEdge int `json:"long_edge,omitempty"` // least pixels of the longer edge; 0: any
	// Width and Height are the exact pixels of an upright photo; 0: any.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// RatioWide and RatioHigh are the aspect ratio, as 3 and 2. A photo turned by 90° has it, too; 0: any.
	RatioWide int        `json:"ratio_wide,omitempty"`
	RatioHigh int        `json:"ratio_high,omitempty"`
	Formats   []string   `json:"formats,omitempty"`  // of [Formats]; nil: any
	Profile   string     `json:"profile,omitempty"`  // of [Profiles]; "": any
	MaxMB     int        `json:"max_mb,omitempty"`   // largest file, in millions of bytes; 0: any
	Backdrop  Background `json:"backdrop,omitempty"` // "": any
	Names     bool       `json:"names,omitempty"`    // a photo keeps the name of its original, but for the ending
}

// Background is the background of a photo.
type Background string

// The backgrounds that can be required.
const (
	BackgroundWhite       Background = "white"
	BackgroundTransparent Background = "transparent"
)

// Formats returns the file formats that can be required, by media type.
func Formats() []string { return []string{"image/jpeg", "image/png", "image/webp", "image/tiff"} }

// Colour profiles that can be required. A photo without a profile counts as sRGB.
const (
	ProfileSRGB      = "srgb"
	ProfileDisplayP3 = "display-p3"
	ProfileAdobeRGB  = "adobe-rgb"
	profileNone      = "none"
)

// Profiles returns the colour profiles that can be required.
func Profiles() []string { return []string{ProfileSRGB, ProfileDisplayP3, ProfileAdobeRGB} }

// Nothing reports whether nothing is required.
func (r Requirements) Nothing() bool { return !r.OfFile() && r.Backdrop == "" && !r.Names }

// OfFile reports whether something is required that only the file tells.
func (r Requirements) OfFile() bool {
	return r.LongEdge > 0 || r.Width > 0 || r.RatioWide > 0 || len(r.Formats) > 0 || r.Profile != "" || r.MaxMB > 0
}

// Bounds of requirements.
const (
	maxEdge  = 100_000 // pixels
	maxRatio = 100     // each side
	// MaxFileMB is the largest file that can be required, in millions of bytes.
	MaxFileMB = 10_000
)

// ErrTyped is the error of [Requirements.WithSize] and [Requirements.WithRatio].
var ErrTyped = errors.New("not a size or an aspect ratio")

var (
	sizePattern  = regexp.MustCompile(`^(\d{1,6})(?: ?(?:px)? ?[x×*] ?(\d{1,6}))?(?: ?px)?$`)
	ratioPattern = regexp.MustCompile(`^(\d{1,3}) ?[:/x×] ?(\d{1,3})$`)
)

// WithSize returns the requirements with a typed size: "2000" is the least long edge, "2000 × 1500" the exact size,
// and "" is any size.
func (r Requirements) WithSize(typed string) (Requirements, error) {
	r.LongEdge, r.Width, r.Height = 0, 0, 0
	sides, err := numbers(sizePattern, strings.ReplaceAll(caseless(typed), ",", ""), maxEdge)
	switch len(sides) {
	case 1:
		r.LongEdge = sides[0]
	case 2:
		r.Width, r.Height = sides[0], sides[1]
	}
	return r, err
}

// Size returns the required size as [Requirements.WithSize] reads it.
func (r Requirements) Size() string {
	switch {
	case r.LongEdge > 0:
		return strconv.Itoa(r.LongEdge)
	case r.Width > 0:
		return sizeText(r.Width, r.Height)
	}
	return ""
}

// sizeText returns a size in pixels, as "2000 × 1500".
func sizeText(width, height int) string { return strconv.Itoa(width) + " × " + strconv.Itoa(height) }

// WithRatio returns the requirements with a typed aspect ratio, as "3:2"; "": any.
func (r Requirements) WithRatio(typed string) (Requirements, error) {
	r.RatioWide, r.RatioHigh = 0, 0
	sides, err := numbers(ratioPattern, caseless(typed), maxRatio)
	if len(sides) == 2 {
		r.RatioWide, r.RatioHigh = sides[0], sides[1]
	}
	return r, err
}

// Ratio returns the required aspect ratio as [Requirements.WithRatio] reads it.
func (r Requirements) Ratio() string {
	if r.RatioWide == 0 {
		return ""
	}
	return strconv.Itoa(r.RatioWide) + ":" + strconv.Itoa(r.RatioHigh)
}

// numbers returns the numbers of a pattern's groups; none of an empty text. The error is ErrTyped unless each is from 1 to
// most.
func numbers(pattern *regexp.Regexp, text string, most int) (found []int, err error) {
	if text == "" {
		return nil, nil
	}
	groups := pattern.FindStringSubmatch(text)
	if groups == nil {
		return nil, ErrTyped
	}
	for _, group := range groups[1:] {
		if group == "" { // the group is optional
			continue
		}
		n, err := strconv.Atoi(group)
		if err != nil || n < 1 || n > most {
			return nil, ErrTyped
		}
		found = append(found, n)
	}
	return found, nil
}

// hasRatio reports whether a photo has the required aspect ratio, give or take a pixel. Upright and lying photos count.
func (r Requirements) hasRatio(width, height int) bool {
	long, short := max(r.RatioWide, r.RatioHigh), min(r.RatioWide, r.RatioHigh)
	w, h := max(width, height), min(width, height)
	off := w*short - h*long
	return off <= long && -off <= long
}

// hasProfile reports whether a photo has the required colour profile.
func (r Requirements) hasProfile(profile string) bool {
	return profile == r.Profile || profile == profileNone && r.Profile == ProfileSRGB
}
