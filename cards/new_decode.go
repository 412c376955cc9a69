package cards

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/order"

	"github.com/slack-go/slack"
)

// Form is the order form as somebody filled it in.
type Form struct {
	Draft        string    // from the view's private_metadata
	Attempt      int       // the draft's, when the form was opened
	Opened       time.Time // when the draft was; zero = not known
	Team, From   string    // the draft's
	Run          string    // the draft's; "" = not known, and then the two before may not be either
	Channel      string
	Kept         []string // ids of the kept photos that the form shows
	Photos       []Photo  // in its upload field
	URLs         []string
	Service      order.ServiceType
	Instructions []string
	ProjectName  string
	CustomerID   string
	More         bool // the form shall come back for more photos
	PerImage     bool // the second step comes next
	Led          bool // its button said Next
	UploadGen    int
	Credits      string
	Shown        map[string]bool // the fields that may be folded away and were not
	Preset       string          // what it says that it was filled from: an id, "" = nothing
	Offers       bool            // it offers to be filled
}

// Opens is the form with the fields behind a button shown.
func (f Form) Opens(action string) Form {
	for _, field := range behind[action] {
		f.Shown[field] = true
	}
	return f
}

// behind are the fields behind the buttons that open them.
var behind = map[string][]string{ActionAddresses: {fieldImages}, ActionOptions: {fieldCustomer, fieldChannel}}

// Photo is a file of Slack's, as Slack told of it.
type Photo struct {
	ID, Name, Type string // Type is the MIME type
	Size           int64  // bytes
}

// Wrong is what is wrong with a submitted form, by field.
type Wrong map[string]string

// Beside puts what is wrong beside its fields in the view that was submitted; nil when nothing is.
func (w Wrong) Beside(view slack.View) map[string]string {
	var problems map[string]string
	for field, problem := range w {
		if problems == nil {
			problems = map[string]string{}
		}
		problems[blockOf(view, field)] = problem
	}
	return problems
}

// Photos adds a problem of the photos, for what only the caller can know.
func (w Wrong) Photos(view slack.View, sentence string) {
	field := photosField(view)
	w[field] = joined(" ", w[field], sentence)
}

// photosField is where a problem of the photos stands: not every form has a field for them.
func photosField(view slack.View) string {
	for _, field := range []string{fieldPhotos, fieldImages} {
		if shows(view, field) {
			return field
		}
	}
	return fieldInstructions
}

// DecodeNewOrder reads a submitted form. What is wrong is found here alone: nothing was asked
// of the service.
func DecodeNewOrder(view slack.View) (Form, Wrong) {
	f, wrong := DecodeTyped(view), Wrong{}
	for field, problem := range f.problems(view) {
		if problem != "" {
			wrong[field] = problem
		}
	}
	return f, wrong
}

// DecodeTyped reads a form that is still being filled in.
func DecodeTyped(view slack.View) Form {
	meta := DecodeMeta(view.PrivateMetadata)
	return Form{
		Draft:        meta.Draft,
		Attempt:      meta.Attempt,
		Opened:       meta.Opened,
		Team:         meta.Team,
		From:         meta.From,
		Run:          meta.Run,
		Channel:      channelOf(view, meta),
		Kept:         meta.Photos,
		Photos:       uploaded(fieldOf(view, fieldPhotos)),
		URLs:         addresses(textOf(view, fieldImages)),
		Service:      order.ServiceType(fieldOf(view, fieldService).SelectedOption.Value),
		Instructions: order.Lines(textOf(view, fieldInstructions)),
		ProjectName:  oneLine(textOf(view, fieldProject)),
		CustomerID:   strings.TrimSpace(textOf(view, fieldCustomer)),
		More:         len(fieldOf(view, fieldMore).SelectedOptions) > 0,
		PerImage:     len(fieldOf(view, fieldPerImage).SelectedOptions) > 0,
		Led:          meta.More,
		UploadGen:    meta.UploadGen,
		Credits:      meta.Credits,
		Shown:        shownIn(view),
		Preset:       presetIn(view),
		Offers:       shows(view, fieldPreset),
	}
}

// channelOf is the channel that a form names: in its field, or in its last line.
func channelOf(view slack.View, meta Meta) string {
	if !shows(view, fieldChannel) {
		return meta.Channel
	}
	return fieldOf(view, fieldChannel).SelectedConversation
}

func shownIn(view slack.View) map[string]bool {
	shown := map[string]bool{}
	for _, field := range []string{fieldImages, fieldCustomer, fieldChannel} {
		if shows(view, field) {
			shown[field] = true
		}
	}
	return shown
}

func uploaded(a slack.BlockAction) []Photo {
	var photos []Photo
	for _, f := range a.Files {
		if f.ID != "" {
			photos = append(photos, Photo{ID: f.ID, Name: orElse(f.Name, f.Title), Type: f.Mimetype, Size: int64(f.Size)})
		}
	}
	return photos
}

