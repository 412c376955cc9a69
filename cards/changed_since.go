package cards

import (
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
)

// Change is an image that is new or different in a delivery.
type Change struct {
	Number int // as in the revise form, from 1
	After  order.EditedImage
	Before *order.EditedImage // nil: the delivery before had no such image
	Unsure bool               // several images have this name, so Before is a guess
}

// changedSince returns the images that a delivery changed and those that it lost. Both lists hold only the
// newest edits, as [order.Latest] returns them. Two images are the same edit if id, name, revision and time
// match. Otherwise images match by id, then by name; equal names match in order.
func changedSince(before, after []order.EditedImage) (changed []Change, lost []order.EditedImage) {
	left := slices.Clone(before) // images without a match so far
	take := func(is func(order.EditedImage) bool) *order.EditedImage {
		i := slices.IndexFunc(left, is)
		if i < 0 {
			return nil
		}
		found := left[i]
		left = slices.Delete(left, i, i+1)
		return &found
	}
	found := make([]*order.EditedImage, len(after))
	for _, same := range []func(a, b order.EditedImage) bool{sameEdit, sameID, sameName} {
		for i, image := range after {
			if found[i] == nil {
				found[i] = take(func(old order.EditedImage) bool { return same(old, image) })
			}
		}
	}
	for i, image := range after {
		if found[i] == nil || !sameEdit(*found[i], image) {
			guess := found[i] != nil && !sameID(*found[i], image) && (countOf(before, image.Name) > 1 || countOf(after, image.Name) > 1)
			changed = append(changed, Change{Number: i + 1, After: image, Before: found[i], Unsure: guess})
		}
	}
	return changed, left
}

func sameEdit(a, b order.EditedImage) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Revision == b.Revision && a.UploadedAt.Equal(b.UploadedAt)
}

func sameID(a, b order.EditedImage) bool { return a.ID != "" && a.ID == b.ID }

func sameName(a, b order.EditedImage) bool { return a.Name != "" && a.Name == b.Name }

// countOf counts the images with that name.
func countOf(images []order.EditedImage, name string) int {
	return kit.CountFunc(images, func(image order.EditedImage) bool { return image.Name == name })
}
