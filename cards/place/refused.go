package place

import (
	"errors"
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// refused says why the order was refused. Problems of single images stand beside those images.
func (f *orderForm) refused() {
	if len(f.said) == 0 {
		return
	}
	var rows []string
	marked := 0
	for i, problem := range f.said {
		if f.marks[i] {
			marked++
			continue
		}
		rows = append(rows, kit.Inline(problem, 600))
	}
	if marked > 0 {
		rows = append(rows, kit.Count(marked, "image has", "images have")+" a problem, told below at "+kit.Plural(marked, "its place.", "their places."))
	}
	f.Alert("The order was not placed, and nothing was charged:\n• " + strings.Join(rows, "\n• ") +
		"\nEverything you typed is still here. Change what is needed and place it again.")
}

// StillThere keeps the problems that name an image of the draft. The others may be fixed.
func StillThere(d store.Draft, problems kit.Problems) kit.Problems {
	return slices.DeleteFunc(slices.Clone(problems), func(problem string) bool { return !imageNamed(d, problem) })
}

// imageNamed reports whether a problem names an image of the draft.
func imageNamed(d store.Draft, problem string) bool {
	return slices.ContainsFunc(d.Images(), func(image store.DraftImage) bool { return namesAddress(problem, image.Address) })
}

// namesAddress reports whether a problem contains the whole address. One address may begin with another.
func namesAddress(problem, address string) bool {
	if address == "" {
		return false
	}
	for _, after, found := strings.Cut(problem, address); found; _, after, found = strings.Cut(after, address) {
		if after == "" || strings.ContainsAny(after[:1], " ,;.)\"'\n") {
			return true
		}
	}
	return false
}

// problemText returns a problem as it stands beside its image.
func (f *orderForm) toldOf(i int) string {
	own := "The photo service says: “" + kit.FullStop(kit.Inline(f.said[i], 600)) + "”"
	if !errors.Is(order.ReasonOf("create", f.a.Problems[i]), order.ErrInaccessibleFile) {
		return own
	}
	what := "the image"
	for at, image := range f.d.Images() {
		if namesAddress(f.a.Problems[i], image.Address) {
			what = "*" + kit.Inline(kit.PhotoLabel(at, image.Name), 200) + "*"
		}
	}
	return "The photo service could not open " + what + ". It says: “" + kit.FullStop(kit.Inline(f.said[i], 600)) + "”"
}
