package change

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Changes is the content of the revise form.
type Changes struct {
	All      string       `json:"all,omitempty"`      // for images without their own instructions
	Each     []ImageText  `json:"each,omitempty"`     // images with their own instructions
	Unchosen []ImageText  `json:"aside,omitempty"`    // an earlier version's instructions that were not sent; [Changes.For] brings them back
	Open     []string     `json:"open,omitempty"`     // ids of many images whose boxes were opened, the last one last
	Problems kit.Problems `json:"problems,omitempty"` // why the service refused
	Unknown  []string     `json:"unknown,omitempty"`  // ids of images that the service does not know; All skips them
	Gone     []string     `json:"gone,omitempty"`     // ids of missing images that the form has reported
	Moved    int          `json:"moved,omitempty"`    // how often lines moved from the box for all to those of photos
	Found    bool         `json:"found,omitempty"`    // some text asks for what the inspection found

	Pins    order.Pins `json:"pins,omitempty"`   // on the photos
	Drafter Drafter    `json:"drafter,omitzero"` // whose pins they are

	Asked  []Asked      `json:"asked,omitempty"` // what the round before asked for
	Ticks  []order.Tick `json:"ticks,omitempty"` // changes to which images are good, and which sentences are done
	Opened []string     `json:"opened,omitzero"` // edits that were good when the form opened; nil: those that are good now
	Late   []order.Tick `json:"late,omitempty"`  // ticks for edits that have been replaced; they do not count
	Good   []string     `json:"good,omitempty"`  // as sent: ids of good images; All skips them
}

// ImageText is the text typed for one image.
type ImageText struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Words string `json:"words"`
}

// Empty reports whether nothing was typed, pinned or ticked.
func (c Changes) Empty() bool {
	return len(c.Ticks) == 0 && len(c.Pins) == 0 && c.wordless()
}

// OnlyTicks reports whether something was ticked and no photo has text or pins. Pins on replaced photos do not count.
func (c Changes) OnlyTicks(t store.Tracked) bool {
	return len(c.Ticks) > 0 && c.wordless() && len(c.PerImage(t)) == 0
}

// wordless reports whether nothing was typed.
func (c Changes) wordless() bool {
	return c.All == "" && !slices.ContainsFunc(c.Each, func(typed ImageText) bool { return typed.Words != "" })
}

// withPage replaces the text of the images whose boxes a form shows. An empty box deletes its text.
func (c Changes) withPage(page []ImageText) Changes {
	c.Each = slices.Clone(c.Each)
	for _, typed := range page {
		c.Each = slices.DeleteFunc(c.Each, func(had ImageText) bool { return had.ID == typed.ID })
		if typed.Words = strings.TrimSpace(typed.Words); typed.Words != "" {
			c.Each = append(c.Each, typed)
		}
	}
	return c
}

// WithBox opens the box of the image with that key. The box of the image that was opened longest ago may fold.
func (c Changes) WithBox(key string, t store.Tracked) Changes {
	id := imageOf(key, t).ID
	c.Open = append(slices.DeleteFunc(slices.Clone(c.Open), func(had string) bool { return had == id }), id)
	return c
}

