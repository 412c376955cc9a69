package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	ActionRefEach  = kit.ActionTyped + "referenceeach" // the second step asks for an instruction for each image
	TitleReference = "Add reference images"
)

// ReferencesSending shows that the images are in progress. The zero order is unknown.
func ReferencesSending(t store.Tracked, externalID string) slack.ModalViewRequest {
	return cards.WindowOn(TitleReference, "You can close this window. They appear"+cards.InTheThread,
		"Adding your reference photos"+cards.ToOrder(" to", t)+"…")(t, externalID)
}

const (
	fieldInstruction = "instruction"
	fieldRefEach     = "refeach" // whether each image has its own instruction
	fieldRefOwn      = "refown"  // one image's instruction
)

// RefPhoto is a photo in Slack to add as reference.
type RefPhoto struct {
	Name    string
	File    string // Slack file id; "": unknown
	Problem string // why it cannot be added, as a safe sentence; "": it can
}

// RefForm is the form for reference images, shown or submitted.
type RefForm struct {
	Order       string // of a submitted form
	Intro       string // a safe sentence
	Photos      []RefPhoto
	URLs        []string
	Instruction string
	Unsent      Unsent
	Note        string      // the name of the saved photos
	Channel     string      // where the form was opened
	Upload      bool        // photos can be uploaded
	Uploads     []kit.Photo // in its upload field
	PerImage    bool        // the second step comes next
}

// DecodeReference reads a submitted form. The photos saved with it are not in the view; saved is their number. The problems
// are by block id.
func DecodeReference(view slack.View, saved int) (RefForm, map[string]string) {
	f := TypedReference(view)
	problems := map[string]string{}
	if f.Order == "" {
		problems[kit.BlockOf(view, fieldOrder)] = "Choose the order that these photos are for."
	}
	if problem := ReferenceProblem(f.URLs, saved+len(f.Uploads)); problem != "" {
		problems[kit.BlockOf(view, kit.FieldImages)] = problem
	}
	return f, problems
}

// TypedReference reads a form that is being filled in.
func TypedReference(view slack.View) RefForm {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	return RefForm{
		Order: chosenOrder(view), Note: meta.Note, Channel: meta.Channel,
		URLs: kit.Addresses(kit.TextOf(view, kit.FieldImages)), Instruction: strings.TrimSpace(kit.TextOf(view, fieldInstruction)),
		Uploads: kit.Uploaded(kit.AnswerOf(view, kit.FieldPhotos)), PerImage: len(kit.AnswerOf(view, fieldRefEach).SelectedOptions) > 0,
	}
}

// UploadProblem returns a form error at the uploads.
func UploadProblem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, kit.FieldPhotos, sentence)
}

// ReferenceProblem checks the URLs of reference images; photos is the number of photos beside them. It returns "" if they are
// valid.
func ReferenceProblem(urls []string, photos int) string {
	if len(urls) == 0 && photos == 0 {
		return "Add at least one photo or photo link."
	}
	if problem := kit.URLProblem(urls); problem != "" && len(urls) <= order.MaxImages {
		return problem
	}
	n := len(urls) + photos
	return kit.OnlyIf(n > order.MaxImages, fmt.Sprintf("These are %d photos. At most %d can be added at once.", n, order.MaxImages))
}

// References returns the form for reference images. The zero order adds a menu of orders.
func References(t store.Tracked, f RefForm, externalID string) slack.ModalViewRequest {
	p := &kit.Page{}
	if t.ID != "" {
		p.Say("Photos that show the editor of *" + cards.Project(t) + "* what you mean:")
	} else {
		addOrderChoice(p, "reference")
	}
	p.Say(f.Intro)
	addUnsent(p, f.Unsent, "Your reference photos were")
	addPhotos(p, f.Photos)
	if room := min(order.MaxImages-len(f.Photos), kit.MaxUploads); f.Upload && room > 0 {
		field := slack.NewFileInputBlockElement(kit.ActionTyped + kit.FieldPhotos).WithFileTypes(kit.PictureTypes...).WithMaxFiles(room)
		p.Put(kit.Field(kit.BlockID(kit.FieldPhotos, len(f.Photos), 0), "Photos", "JPEG, PNG, TIFF, HEIC or camera raw: up to ten, 10 MB each.", field).WithOptional(true))
	}
	p.Boxes(kit.FieldImages, "Photo links", "One per line. Anyone must be able to open them.", kit.InBoxes(f.URLs), func(part int) string {
		return kit.BlockID(kit.FieldImages, 0, part)
	})
	p.Put(kit.Field(kit.BlockID(fieldInstruction, 0, 0), "Instruction", "What the editor should look at. It counts for photos without their own instruction.",
		kit.Multiline(fieldInstruction, f.Instruction, kit.MaxInput)).WithOptional(true))
	p.Put(kit.TickBox(ActionRefEach, kit.BlockID(fieldRefEach, 0, 0), "Per photo", "Write an instruction for each photo next", f.PerImage))
	submit := kit.Either(f.PerImage, "Next", "Add Photos")
	meta := kit.Meta{Order: t.ID, Note: f.Note, Channel: f.Channel}
	return kit.SavedInputs(p.Form(TitleReference, submit, kit.CallbackReference, externalID, meta))
}

