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
		"Adding your reference images"+cards.ToOrder(" to", t)+"…")(t, externalID)
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

// DecodeReference reads a submitted form without its saved photos; photos is their number. The problems are by
// block id.
func DecodeReference(view slack.View, photos int) (RefForm, map[string]string) {
	f := TypedReference(view)
	problems := map[string]string{}
	if f.Order == "" {
		problems[kit.BlockOf(view, fieldOrder)] = "Choose the order that these images are for."
	}
	if problem := ReferenceProblem(f.URLs, photos+len(f.Uploads)); problem != "" {
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

// ReferenceProblem checks the URLs of reference images, which come with so many photos. It returns "" if they
// are valid.
func ReferenceProblem(urls []string, photos int) string {
	if len(urls) == 0 && photos == 0 {
		return "Give at least one image URL."
	}
	if problem := kit.URLProblem(urls); problem != "" && len(urls) <= order.MaxImages {
		return problem
	}
	n := len(urls) + photos
	return kit.OnlyIf(n > order.MaxImages, fmt.Sprintf("These are %d images; at most %d can be added at once.", n, order.MaxImages))
}

// References returns the form for reference images. The zero order adds a menu of orders.
func References(t store.Tracked, f RefForm, externalID string) slack.ModalViewRequest {
	p := &kit.Page{}
	if t.ID != "" {
		p.Say("Images that show the editor of *" + cards.Project(t) + "* what you mean:")
	} else {
		addOrderChoice(p, "reference")
	}
	p.Say(f.Intro)
	addUnsent(p, f.Unsent, "Your reference images were")
	addPhotos(p, f.Photos)
	if room := min(order.MaxImages-len(f.Photos), kit.MaxUploads); f.Upload && room > 0 {
		field := slack.NewFileInputBlockElement(kit.ActionTyped + kit.FieldPhotos).WithFileTypes(kit.PictureTypes...).WithMaxFiles(room)
		p.Put(kit.Field(kit.BlockID(kit.FieldPhotos, len(f.Photos), 0), "Photos", "JPEG, PNG, TIFF, HEIC or camera raw: up to ten, 10 MB each.", field).WithOptional(true))
	}
	p.Boxes(kit.FieldImages, "Image URLs", "One per line. Anyone must be able to open them.", kit.InBoxes(f.URLs), func(part int) string {
		return kit.BlockID(kit.FieldImages, 0, part)
	})
	p.Put(kit.Field(kit.BlockID(fieldInstruction, 0, 0), "Instruction", "What the editor should look at: for every image that has no instruction of its own.",
		kit.Multiline(fieldInstruction, f.Instruction, kit.MaxInput)).WithOptional(true))
	p.Put(kit.TickBox(ActionRefEach, kit.BlockID(fieldRefEach, 0, 0), "Per image", "Write an instruction for each image next", f.PerImage))
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

// ReferenceEach is the second step: an instruction for each image, with its picture while there is room.
func ReferenceEach(t store.Tracked, images []RefImage, f RefForm, externalID string) slack.ModalViewRequest {
	p := &kit.Page{Wide: true}
	p.Say("What should the editor of *" + cards.Project(t) + "* look at in each image? An image without words gets those for all other images.")
	room := kit.MaxModalBlocks - len(images) - 3
	for i, image := range images {
		name := kit.PhotoLabel(i, image.Name)
		if picture := kit.Thumbnail(image.File, image.Name, image.URL, name); picture != nil && i < room {
			p.Put(slack.NewSectionBlock(kit.Mrkdwn("*"+kit.Inline(name, cards.MaxCaption)+"*"), nil, picture))
		}
		p.Put(kit.Field(kit.BlockID(fieldRefOwn, i, 0), kit.Plain(name, kit.MaxLabel), "", kit.Multiline(fieldRefOwn, image.Instruction, maxRefInstruction)).WithOptional(true))
	}
	p.Put(kit.Field(kit.BlockID(fieldInstruction, 0, 0), "All other photos", "", kit.Multiline(fieldInstruction, f.Instruction, kit.MaxInput)).WithOptional(true))
	return kit.SavedInputs(p.Form(TitleReference, "Add Photos", kit.CallbackReference, externalID, kit.Meta{Order: t.ID, Note: f.Note, Channel: f.Channel, Page: 1}))
}

// maxRefInstruction bounds one instruction so that a view holds those of 50 images. Slack takes 250,000 bytes,
// and JSON needs six for some characters.
const maxRefInstruction = 500

// IsReferenceEach reports whether a view is the second step.
func IsReferenceEach(view slack.View) bool { return kit.DecodeMeta(view.PrivateMetadata).Page == 1 }

// DecodeReferenceEach reads the second step: instructions by image index, and the one for all others. It
// returns false for another view.
func DecodeReferenceEach(view slack.View) (each map[int]string, all string, ok bool) {
	if !IsReferenceEach(view) {
		return nil, "", false
	}
	each = map[int]string{}
	for _, box := range kit.AnswersOf(view, fieldRefOwn) {
		_, at, _ := strings.Cut(box.Block, ":")
		if i, err := strconv.Atoi(at); err == nil && strings.TrimSpace(box.Value) != "" {
			each[i] = strings.TrimSpace(box.Value)
		}
	}
	return each, strings.TrimSpace(kit.TextOf(view, fieldInstruction)), true
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
	return kit.NewWindow("The photo service does not answer just now. Nothing is lost: I add your reference images to *"+cards.Project(t)+"* as soon as the service is back, and only once.").
		Typed("Your images:", strings.Join(images, "\n")).
		Note("There is nothing for you to do. If anything goes wrong you are told.").
		Modal(TitleReference, externalID, cards.MetaOf(t))
}

// ReferencesSent confirms the images.
func ReferencesSent(t store.Tracked, images int, externalID string) slack.ModalViewRequest {
	return cards.WindowOn(TitleReference, "Everybody in {channel} can see it in the order's thread.",
		":white_check_mark: Added to {order}: "+kit.Count(images, "reference image", "reference images")+".")(t, externalID)
}

// ReferencesDenied says in a safe sentence why nothing was added, and shows the input to copy.
func ReferencesDenied(sentence string, images []string, instruction, externalID string) slack.ModalViewRequest {
	return kit.NewWindow(":warning: "+sentence).Typed("Your images:", strings.Join(images, "\n")).
		Typed("Your instruction:", instruction).Modal(TitleReference, externalID, kit.Meta{})
}

// ReferencesKept is [ReferencesDenied] as a message, with the service's reasons. Its button opens the form
// with what note holds.
func ReferencesKept(t store.Tracked, images []string, instruction string, u Unsent, note string) kit.Message {
	return addUnsent(new(kit.Page), u, "Your reference images for *"+cards.Project(t)+"* were").
		Typed("Your images:", strings.Join(images, "\n")).Typed("Your instruction:", instruction).
		Buttons(kit.Button("Add Reference Images", ActionAttach, note)).Message()
}

// Reasons that a photo cannot be added.
const (
	NoPublicURL = "Photos cannot be taken from Slack here: I have no public address at which the service could fetch them. Give URLs that anyone can open instead."
	NotAPicture = "this is no picture that the service takes; JPEG, PNG, GIF, WebP, TIFF, HEIC and camera raw are"
	EmptyFile   = "the file is empty, or Slack does not show it to me"
	HugeFile    = "it is larger than 200 MB"
	AwayFile    = "it is not stored in Slack"
	ForeignFile = "it is from another organisation, and Slack does not show it to me; save it and upload it yourself"
	NoAddress   = "the service could not fetch it from Slack"

	NamelessFile = "Slack does not tell me which file it is; post it again"
	GoneFile     = "it was deleted"
	UnknownFile  = "Slack tells me nothing about it just now; try again in a moment"
	UnreadDirect = "it was posted in a direct message that I am not in, so I cannot read it; post it in a channel that I am in and try again"
	UnreadFile   = "I am not in the conversation that it was posted in, so I cannot read it; invite me there and try again, or post it where I am"

	NoPhotos       = "That message has no photos. Give image URLs instead."
	WordlessPhotos = "That message has no words to send. Its images can be given as reference:"
	LostPhotos     = "I no longer keep the photos of this window, so nothing was sent. Close it and use *Add as reference* in the message's menu again."
)
