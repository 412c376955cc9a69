package change

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Changes is what somebody typed into the revise form.
type Changes struct {
	All      string       `json:"all,omitempty"`      // for every image without words of its own
	Each     []ImageText  `json:"each,omitempty"`     // images with words of their own, or chosen to have some
	Aside    []ImageText  `json:"aside,omitempty"`    // words for images that are not chosen any more: kept, and not sent
	Problems kit.Problems `json:"problems,omitempty"` // why the service refused it
	Unknown  []string     `json:"unknown,omitempty"`  // ids of images the service does not know: All is not for them
	Gone     []string     `json:"gone,omitempty"`     // ids of images that were seen to be there no longer, and so were shown

	Ticks  []order.Tick `json:"ticks,omitempty"` // which images are good, where the form says otherwise than it began
	Opened []string     `json:"opened,omitzero"` // edits that were good when the form was opened; nil: those that are now
	Late   []order.Tick `json:"late,omitempty"`  // ticks that do not count: another edit is there
	Good   []string     `json:"good,omitempty"`  // as sent: ids of images that are good, so that All is not for them
}

// ImageText is what was typed for one image.
type ImageText struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Words string `json:"words"`
}

// Empty tells that nothing was typed.
func (c Changes) Empty() bool {
	return len(c.Ticks) == 0 && c.Wordless()
}

// Wordless tells that there are no words, whatever was ticked.
func (c Changes) Wordless() bool {
	return c.All == "" && len(c.Aside) == 0 && !slices.ContainsFunc(c.Each, func(typed ImageText) bool { return typed.Words != "" })
}

// with is the changes with the images' boxes of one page in place of what they held; an empty
// box takes its words away.
func (c Changes) with(page []ImageText) Changes {
	c.Each = slices.Clone(c.Each)
	for _, typed := range page {
		c.Each = slices.DeleteFunc(c.Each, func(had ImageText) bool { return had.ID == typed.ID })
		if typed.Words = strings.TrimSpace(typed.Words); typed.Words != "" {
			c.Each = append(c.Each, typed)
		}
	}
	return c
}

// choose is the changes when just these images are chosen: the words for the others are laid aside, and
// those that were come back.
func (c Changes) choose(chosen []ImageText) Changes {
	var now, aside []ImageText
	for _, had := range slices.Concat(c.Each, c.Aside) {
		same := func(other ImageText) bool { return other.ID == had.ID }
		switch {
		case had.Words == "" || slices.ContainsFunc(now, same) || slices.ContainsFunc(aside, same):
		case slices.ContainsFunc(chosen, same):
			now = append(now, had)
		default:
			aside = append(aside, had)
		}
	}
	for _, one := range chosen {
		if !slices.ContainsFunc(now, func(had ImageText) bool { return had.ID == one.ID }) {
			now = append(now, one)
		}
	}
	c.Each, c.Aside = now, aside
	return c
}

// chosen are the places of the images that have their boxes: where there are few all, else those that
// were chosen, that have words, or that the service's reasons name.
func (c Changes) chosen(latest []order.EditedImage) []int {
	var places []int
	for i, image := range latest {
		has := func(typed ImageText) bool { return image.ID != "" && typed.ID == image.ID }
		if !choosesImages(latest) || slices.ContainsFunc(c.Each, has) || len(c.beside(image)) > 0 {
			places = append(places, i)
		}
	}
	return places
}

// asideNames are the images whose words are laid aside.
func (c Changes) asideNames(latest []order.EditedImage) string {
	var names []string
	for i, image := range latest {
		if slices.ContainsFunc(c.Aside, func(typed ImageText) bool { return typed.ID == image.ID }) {
			names = append(names, "*"+kit.EscapeTo(cards.ImageLabel(i+1, image), 100)+"*")
		}
	}
	const few = 10
	more := len(names) - few
	return strings.Join(names[:min(few, len(names))], ", ") + kit.OnlyIf(more > 0, " and "+strconv.Itoa(more)+" more")
}

