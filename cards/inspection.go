package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// mostFindings bounds the findings that a review names.
const mostFindings = 5

// Inspected says what was found when a delivery was compared with its order, as safe text; "": there is nothing to say.
func Inspected(found *order.Inspection) string {
	if found == nil {
		return ""
	}
	var missing, look []order.Finding
	faulty := map[int]bool{}
	for _, f := range found.Findings {
		if f.Number == 0 {
			missing = append(missing, f)
		} else {
			look = append(look, f)
			faulty[f.Number] = true
		}
	}
	photos := kit.Count(found.Photos, "photo", "photos")
	good, checked := "", found.Photos-len(found.Unchecked)
	if found.Required && len(found.Findings) == 0 && checked > 0 {
		good = kit.Either(len(found.Unchecked) == 0, photos+", all as ordered.", strconv.Itoa(checked)+" of "+photos+kit.Plural(checked, " is", " are")+" as ordered.")
	}
	head := kit.OnlyIf(len(faulty) > 0, "*"+strconv.Itoa(len(faulty))+" of "+photos+kit.Plural(len(faulty), " needs a look:* ", " need a look:* "))
	return kit.Join(" ", good, countsOff(missing), kit.FullStop(head+someFindings(look)), unchecked(found))
}

// countsOff says which originals have no edit, or how many edits are missing or too many.
func countsOff(findings []order.Finding) string {
	var names []string
	for _, f := range findings {
		n, err := strconv.Atoi(f.Got)
		switch {
		case err != nil:
			names = append(names, cmp.Or(f.Name, "photo"))
		case f.Kind == order.FoundMissing:
			return "*" + kit.Count(n, "photo is", "photos are") + " missing.*"
		default:
			return "*" + kit.Count(n, "photo", "photos") + " more than ordered.*"
		}
	}
	return kit.OnlyIf(len(names) > 0, "*"+kit.Count(len(names), "photo is", "photos are")+" missing:* "+kit.FullStop(kit.EscapeTo(kit.SomeOf(names), kit.MaxField)))
}

// someFindings names the first findings: "3 · beach.jpg is 1,200 px, ordered 2,000 px".
func someFindings(findings []order.Finding) string {
	some := kit.Map(findings[:min(mostFindings, len(findings))], func(_ int, f order.Finding) string {
		return numberedName(f.Number, order.EditedImage{ID: f.Image, Name: f.Name}) + " " + findingOf(f).is
	})
	more := len(findings) - len(some)
	return strings.Join(some, "; ") + kit.OnlyIf(more > 0, "; and "+strconv.Itoa(more)+" more")
}

// unchecked names the photos that could not be read.
func unchecked(found *order.Inspection) string {
	if n := len(found.Unchecked); n == 0 || n == found.Photos {
		return kit.OnlyIf(n > 0, "Not checked: I could not read the photos.")
	}
	return "Not checked: " + kit.FirstOf(10, kit.Map(found.Unchecked, func(_ int, number int) string { return strconv.Itoa(number) })) + "."
}

// finding is a finding in words.
type finding struct {
	is   string // follows the photo's name, as safe text
	asks string // asks the editor, as plain text; "": it asks for nothing
}

// findingOf puts a finding into words.
func findingOf(f order.Finding) finding {
	got, want := pixels(f.Got), pixels(f.Want)
	switch f.Kind {
	case order.FoundEdge:
		return finding{"is " + got + ", ordered " + want, "Please deliver this photo with a long edge of at least " + want + ". It has " + got + "."}
	case order.FoundSize:
		return finding{"is " + got + ", ordered " + want, "Please deliver this photo in " + want + ". It is " + got + "."}
	case order.FoundRatio:
		return finding{"is " + got + ", ordered " + f.Want, "Please crop this photo to " + f.Want + ". It is " + got + "."}
	case order.FoundFormat:
		got, want := FormatName(f.Got), FormatNames(strings.Fields(f.Want))
		return finding{"is " + got + ", ordered " + want, "Please deliver this photo as " + want + ". It is " + got + "."}
	case order.FoundProfile:
		got, want := ProfileName(f.Got), ProfileName(f.Want)
		return finding{"has " + got + ", ordered " + want, "Please save this photo with the " + want + " profile. It has " + got + "."}
	case order.FoundLarge:
		return finding{"is " + f.Got + " MB, ordered at most " + f.Want + " MB", "Please deliver a file of at most " + f.Want + " MB. It has " + f.Got + " MB."}
	case order.FoundBackground:
		want := BackgroundName(order.Background(f.Want))
		return finding{"may not have a " + want + " background", "Please make the background plain " + want + "."}
	case order.FoundName:
		want := kit.Plain(f.Want, 200)
		return finding{"has another name than " + kit.Inline(f.Want, MaxCaption), "Please name this file as its original: " + want}
	case order.FoundNoPicture:
		return finding{"is not a picture", "This file is not a picture. Please deliver it again."}
	case order.FoundUntouched:
		return finding{"looks like its original", "This photo looks like its original. Please edit it."}
	case order.FoundUnchanged:
		same := "looks the same as in " + Round(number(f.Got))
		return finding{same, "This photo " + same + ". Please make the changes that we asked for."}
	case order.FoundTwice:
		return finding{"is a second edit of the same photo", ""}
	}
	return finding{is: "needs a look"}
}