// openBoxes returns the ids of the images with an open box, at most limit. Images with a problem come first, then those
// opened last, then those with text. If few images are shown, all others follow.
func (c Changes) openBoxes(shown []order.EditedImage, many bool, limit int) []string {
	var ids []string
	open := func(id string) {
		if id != "" && len(ids) < limit && cards.HasImage(shown, id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, image := range shown {
		if len(c.problemsOf(image)) > 0 {
			open(image.ID)
		}
	}
	for _, id := range slices.Backward(c.Open) {
		open(id)
	}
	for _, typed := range c.Each {
		open(typed.ID)
	}
	for _, image := range shown {
		if !many {
			open(image.ID)
		}
	}
	return ids
}

// For carries the text over to the order as it is now. A newly edited image has another id and keeps its text
// by name. Text for a missing image stays, and [Changes.Gone] names the image. An order's only image takes the text
// for all.
func (c Changes) For(t store.Tracked) Changes {
	latest := order.Latest(t.Order.EditedImages)
	c.Each, c.Unchosen = c.carried(slices.Concat(c.Each, c.Unchosen), latest), nil
	c = c.withLostPins(latest)
	if onlyImage(latest) && c.All != "" {
		had := c.wordsFor(latest[0].ID)
		if !slices.Contains(order.Lines(had), strings.TrimSpace(c.All)) {
			had += "\n" + c.All
		}
		own, all := had, ""
		if kit.Units(strings.TrimSpace(had)) > kit.MaxInput { // one box holds less: it stays in the boxes for all
			own, all = "", strings.TrimSpace(had)
		}
		c = c.withPage([]ImageText{{ID: latest[0].ID, Name: latest[0].Name, Words: own}})
		c.All = all
	}
	c.Gone = kit.Map(c.lost(latest), func(_ int, lost ImageText) string { return lost.ID })
	return c.splitLate(latest)
}

func (c Changes) carried(words []ImageText, latest []order.EditedImage) []ImageText {
	words = slices.Clone(words)
	for i, typed := range words {
		if cards.HasImage(latest, typed.ID) {
			continue
		}
		successor := slices.IndexFunc(latest, func(image order.EditedImage) bool {
			return image.ID != "" && image.Name == typed.Name && !slices.ContainsFunc(words, func(other ImageText) bool { return other.ID == image.ID })
		})
		if typed.Name != "" && successor >= 0 {
			words[i].ID = latest[successor].ID
		}
	}
	return words
}

// HasOrphanedText reports whether text is for missing images that the form has not reported yet.
func (c Changes) HasOrphanedText(t store.Tracked) bool {
	return slices.ContainsFunc(c.lost(order.Latest(t.Order.EditedImages)), func(lost ImageText) bool {
		return !slices.Contains(c.Gone, lost.ID)
	})
}

// wordsFor returns the text for one image, or "".
func (c Changes) wordsFor(id string) string {
	for _, typed := range c.Each {
		if typed.ID == id {
			return typed.Words
		}
	}
	return ""
}

// PerImage returns the instructions of present images with their own, by image id. Pins follow the text.
func (c Changes) PerImage(t store.Tracked) map[string][]string {
	own := map[string][]string{}
	for _, image := range order.Latest(t.Order.EditedImages) {
		if lines := order.Lines(c.own(image)); image.ID != "" && len(lines) > 0 {
			own[image.ID] = lines
		}
	}
	return own
}

// Instructions returns each image's instructions as the service takes them: its own, else the general ones
// unless it is good. rest reports whether any image takes the general ones.
func (c Changes) Instructions(t store.Tracked) (byImage map[string][]string, rest bool) {
	byImage = c.PerImage(t)
	all := order.Lines(c.All)
	for _, image := range order.Latest(t.Order.EditedImages) {
		if image.ID == "" || byImage[image.ID] != nil || slices.Contains(c.Unknown, image.ID) || slices.Contains(c.Good, image.ID) || len(all) == 0 {
			continue
		}
		byImage[image.ID], rest = all, true
	}
	return byImage, rest
}

// lost returns the text for missing images.
func (c Changes) lost(latest []order.EditedImage) []ImageText {
	return slices.DeleteFunc(slices.Clone(c.Each), func(typed ImageText) bool { return typed.Words == "" || cards.HasImage(latest, typed.ID) })
}

// Refused adds the service's reasons, and the images that it does not know.
func (c Changes) Refused(t store.Tracked, problems kit.Problems) Changes {
	c.Problems, c.Unknown = problems, slices.Clone(c.Unknown)
	for _, image := range order.Latest(t.Order.EditedImages) {
		if len(c.problemsOf(image)) > 0 && !slices.Contains(c.Unknown, image.ID) {
			c.Unknown = append(c.Unknown, image.ID)
		}
	}
	return c
}

// problemsOf returns the reasons that name an image.
func (c Changes) problemsOf(image order.EditedImage) kit.Problems {
	return slices.DeleteFunc(slices.Clone(c.Problems), func(problem string) bool { return !namesImage(problem, image.ID) })
}

// generalProblems returns the reasons that name no image.
func (c Changes) generalProblems(latest []order.EditedImage) kit.Problems {
	return slices.DeleteFunc(slices.Clone(c.Problems), func(problem string) bool {
		return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return namesImage(problem, image.ID) })
	})
}

// namesImage reports whether the service does not know this image: the reason contains its id as a word.
func namesImage(problem, id string) bool {
	if id == "" || !errors.Is(order.ReasonOf("revise", problem), order.ErrImageNotFound) {
		return false
	}
	return regexp.MustCompile(`(?:^|[^\pL\p{Nd}])` + regexp.QuoteMeta(id) + `(?:$|[^\pL\p{Nd}])`).MatchString(problem)
}

// Text returns everything typed as plain text, for a message to the editor.
func (c Changes) Text(t store.Tracked) string {
	return strings.Join(kit.Map(c.labelled(t), func(_ int, typed labelledText) string { return typed.label + ": " + typed.words }), "\n")
}

// labelledText is text with its label.
type labelledText struct{ label, words string }

// labelled returns everything typed with its labels, in the form's order.
func (c Changes) labelled(t store.Tracked) []labelledText {
	var all []labelledText
	latest := order.Latest(t.Order.EditedImages)
	for i, image := range latest {
		if words := c.own(image); words != "" {
			all = append(all, labelledText{cards.ImageLabel(i+1, image), words})
		}
	}
	for _, typed := range c.lost(latest) {
		all = append(all, labelledText{cmp.Or(kit.Plain(kit.OneLine(cmp.Or(typed.Name, typed.ID)), 200), "A photo"), typed.Words})
	}
	if c.All != "" {
		all = append(all, labelledText{cards.AllOthers, c.All})
	}
	return all
}

// asked returns the changes that an event requested.
func asked(e order.Event) Changes {
	c := Changes{All: strings.Join(e.Words, "\n")}
	for id, lines := range e.PerImage {
		c.Each = append(c.Each, ImageText{ID: id, Words: strings.Join(lines, "\n")})
	}
	slices.SortFunc(c.Each, func(a, b ImageText) int { return strings.Compare(a.ID, b.ID) })
	return c
}