// problems are what keeps the form from being placed; one that comes back for more
// photos may still lack everything else.
func (f Form) problems(view slack.View) map[string]string {
	crowded := f.crowded()
	if f.More {
		return map[string]string{photosField(view): crowded}
	}
	problems := map[string]string{
		fieldChannel:      channelProblem(f.Channel),
		fieldImages:       urlProblem(f.URLs),
		fieldService:      onlyIf(f.Service != order.ServiceBasic && f.Service != order.ServiceExtensive, "Choose a service type."),
		fieldInstructions: onlyIf(len(f.Instructions) == 0, "Say what should be done with the images, one instruction per line."),
		fieldProject:      longProblem(f.ProjectName, maxProjectName, "The project name"),
		fieldCustomer:     longProblem(f.CustomerID, order.MaxCustomerID, "The customer ID"),
	}
	photos, at := len(f.Kept)+len(f.Photos), photosField(view)
	switch {
	case photos+len(f.URLs) == 0:
		problems[at] = joined(" ", noImages(at == fieldPhotos, f.Shown[fieldImages]), problems[at])
	case photos == 0:
		problems[fieldImages] = joined(" ", problems[fieldImages], crowded)
	default:
		problems[at] = joined(" ", problems[at], crowded)
	}
	return problems
}

// noImages asks for what is missing, both ways that there are.
func noImages(uploads, addresses bool) string {
	switch {
	case !uploads:
		return "Give at least one image URL."
	case addresses:
		return "Choose at least one photo here, or give a web address under Image URLs."
	}
	return "Choose at least one photo here, or press “Add web addresses” and give one."
}

// crowded says that there are more images than one order holds.
func (f Form) crowded() string {
	photos, urls := len(f.Kept)+len(f.Photos), len(f.URLs)
	if photos+urls <= order.MaxImages {
		return ""
	}
	both := " (" + count(photos, "photo", "photos") + " and " + count(urls, "URL", "URLs") + ")"
	return fmt.Sprintf("These are %d images%s; one order holds at most %d.",
		photos+urls, onlyIf(photos > 0 && urls > 0, both), order.MaxImages)
}

// PhotosProblem puts a sentence beside the photos.
func PhotosProblem(view slack.View, sentence string) map[string]string {
	return beside(view, photosField(view), sentence)
}

func channelProblem(channel string) string {
	switch {
	case channel == "":
		return "Choose the channel where the order's news should come."
	case !isChannel(channel):
		return "Choose a channel: an order cannot live in a direct message."
	}
	return ""
}

func longProblem(s string, limit int, what string) string {
	n := utf8.RuneCountInString(s)
	return onlyIf(n > limit, fmt.Sprintf("%s has %d characters; at most %d fit.", what, n, limit))
}

// addresses are the words typed into the images box: a URL has no spaces, so
// a line with two of them is two.
func addresses(text string) []string {
	var urls []string
	for word := range strings.FieldsSeq(text) {
		if word = strings.Trim(word, "<>,"); word != "" {
			urls = append(urls, word)
		}
	}
	return urls
}

// urlProblem names every address that cannot be ordered, by its place in the list.
func urlProblem(urls []string) string {
	var wrong, twice []string
	for i, u := range urls {
		switch first := slices.Index(urls[:i], u); {
		case !isWeb(u):
			wrong = append(wrong, u)
		case first >= 0 && !slices.Contains(twice, u):
			twice = append(twice, u)
		}
	}
	return joined(" ",
		onlyIf(len(wrong) > 0, "Not a web address (http:// or https://): "+some(wrong)+"."),
		onlyIf(len(twice) > 0, "Listed more than once: "+some(twice)+"."))
}

// some names the first few, and how many more there are.
func some(names []string) string {
	const few = 5
	shown := each(names[:min(few, len(names))], func(_ int, name string) string { return plain(name, 80) })
	more := len(names) - few
	return strings.Join(shown, ", ") + onlyIf(more > 0, " and "+strconv.Itoa(more)+" more")
}

// held is one block of a submitted view, and what was typed or chosen in it.
type held struct {
	block string
	slack.BlockAction
}

// heldBy are the blocks of a field in a view, its boxes in order. The attempt is part of a block's
// id, so the field is looked for, not named.
func heldBy(view slack.View, field string) []held {
	var all []held
	for _, id := range blocksOf(view, field) {
		for _, action := range view.State.Values[id] { // a block has one
			all = append(all, held{id, action})
		}
	}
	return all
}

// blocksOf are the ids of those blocks.
func blocksOf(view slack.View, field string) []string {
	if view.State == nil {
		return nil
	}
	var ids []string
	for id := range view.State.Values {
		if rest, is := strings.CutPrefix(id, field); is && (rest == "" || rest[0] == ':') {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}

// shows says that there is such a block.
func shows(view slack.View, field string) bool { return len(blocksOf(view, field)) > 0 }

// blockOf is the block beside which a field's problem is shown.
func blockOf(view slack.View, field string) string {
	if all := blocksOf(view, field); len(all) > 0 {
		return all[0]
	}
	return blockID(field, 0, 0)
}

func fieldOf(view slack.View, field string) slack.BlockAction {
	for _, first := range heldBy(view, field) {
		return first.BlockAction
	}
	return slack.BlockAction{}
}

func textOf(view slack.View, field string) string {
	var boxes []string
	for _, box := range heldBy(view, field) {
		boxes = append(boxes, box.Value)
	}
	return strings.Join(boxes, "\n")
}
