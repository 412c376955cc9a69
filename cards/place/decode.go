package place

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
)

// Form is a submitted order form.
type Form struct {
	Draft        string    // from private_metadata
	Attempt      int       // the draft's attempt when the form opened
	Opened       time.Time // when the draft was opened; zero: unknown
	Team, From   string    // the draft's
	Run          string    // the draft's; "": unknown, as Team and From may be
	Channel      string
	Kept         []string    // ids of saved photos that the form shows
	Photos       []kit.Photo // in its upload field
	URLs         []string
	Service      order.ServiceType
	Instructions []string
	ProjectName  string
	CustomerID   string
	More         bool // the form comes back for more photos
	PerImage     bool // the second step comes next
	LeadsOn      bool // the submit button was Next
	UploadGen    int
	Credits      string
	Options      bool            // More Options is open
	Table        bool            // the form is for an order file
	Shown        map[string]bool // the folded fields and the upload field, if they were visible
	Preset       string          // id of the preset that filled the form; "": none
	Offers       bool            // it has the preset menu
}

// Opens returns the form after a press of that button.
func (f Form) Opens(action string) Form {
	f.Options, f.Table = f.Options || action == ActionOptions, f.Table || action == ActionTable
	f.Shown[kit.FieldPhotos] = f.Shown[kit.FieldPhotos] || action == ActionAdd
	return f
}

// MayLosePhotos reports whether its upload field may hold photos that Slack did not report, and that a new form would
// not have.
func (f Form) MayLosePhotos() bool { return f.Shown[kit.FieldPhotos] && len(f.Photos) == 0 }

// Wrong maps fields to problems.
type Wrong map[string]string

// Beside returns the problems by block id, nil without problems. A problem of a field that is no input stands
// beside the photos.
func (w Wrong) Beside(view slack.View) map[string]string {
	if len(w) == 0 {
		return nil
	}
	problems := map[string]string{}
	for _, field := range slices.Sorted(maps.Keys(w)) {
		at := kit.BlockOf(view, kit.Either(kit.HasField(view, field), field, photosField(view)))
		problems[at] = kit.Join(" ", problems[at], w[field])
	}
	return problems
}

// Unplaced reports whether a problem is of a field that is no input, so that only a new form can show it there.
func (w Wrong) Unplaced(view slack.View) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(w)), func(field string) bool { return !kit.HasField(view, field) })
}

// Photos adds a problem of the photos that only the caller can know.
func (w Wrong) Photos(view slack.View, sentence string) {
	field := photosField(view)
	w[field] = kit.Join(" ", w[field], sentence)
}

// photosField returns the field that shows problems of photos. Not every form has an upload field.
func photosField(view slack.View) string {
	for _, field := range []string{kit.FieldPhotos, kit.FieldImages} {
		if kit.HasField(view, field) {
			return field
		}
	}
	return fieldInstructions
}

// Decode reads a submitted form and checks it without asking the service.
func Decode(view slack.View) (Form, Wrong) {
	f, wrong := DecodeTyped(view), Wrong{}
	for field, problem := range f.problems(view) {
		if problem != "" {
			wrong[field] = problem
		}
	}
	return f, wrong
}

// DecodeTyped reads a form that is being filled in.
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
		LeadsOn:      meta.More,
		UploadGen:    meta.UploadGen,
		Credits:      meta.Credits,
		Options:      meta.Options,
		Table:        meta.Table,
		Shown:        shownIn(view),
		Preset:       presetIn(view),
		Offers:       kit.HasField(view, fieldPreset),
	}
}

// channelOf returns the form's channel: chosen, or from its metadata. Nobody can choose no channel again.
func channelOf(view slack.View, meta kit.Meta) string {
	field := kit.Either(kit.HasField(view, fieldPostTo), fieldPostTo, fieldChannel)
	return cmp.Or(kit.AnswerOf(view, field).SelectedConversation, meta.Channel)
}

func shownIn(view slack.View) map[string]bool {
	shown := map[string]bool{}
	for _, field := range append([]string{kit.FieldPhotos}, folded...) {
		if kit.HasField(view, field) || field == fieldChannel && kit.HasField(view, fieldPostTo) {
			shown[field] = true
		}
	}
	return shown
}

// problems returns what keeps the form from being placed. A form that comes back for more photos may lack
// everything else.
func (f Form) problems(view slack.View) map[string]string {
	crowded := f.crowded()
	if f.More {
		return map[string]string{photosField(view): crowded}
	}
	problems := map[string]string{
		fieldChannel:      channelProblem(f.Channel),
		kit.FieldImages:   kit.URLProblem(f.URLs),
		fieldService:      kit.OnlyIf(f.Service != order.ServiceBasic && f.Service != order.ServiceExtensive, "Choose a service type."),
		fieldInstructions: kit.OnlyIf(len(f.Instructions) == 0, "Say what the editor should do, one instruction per line."),
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

// noImages asks for photos in every way that the form offers.
func noImages(uploads, links bool) string {
	switch {
	case !uploads:
		return "Add at least one photo link."
	case links:
		return "Add at least one photo or photo link."
	}
	return "Add at least one photo. Photo links are under More Options."
}

// crowded says that one order cannot hold all photos, or returns "".
func (f Form) crowded() string {
	photos, urls := len(f.Kept)+len(f.Photos), len(f.URLs)
	if photos+urls <= order.MaxImages {
		return ""
	}
	both := kit.Count(photos, "photo", "photos") + " and " + kit.Count(urls, "link", "links") + " are "
	return kit.Capital(kit.OnlyIf(photos > 0 && urls > 0, both)) + fmt.Sprintf("%d photos; one order holds at most %d.", photos+urls, order.MaxImages)
}

// PhotosProblem returns a form error at the photos.
func PhotosProblem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, photosField(view), sentence)
}

func channelProblem(channel string) string {
	switch {
	case channel == "":
		return "Choose the channel for the order's updates."
	case !kit.IsChannel(channel):
		return "Choose a channel. Orders cannot be in a direct message."
	}
	return ""
}

// TableAlone is the form error of a file that is not alone in its form.
const TableAlone = "A CSV file is ordered alone. Remove everything else, or the file."

// BatchTable returns what keeps the form from being read as a batch. Its other values are defaults for the
// rows.
func (f Form) BatchTable(view slack.View) Wrong {
	all, wrong := f.problems(view), Wrong{}
	for _, field := range []string{fieldChannel, fieldService, fieldProject, fieldCustomer} {
		if all[field] != "" {
			wrong[field] = all[field]
		}
	}
	if len(f.Photos)+len(f.Kept)+len(f.URLs) > 1 {
		wrong.Photos(view, TableAlone)
	}
	return wrong
}

// BatchBack leads from a batch back to its form. The zero value leads nowhere.
type BatchBack struct {
	Draft     string `json:"draft,omitempty"`
	UploadGen int    `json:"upload_gen,omitempty"` // of the form's new upload field: Slack refills a known one
	Credits   string `json:"credits,omitempty"`
	Table     bool   `json:"table,omitempty"` // the form is for an order file
}

// Back returns the way back from a file to its form.
func (f Form) Back() BatchBack { return BatchBack{f.Draft, f.UploadGen + 1, f.Credits, true} }

// LeadsBack marks a window that leads back to a form. Code reads this mark, never the title.
const LeadsBack = "back"

// Meta returns the window's metadata.
func (b BatchBack) Meta() kit.Meta {
	if b.Draft == "" {
		return kit.Meta{}
	}
	return kit.Meta{Draft: b.Draft, Note: LeadsBack, UploadGen: b.UploadGen, Credits: b.Credits, Table: b.Table}
}
