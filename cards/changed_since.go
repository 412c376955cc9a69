package cards

import (
	"slices"

	"darkroom/order"
)

// Change is an image of a delivery that the delivery before did not have as it is now.
type Change struct {
	Number int                // as in the revise form
	After  order.EditedImage  //
	Before *order.EditedImage // nil: the delivery before had no such image
	Unsure bool               // several images are called so: which was which is a guess
}

// changedSince says what a delivery brought since the one before, and which images are there no
// longer; of both the newest edit of each image, as [Latest] gives it. An image is the same edit as
// long as its id, its revision and its time are; it belongs to the earlier one with its id, else to
// the one with its name. Of several with one name the first belongs to the first.
func changedSince(before, after []order.EditedImage) (changed []Change, lost []order.EditedImage) {
	left := slices.Clone(before) // those whose successor is not found yet
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

// countOf is how many images have that name.
func countOf(images []order.EditedImage, name string) int {
	n := 0
	for _, image := range images {
		if image.Name == name {
			n++
		}
	}
	return n
}
