package order

import (
	"cmp"
	"container/heap"
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
	changed = Verdicts{}
	edits := map[string]EditedImage{} // the newest ones
	for _, image := range Latest(images) {
		if image.ID != "" {
			edits[image.Edit()] = image
		}
	}
	for _, tick := range ticks {
		switch image, is := edits[tick.Edit]; {
		case !is:
			overtaken = append(overtaken, tick)
		case v.Good(image) != tick.Good:
			changed[image.ID] = Verdict{Edit: tick.Edit, Good: tick.Good, By: by, At: now.UTC()}
		}
	}
	for id, had := range v {
		if image, is := edits[had.Edit]; !is || image.ID != id {
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

// sameName are places among the latest where images of one name stand, or stood.
type sameName struct {
	before   places // those of earlier revisions
	newest   []int  // those of this one
	revision int
}

// begin begins a revision, unless it has begun.
func (n *sameName) begin(revision int) {
	if revision > n.revision {
		for _, at := range n.newest {
			heap.Push(&n.before, at)
		}
		n.newest, n.revision = nil, revision
	}
}

// older is the first place of an older edit of an image by its name; -1: there is none.
func (n *sameName) older(image EditedImage, latest []EditedImage) int {
	for image.Name != "" && len(n.before) > 0 {
		if at := heap.Pop(&n.before).(int); image.Replaces(latest[at]) {
			return at
		}
	}
	return -1
}

// places is a heap, the first place on top.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(at any)       { *p = append(*p, at.(int)) }
func (p *places) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// Replaces says that it is an edit of the same image as the old one, and newer or the same.
func (i EditedImage) Replaces(old EditedImage) bool {
	if i.ID != "" && i.ID == old.ID {
		return true
	}
	return i.Name != "" && i.Name == old.Name && i.Revision > old.Revision
}
