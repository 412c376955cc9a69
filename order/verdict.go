package order

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Verdict is a person's opinion of one edit of an image. It says nothing about other edits.
type Verdict struct {
	Edit string    `json:"edit"`           // see [EditedImage.Edit]
	Done string    `json:"done,omitempty"` // as in [Tick]
	Good bool      `json:"good,omitempty"`
	By   string    `json:"by,omitempty"` // Slack user ID
	At   time.Time `json:"at"`
}

// Verdicts maps image IDs to the newest verdict on each image. It also has the newest verdict on each sentence that
// was asked for.
type Verdicts map[string]Verdict

// Good reports whether the newest verdict finds this very edit good.
func (v Verdicts) Good(image EditedImage) bool { return v.of(image, "").Good }

// Done returns the verdict that this very edit does what a sentence asked for: that on the sentence, else that on the
// image. Good is false without one.
func (v Verdicts) Done(image EditedImage, sentence string) Verdict {
	if one := v.of(image, SentenceKey(sentence)); one.Good {
		return one
	}
	return v.of(image, "")
}

// of returns the newest verdict on this very edit of an image, or on a sentence of that key; zero without one.
func (v Verdicts) of(image EditedImage, done string) Verdict {
	one := v[verdictKey(image.ID, done)]
	if image.ID == "" || one.Edit != image.Edit() || one.Done != done {
		return Verdict{}
	}
	return one
}

// verdictKey returns the key of a verdict in [Verdicts].
func verdictKey(image, done string) string {
	if done == "" {
		return image
	}
	return image + "#" + done
}

// Tick is a request for one verdict: a person finds an edit good, or withdraws that.
type Tick struct {
	Edit  string `json:"edit"`
	Image string `json:"image,omitempty"` // image ID
	Name  string `json:"name,omitempty"`
	Done  string `json:"done,omitempty"` // [SentenceKey] of a sentence that the edit does; "": the edit itself is good
	Good  bool   `json:"good,omitempty"`
}

// With compares ticks with the verdicts on an order's images. changed holds the new verdicts. stale lists the
// keys of verdicts that concern an edit which is no longer the newest. late lists the ticks for such
// edits, which change nothing.
func (v Verdicts) With(ticks []Tick, images []EditedImage, by string, now time.Time) (changed Verdicts, stale []string, late []Tick) {
	changed = Verdicts{}
	edits := map[string]EditedImage{} // the newest ones
	for _, image := range Latest(images) {
		if image.ID != "" {
			edits[image.Edit()] = image
		}
	}
	for _, tick := range ticks {
		switch image, found := edits[tick.Edit]; {
		case !found:
			late = append(late, tick)
		case v.of(image, tick.Done).Good != tick.Good:
			changed[verdictKey(image.ID, tick.Done)] = Verdict{Edit: tick.Edit, Done: tick.Done, Good: tick.Good, By: by, At: now.UTC()}
		}
	}
	for key, had := range v {
		if image, found := edits[had.Edit]; !found || verdictKey(image.ID, had.Done) != key {
			stale = append(stale, key)
		}
	}
	slices.Sort(stale)
	return changed, stale, late
}

// Edit returns a short ID of this edit of an image, made of its ID, name, revision and time. The URLs do not
// count, since the service signs them anew.
func (i EditedImage) Edit() string {
	return hash(i.ID, i.Name, fmt.Sprint(i.Revision), fmt.Sprint(i.UploadedAt.Unix()))[:12]
}

// Latest returns the newest edit of each image, in the order of first delivery, which numbers images
// everywhere. The same ID is the same image, and so is the same name in a later revision. Two images of one
// name stay two.
func Latest(images []EditedImage) []EditedImage {
	byRevision := slices.Clone(images)
	slices.SortStableFunc(byRevision, func(a, b EditedImage) int {
		return cmp.Compare(a.Revision, b.Revision)
	})
	var latest []EditedImage
	byID, byName := map[string]int{}, map[string]*sameName{}
	for _, image := range byRevision {
		named := byName[image.Name]
		if named == nil {
			named = &sameName{revision: image.Revision}
			byName[image.Name] = named
		}
		named.begin(image.Revision)
		at, known := byID[image.ID]
		if !known {
			at = named.older(image, latest)
		}
		if at < 0 {
			at = len(latest)
			latest = append(latest, image)
		}
		delete(byID, latest[at].ID)
		if latest[at] = image; image.ID != "" {
			byID[image.ID] = at
		}
		named.newest = append(named.newest, at)
	}
	return latest
}

// sameName has the indexes in the latest edits that images of one name have, or had.
type sameName struct {
	before   []int // of earlier revisions, ascending
	newest   []int // of this revision
	revision int
}

// begin starts a revision, unless it has started.
func (n *sameName) begin(revision int) {
	if revision > n.revision {
		n.before = append(n.before, n.newest...)
		slices.Sort(n.before)
		n.newest, n.revision = nil, revision
	}
}

// older returns the first index of an older edit of the image, found by its name; -1 without one.
func (n *sameName) older(image EditedImage, latest []EditedImage) int {
	for image.Name != "" && len(n.before) > 0 {
		at := n.before[0]
		n.before = n.before[1:]
		if image.Replaces(latest[at]) {
			return at
		}
	}
	return -1
}

// Replaces reports whether the image is the same edit as old, or a newer edit of the same image.
func (i EditedImage) Replaces(old EditedImage) bool {
	if i.ID != "" && i.ID == old.ID {
		return true
	}
	return i.Name != "" && i.Name == old.Name && i.Revision > old.Revision
}
