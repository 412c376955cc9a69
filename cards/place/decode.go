package place

import (
	"fmt"
	"strings"
	"time"

	"darkroom/cards/kit"
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
	Kept         []string    // ids of the kept photos that the form shows
	Photos       []kit.Photo // in its upload field
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
var behind = map[string][]string{ActionAddresses: {kit.FieldImages}, ActionOptions: {fieldCustomer, fieldChannel}}

// Wrong is what is wrong with a submitted form, by field.
type Wrong map[string]string

// Beside puts what is wrong beside its fields in the view that was submitted; nil when nothing is.
func (w Wrong) Beside(view slack.View) map[string]string {
	var problems map[string]string
	for field, problem := range w {
		if problems == nil {
			problems = map[string]string{}
		}
		problems[kit.BlockOf(view, field)] = problem
	}
	return problems
}

// Photos adds a problem of the photos, for what only the caller can know.
func (w Wrong) Photos(view slack.View, sentence string) {
	field := photosField(view)
	w[field] = kit.Join(" ", w[field], sentence)
}

// photosField is where a problem of the photos stands: not every form has a field for them.
func photosField(view slack.View) string {
	for _, field := range []string{kit.FieldPhotos, kit.FieldImages} {
		if kit.Asks(view, field) {
			return field
		}
	}
	return fieldInstructions
}

// Decode reads a submitted form. What is wrong is found here alone: nothing was asked
// of the service.
func Decode(view slack.View) (Form, Wrong) {
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
	meta := kit.DecodeMeta(view.PrivateMetadata)
	return Form{
		Draft:        meta.Draft,
		Attempt:      meta.Attempt,
		Opened:       meta.Opened,
		Team:         meta.Team,
		From:         meta.From,
		Run:          meta.Run,
		Channel:      channelOf(view, meta),
		Kept:         meta.Photos,
		Photos:       kit.Uploaded(kit.AnswerOf(view, kit.FieldPhotos)),
		URLs:         kit.Addresses(kit.TextOf(view, kit.FieldImages)),
		Service:      order.ServiceType(kit.AnswerOf(view, fieldService).SelectedOption.Value),
		Instructions: order.Lines(kit.TextOf(view, fieldInstructions)),
		ProjectName:  kit.OneLine(kit.TextOf(view, fieldProject)),
		CustomerID:   strings.TrimSpace(kit.TextOf(view, fieldCustomer)),
		More:         len(kit.AnswerOf(view, fieldMore).SelectedOptions) > 0,
		PerImage:     len(kit.AnswerOf(view, fieldPerImage).SelectedOptions) > 0,
		Led:          meta.More,
		UploadGen:    meta.UploadGen,
		Credits:      meta.Credits,
		Shown:        shownIn(view),
		Preset:       presetIn(view),
		Offers:       kit.Asks(view, fieldPreset),
	}
}

// channelOf is the channel that a form names: in its field, or in its last line.
func channelOf(view slack.View, meta kit.Meta) string {
	if !kit.Asks(view, fieldChannel) {
		return meta.Channel
	}
	return kit.AnswerOf(view, fieldChannel).SelectedConversation
}

func shownIn(view slack.View) map[string]bool {
	shown := map[string]bool{}
	for _, field := range []string{kit.FieldImages, fieldCustomer, fieldChannel} {
		if kit.Asks(view, field) {
			shown[field] = true
		}
	}
	return shown
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
		kit.FieldImages:   kit.URLProblem(f.URLs),
		fieldService:      kit.OnlyIf(f.Service != order.ServiceBasic && f.Service != order.ServiceExtensive, "Choose a service type."),
		fieldInstructions: kit.OnlyIf(len(f.Instructions) == 0, "Say what should be done with the images, one instruction per line."),
		fieldProject:      kit.LengthProblem(f.ProjectName, order.MaxProjectName, "The project name"),
		fieldCustomer:     kit.LengthProblem(f.CustomerID, order.MaxCustomerID, "The customer ID"),
	}
	photos, at := len(f.Kept)+len(f.Photos), photosField(view)
	switch {
	case photos+len(f.URLs) == 0:
		problems[at] = kit.Join(" ", noImages(at == kit.FieldPhotos, f.Shown[kit.FieldImages]), problems[at])
	case photos == 0:
		problems[kit.FieldImages] = kit.Join(" ", problems[kit.FieldImages], crowded)
	default:
		problems[at] = kit.Join(" ", problems[at], crowded)
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
	both := " (" + kit.Count(photos, "photo", "photos") + " and " + kit.Count(urls, "URL", "URLs") + ")"
	return fmt.Sprintf("These are %d images%s; one order holds at most %d.",
		photos+urls, kit.OnlyIf(photos > 0 && urls > 0, both), order.MaxImages)
}

// PhotosProblem puts a sentence beside the photos.
func PhotosProblem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, photosField(view), sentence)
}

func channelProblem(channel string) string {
	switch {
	case channel == "":
		return "Choose the channel where the order's news should come."
	case !kit.IsChannel(channel):
		return "Choose a channel: an order cannot live in a direct message."
	}
	return ""
}