// For carries the words over to the order as it is now: an image that was edited again
// has another id, and keeps its words by its name. Words for an image that is no longer
// there stay, for nobody.
func (c Changes) For(t store.Tracked) Changes {
	latest := order.Latest(t.Order.EditedImages)
	c.Each, c.Aside = c.carried(c.Each, latest), c.carried(c.Aside, latest)
	c.Gone = kit.Map(c.lost(latest), func(_ int, lost ImageText) string { return lost.ID })
	return c.timely(latest)
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

// Stray tells that words would reach nobody because their image is no longer there, and
// that nobody was shown so yet.
func (c Changes) Stray(t store.Tracked) bool {
	return slices.ContainsFunc(c.lost(order.Latest(t.Order.EditedImages)), func(lost ImageText) bool {
		return !slices.Contains(c.Gone, lost.ID)
	})
}

// wordsFor is what was typed for one image, "" when nothing.
func (c Changes) wordsFor(id string) string {
	for _, typed := range c.Each {
		if typed.ID == id {
			return typed.Words
		}
	}
	return ""
}

// PerImage are the lines of the images that have words of their own and are still there.
func (c Changes) PerImage(t store.Tracked) map[string][]string {
	own := map[string][]string{}
	for _, image := range order.Latest(t.Order.EditedImages) {
		if lines := order.Lines(c.wordsFor(image.ID)); image.ID != "" && len(lines) > 0 {
			own[image.ID] = lines
		}
	}
	return own
}

// Instructions are the lines for each image as the service wants them: its own, else
// those for all others that are not good. rest tells whether any image takes the words for all others.
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

// lost are the words for images that are no longer there.
func (c Changes) lost(latest []order.EditedImage) []ImageText {
	return slices.DeleteFunc(slices.Clone(c.Each), func(typed ImageText) bool { return typed.Words == "" || cards.HasImage(latest, typed.ID) })
}

// Refused is the changes with the service's reasons, and which images it does not know.
func (c Changes) Refused(t store.Tracked, problems kit.Problems) Changes {
	c.Problems, c.Unknown = problems, slices.Clone(c.Unknown)
	for _, image := range order.Latest(t.Order.EditedImages) {
		if len(c.beside(image)) > 0 && !slices.Contains(c.Unknown, image.ID) {
			c.Unknown = append(c.Unknown, image.ID)
		}
	}
	return c
}

// beside are the reasons that name an image.
func (c Changes) beside(image order.EditedImage) kit.Problems {
	return slices.DeleteFunc(slices.Clone(c.Problems), func(problem string) bool { return !namesImage(problem, image.ID) })
}

// above are the reasons that name none of the images.
func (c Changes) above(latest []order.EditedImage) kit.Problems {
	return slices.DeleteFunc(slices.Clone(c.Problems), func(problem string) bool {
		return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return namesImage(problem, image.ID) })
	})
}

// namesImage tells whether the service says that it does not know this image: its id
// stands in the words as a word of its own.
func namesImage(problem, id string) bool {
	if id == "" || !errors.Is(order.ReasonOf("revise", problem), order.ErrImageNotFound) {
		return false
	}
	return regexp.MustCompile(`(?:^|[^\pL\p{Nd}])` + regexp.QuoteMeta(id) + `(?:$|[^\pL\p{Nd}])`).MatchString(problem)
}

// Text is all that was typed as plain words, for a message to the editor.
func (c Changes) Text(t store.Tracked) string {
	return strings.Join(kit.Map(c.labelled(t), func(_ int, typed labelledText) string { return typed.label + ": " + typed.words }), "\n")
}

// labelledText is a name that people see, and the words under it.
type labelledText struct{ label, words string }

// labelled is all that was typed, in the order of the form, by the names of its boxes.
func (c Changes) labelled(t store.Tracked) []labelledText {
	var all []labelledText
	latest := order.Latest(t.Order.EditedImages)
	for i, image := range latest {
		if words := c.wordsFor(image.ID); words != "" {
			all = append(all, labelledText{cards.ImageLabel(i+1, image), words})
		}
	}
	for _, typed := range c.lost(latest) {
		all = append(all, labelledText{cmp.Or(kit.Plain(kit.OneLine(cmp.Or(typed.Name, typed.ID)), 200), "An image"), typed.Words})
	}
	if c.All != "" {
		all = append(all, labelledText{cards.AllOthers, c.All})
	}
	return all
}

// asked is what an event says that somebody asked for.
func asked(e order.Event) Changes {
	c := Changes{All: strings.Join(e.Words, "\n")}
	for id, lines := range e.PerImage {
		c.Each = append(c.Each, ImageText{ID: id, Words: strings.Join(lines, "\n")})
	}
	slices.SortFunc(c.Each, func(a, b ImageText) int { return strings.Compare(a.ID, b.ID) })
	return c
}