// pixels writes a size for people: "1200" is "1,200 px", and "1200 × 900" is "1,200 × 900 px".
func pixels(size string) string {
	return strings.Join(kit.Map(strings.Split(size, " × "), func(_ int, side string) string { return kit.Thousands(number(side)) }), " × ") + " px"
}

// number returns a number that was written by the app, else 0.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// AsksOf returns what to ask the editor about one photo of a delivery, a line each.
func AsksOf(found *order.Inspection, image order.EditedImage) (asks []string) {
	if found == nil || image.ID == "" {
		return nil
	}
	for _, f := range found.Findings {
		if says := findingOf(f).asks; f.Number > 0 && f.Image == image.ID && says != "" {
			asks = append(asks, says)
		}
	}
	return asks
}

// FormatName returns the name of a file format, by media type.
func FormatName(mediaType string) string {
	return cmp.Or(map[string]string{
		"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WebP", "image/tiff": "TIFF", "image/gif": "GIF", "image/heic": "HEIC", "image/avif": "AVIF",
	}[mediaType], "another format")
}

// FormatNames returns "JPEG or PNG", or "".
func FormatNames(formats []string) string {
	return strings.Join(slices.Compact(kit.Map(formats, func(_ int, format string) string { return FormatName(format) })), " or ")
}

// ProfileName returns the name of a color profile.
func ProfileName(profile string) string {
	return cmp.Or(map[string]string{
		order.ProfileSRGB: "sRGB", order.ProfileDisplayP3: "Display P3", order.ProfileAdobeRGB: "Adobe RGB", "none": "no profile", "cmyk": "CMYK",
	}[profile], "another profile")
}

// BackgroundName returns the name of a background.
func BackgroundName(b order.Background) string {
	return cmp.Or(map[order.Background]string{order.BackgroundWhite: "white", order.BackgroundTransparent: "transparent"}[b], "other")
}

// ComparedPhoto is a delivered photo, with the picture that it must not be the same as.
type ComparedPhoto struct {
	Image    order.EditedImage
	Before   string // address of that picture; "": none
	Revision *int   // of that picture; nil: it is the original
}

// Compared returns the newest edits of delivery e. In the first round each is compared with its original, later with the
// edit before if changes were requested for it. A photo with another size or name did change, however it looks.
func Compared(t store.Tracked, e order.Event, c RoundHistory) []ComparedPhoto {
	latest := order.Latest(reviewed(t, e).Order.EditedImages)
	photos := kit.Map(latest, func(_ int, image order.EditedImage) ComparedPhoto { return ComparedPhoto{Image: image} })
	if c.Before == nil && t.Brief != nil {
		for i, source := range t.Brief.Match(latest) {
			if source >= 0 && order.WebAddress(t.Brief.Sources[source].URL) {
				photos[i].Before = t.Brief.Sources[source].URL
			}
		}
	}
	changed, _ := c.Changed(latest)
	asked := RequestOf(c, nil)
	for _, one := range changed {
		if one.Before != nil && order.WebAddress(one.Before.Thumb) && sameFile(*one.Before, one.After) && (len(asked.Of(one)) > 0 || len(asked.Words) > 0) {
			photos[one.Number-1].Before, photos[one.Number-1].Revision = one.Before.Thumb, &one.Before.Revision
		}
	}
	return photos
}

// sameFile reports whether two edits have the same size in pixels and the same name.
func sameFile(a, b order.EditedImage) bool {
	return a.Width == b.Width && a.Height == b.Height && a.Name == b.Name
}
