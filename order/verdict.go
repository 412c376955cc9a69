package order

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Verdict is what somebody thinks of one edit of an image. It says nothing of any other edit.
type Verdict struct {
	Edit string    `json:"edit"` // see [EditedImage.Edit]
	Good bool      `json:"good,omitempty"`
	By   string    `json:"by,omitempty"` // Slack user id
	At   time.Time `json:"at"`
}

// Verdicts are the newest of each image, by its ID.
type Verdicts map[string]Verdict

// Good says that somebody found this very edit good, and nobody thinks otherwise since.
func (v Verdicts) Good(image EditedImage) bool {
	verdict, judged := v[image.ID]
	return image.ID != "" && judged && verdict.Good && verdict.Edit == image.Edit()
}

// Tick is one verdict as it is asked for: somebody found an edit good, or takes that back.
type Tick struct {
	Edit  string `json:"edit"`
	Image string `json:"image,omitempty"` // its ID
	Name  string `json:"name,omitempty"`
	Good  bool   `json:"good,omitempty"`
}

// With lays ticks over what was thought of an order's images. An image whose newest edit is another than
// the tick's keeps what it has: the tick is overtaken. Changed are the verdicts that are new, over those
// whose edit is the newest no longer: none is known of an image that is not there.
func (v Verdicts) With(ticks []Tick, images []EditedImage, by string, now time.Time) (changed Verdicts, over []string, overtaken []Tick) {
	latest, changed := Latest(images), Verdicts{}
	for _, tick := range ticks {
		at := slices.IndexFunc(latest, func(image EditedImage) bool { return image.ID != "" && image.Edit() == tick.Edit })
		switch {
		case at < 0:
			overtaken = append(overtaken, tick)
		case v.Good(latest[at]) != tick.Good:
			changed[latest[at].ID] = Verdict{Edit: tick.Edit, Good: tick.Good, By: by, At: now.UTC()}
		}
	}
	for id, had := range v {
		if !slices.ContainsFunc(latest, func(image EditedImage) bool { return image.ID == id && image.Edit() == had.Edit }) {
			over = append(over, id)
		}
	}
	slices.Sort(over)
	return changed, over, overtaken
}

// Edit tells this edit of an image from all others, in a few letters: its ID and its name, the revision that
// brought it, and when. Where it can be fetched from says nothing: such addresses are signed anew.
func (i EditedImage) Edit() string {
	return hash(i.ID, i.Name, fmt.Sprint(i.Revision), fmt.Sprint(i.UploadedAt.Unix()))[:12]
}

// Latest keeps the newest edit of each image, in the order of the first
// delivery: their numbers everywhere. The same id is the same image, and so is
// the same name in a later revision; two images of one name stay two.
func Latest(images []EditedImage) []EditedImage {
	byRevision := slices.Clone(images)
	slices.SortStableFunc(byRevision, func(a, b EditedImage) int {
		return cmp.Compare(a.Revision, b.Revision)
	})
	var latest []EditedImage
	for _, image := range byRevision {
		i := slices.IndexFunc(latest, func(old EditedImage) bool { return image.Replaces(old) })
		if i < 0 {
			latest = append(latest, image)
			continue
		}
		latest[i] = image
	}
	return latest
}

// Replaces says that it is an edit of the same image as the old one, and newer or the same.
func (i EditedImage) Replaces(old EditedImage) bool {
	if i.ID != "" && i.ID == old.ID {
		return true
	}
	return i.Name != "" && i.Name == old.Name && i.Revision > old.Revision
}