// RefImage is a reference image with its instruction.
type RefImage struct {
	Name        string // "" for a URL
	File        string // Slack file id; "": not in Slack
	URL         string
	Instruction string
}

// refsPerPage bounds a page of the second step: each photo has one input, and the last page has one more.
const refsPerPage = 5

// ReferencePages returns how many pages the second step has.
func ReferencePages(photos int) int { return cards.PagesOf(photos, refsPerPage) }

// ReferenceEach is a page of the second step, from 0: an instruction for each photo, and on the last page the one for
// all others.
func ReferenceEach(t store.Tracked, images []RefImage, f RefForm, page int, externalID string) slack.ModalViewRequest {
	p := &kit.Page{Wide: true}
	p.Say("What should the editor of *" + cards.Project(t) + "* look at in each photo? Photos without their own instruction share the last one.")
	first, last := cards.PageSpan(len(images), page, refsPerPage)
	for i, image := range images[first:last] {
		name := kit.PhotoLabel(first+i, image.Name)
		if picture := kit.Thumbnail(image.File, image.Name, image.URL, name); picture != nil {
			p.Put(slack.NewSectionBlock(kit.Mrkdwn("*"+kit.Inline(name, cards.MaxCaption)+"*"), nil, picture))
		}
		p.Put(kit.Field(kit.BlockID(fieldRefOwn, first+i, 0), kit.Plain(name, kit.MaxLabel), "", kit.Multiline(fieldRefOwn, image.Instruction, maxRefInstruction)).WithOptional(true))
	}
	submit := "Next"
	if last == len(images) {
		p.Put(kit.Field(kit.BlockID(fieldInstruction, 0, 0), "All other photos", "", kit.Multiline(fieldInstruction, f.Instruction, kit.MaxInput)).WithOptional(true))
		submit = "Add Photos"
	}
	p.Note(kit.OnlyIf(ReferencePages(len(images)) > 1, fmt.Sprintf("Photos %d to %d of %d.", first+1, last, len(images))))
	return kit.SavedInputs(p.Form(TitleReference, submit, kit.CallbackReference, externalID, kit.Meta{Order: t.ID, Note: f.Note, Channel: f.Channel, Page: page + 1}))
}

// maxRefInstruction bounds one instruction, so that the job with those of 50 photos stays small.
const maxRefInstruction = 500

// ReferencePage returns the page of the second step that a view shows, from 0. It returns false for another view.
func ReferencePage(view slack.View) (page int, ok bool) {
	page = kit.DecodeMeta(view.PrivateMetadata).Page - 1
	return page, page >= 0
}

// OwnInstructions are those of one page of the second step.
type OwnInstructions struct {
	Each map[int]string // of every photo of the page, by its index; "": it has none
	All  string         // for all other photos
	Last bool           // All was asked for
}

// DecodeReferenceEach reads a page of the second step, for so many photos. It returns false for another view.
func DecodeReferenceEach(view slack.View, photos int) (own OwnInstructions, ok bool) {
	page, ok := ReferencePage(view)
	if !ok {
		return own, false
	}
	first, last := cards.PageSpan(photos, page, refsPerPage)
	own = OwnInstructions{Each: map[int]string{}, All: strings.TrimSpace(kit.TextOf(view, fieldInstruction)), Last: last == photos}
	for i := first; i < last; i++ {
		own.Each[i] = ""
	}
	for _, box := range kit.AnswersOf(view, fieldRefOwn) {
		_, at, _ := strings.Cut(box.Block, ":")
		if i, err := strconv.Atoi(at); err == nil && i >= first && i < last {
			own.Each[i] = strings.TrimSpace(box.Value)
		}
	}
	return own, true
}

