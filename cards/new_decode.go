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
	UploadGen    int
	Credits      string
}

// Photo is a file of Slack's, as Slack told of it.
type Photo struct {
	ID, Name, Type string // Type is the MIME type
	Size           int64  // bytes
}

// DecodeNewOrder reads a submitted form. The problems are ours alone, by the
// block id of the field they belong to: nothing was asked of the service.
func DecodeNewOrder(view slack.View) (Form, map[string]string) {
	f := DecodeTyped(view)
	problems := map[string]string{}
	for field, problem := range f.problems(len(heldBy(view, fieldPhotos)) > 0) {
		if problem != "" {
			problems[blockOf(view, field)] = problem
		}
	}
	return f, problems
}

// DecodeTyped reads a form that is still being filled in.
func DecodeTyped(view slack.View) Form {
	meta := DecodeMeta(view.PrivateMetadata)
	return Form{
		Draft:        meta.Draft,
		Attempt:      meta.Attempt,
		Opened:       meta.Opened,
		Channel:      fieldOf(view, fieldChannel).SelectedConversation,
		Kept:         meta.Photos,
		Photos:       uploaded(fieldOf(view, fieldPhotos)),
		URLs:         addresses(textOf(view, fieldImages)),
		Service:      order.ServiceType(fieldOf(view, fieldService).SelectedOption.Value),
		Instructions: order.Lines(textOf(view, fieldInstructions)),
		ProjectName:  oneLine(textOf(view, fieldProject)),
		CustomerID:   strings.TrimSpace(textOf(view, fieldCustomer)),
		More:         len(fieldOf(view, fieldMore).SelectedOptions) > 0,
		PerImage:     len(fieldOf(view, fieldPerImage).SelectedOptions) > 0,
		UploadGen:    meta.UploadGen,
		Credits:      meta.Credits,
	}
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
func (f Form) problems(uploads bool) map[string]string {
	crowded := f.crowded()
	if f.More {
		return map[string]string{fieldPhotos: crowded}
	}
	problems := map[string]string{
		fieldChannel:      channelProblem(f.Channel),
		fieldImages:       urlProblem(f.URLs),
		fieldService:      onlyIf(f.Service != order.ServiceBasic && f.Service != order.ServiceExtensive, "Choose a service type."),
		fieldInstructions: onlyIf(len(f.Instructions) == 0, "Say what should be done with the images, one instruction per line."),
		fieldProject:      longProblem(f.ProjectName, maxProjectName, "The project name"),
		fieldCustomer:     longProblem(f.CustomerID, order.MaxCustomerID, "The customer ID"),
	}
	photos := len(f.Kept) + len(f.Photos)
	switch {
	case photos+len(f.URLs) > 0: // enough
	case !uploads:
		problems[fieldImages] = "Give at least one image URL."
	default:
		problems[fieldImages] = "Upload at least one photo, or give at least one image URL."
	}
	switch {
	case photos == 0: // counted with the URLs
	case uploads:
		problems[fieldPhotos] = crowded
	case problems[fieldImages] == "":
		problems[fieldImages] = crowded
	}
	return problems
}

// crowded says that there are more images than one order holds.
func (f Form) crowded() string {
	photos, urls := len(f.Kept)+len(f.Photos), len(f.URLs)
	return onlyIf(photos+urls > order.MaxImages, fmt.Sprintf("These are %d images (%s and %s); one order holds at most %d.",
		photos+urls, count(photos, "photo", "photos"), count(urls, "URL", "URLs"), order.MaxImages))
}

// PhotosProblem puts a sentence beside the photos, for what only the caller can know.
func PhotosProblem(view slack.View, sentence string) map[string]string {
	field := fieldPhotos
	if len(heldBy(view, field)) == 0 {
		field = fieldImages
	}
	return beside(view, field, sentence)
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

func urlProblem(urls []string) string {
	var wrong, twice []string
	for i, u := range urls {
		switch {
		case !isWeb(u):
			wrong = append(wrong, u)
		case slices.Contains(urls[:i], u) && !slices.Contains(twice, u):
			twice = append(twice, u)
		}
	}
	switch {
	case len(wrong) > 0:
		return "Not a web address (http:// or https://): " + some(wrong)
	case len(twice) > 0:
		return "Listed more than once: " + some(twice)
	case len(urls) > order.MaxImages:
		return fmt.Sprintf("These are %d images; one order holds at most %d.", len(urls), order.MaxImages)
	}
	return ""
}

// some names the first few, and how many more there are.
func some(names []string) string {
	const few = 3
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
	if view.State == nil {
		return nil
	}
	var all []held
	for id, actions := range view.State.Values {
		if name, _, _ := strings.Cut(id, ":"); name == field {
			for _, action := range actions { // a block has one
				all = append(all, held{id, action})
			}
		}
	}
	slices.SortFunc(all, func(a, b held) int {
		return cmp.Or(cmp.Compare(len(a.block), len(b.block)), cmp.Compare(a.block, b.block))
	})
	return all
}

// blockOf is the block beside which a field's problem is shown.
func blockOf(view slack.View, field string) string {
	if all := heldBy(view, field); len(all) > 0 {
		return all[0].block
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