// addPhotos lists the photos that can be added, then the others with their problems.
func addPhotos(p *kit.Page, photos []RefPhoto) {
	var can, cannot []string
	for _, photo := range photos {
		name := kit.Inline(cmp.Or(photo.Name, "a file without a name"), 150)
		if photo.Problem == "" {
			can = append(can, name)
		} else {
			cannot = append(cannot, name+": "+photo.Problem)
		}
	}
	addChunks(addChunks(p, "*Photos*", can), "These cannot be added:", cannot)
}

// addChunks adds rows under a headline, ten to a paragraph.
func addChunks(p *kit.Page, headline string, rows []string) *kit.Page {
	for chunk := range slices.Chunk(rows, 10) {
		p.Bullets(headline, chunk)
		headline = ""
	}
	return p
}

// ReferencesLater says that the images wait for the service.
func ReferencesLater(t store.Tracked, images []string, externalID string) slack.ModalViewRequest {
	return kit.NewWindow("The photo service does not answer just now. Nothing is lost. I add your reference photos to *"+cards.Project(t)+"* when it is back, and only once.").
		Typed("Your photos:", strings.Join(images, "\n")).
		Note("There is nothing for you to do. If anything goes wrong you are told.").
		Modal(TitleReference, externalID, cards.MetaOf(t))
}

// ReferencesSent confirms the images.
func ReferencesSent(t store.Tracked, images int, externalID string) slack.ModalViewRequest {
	return cards.WindowOn(TitleReference, "Everybody in {channel} can see it in the order's thread.",
		":white_check_mark: Added to {order}: "+kit.Count(images, "reference photo", "reference photos")+".")(t, externalID)
}

// ReferencesDenied says in a safe sentence why nothing was added, and shows the input to copy.
func ReferencesDenied(sentence string, images []string, instruction, externalID string) slack.ModalViewRequest {
	return kit.NewWindow(":warning: "+sentence).Typed("Your photos:", strings.Join(images, "\n")).
		Typed("Your instruction:", instruction).Modal(TitleReference, externalID, kit.Meta{})
}

// ReferencesKept is [ReferencesDenied] as a message, with the service's reasons. Its button opens the form
// with what note holds.
func ReferencesKept(t store.Tracked, images []string, instruction string, u Unsent, note string) kit.Message {
	return addUnsent(new(kit.Page), u, "Your reference photos for *"+cards.Project(t)+"* were").
		Typed("Your photos:", strings.Join(images, "\n")).Typed("Your instruction:", instruction).
		Buttons(kit.Button("Add Reference Images", ActionAttach, note)).Message()
}

// Reasons that a photo cannot be added.
const (
	NoPublicURL = "I cannot pass on photos from Slack until a Darkroom admin sets PUBLIC_URL. Give photo links that anyone can open."
	NotAPicture = "this is not a photo. The photo service takes JPEG, PNG, GIF, WebP, TIFF, HEIC and camera raw"
	EmptyFile   = "the file is empty, or Slack does not show it to me"
	HugeFile    = "it is larger than 200 MB"
	AwayFile    = "it is not stored in Slack"
	ForeignFile = "it is from another organization, and Slack does not show it to me. Save it and upload it yourself"
	NoAddress   = "the photo service could not fetch it from Slack"

	NamelessFile = "Slack does not tell me which file it is; post it again"
	GoneFile     = "it was deleted"
	UnknownFile  = "Slack tells me nothing about it just now; try again in a moment"
	UnreadDirect = "it was posted in a direct message that I am not in, so I cannot read it; post it in a channel that I am in and try again"
	UnreadFile   = "I am not in the conversation that it was posted in, so I cannot read it; invite me there and try again, or post it where I am"

	NoPhotos       = "That message has no photos. Give photo links instead."
	WordlessPhotos = "That message has no words to send. You can add its photos as reference photos:"
	LostPhotos     = "I no longer keep the photos of this window, so nothing was sent. Close it and use *Add as reference* in the message's menu again."
)

// CropsNotSent says that the marked crops of a request were not added, or may not have been. The editor has its words.
func CropsNotSent(t store.Tracked, u Unsent) slack.ModalViewRequest {
	says := ":warning: I could not add your marked photos to *" + cards.Project(t) + "*."
	if u.Unknown {
		says = ":warning: I do not know if your marked photos were added to *" + cards.Project(t) + "*. An earlier try was not answered."
	}
	p := kit.NewWindow(says).
		Say("The editor has your instructions, with the place of each pin in words. There is nothing for you to do.")
	if len(u.Problems) > 0 {
		p.Note("The photo service says: " + kit.InQuotes(u.Problems))
	}
	return p.Modal(TitleReference, "", cards.MetaOf(t))
}
