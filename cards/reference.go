package cards

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldInstruction = "instruction"

// RefPhoto is a photo in Slack that somebody wants to give as reference. Problem is why
// it cannot be given, a sentence of ours; "" = it can.
type RefPhoto struct {
	Name    string
	Problem string
}

// RefForm is the form for reference images: what it shows, and what came back.
type RefForm struct {
	Order       string // when it came back
	Intro       string // a sentence of ours, safe as it is
	Photos      []RefPhoto
	URLs        []string
	Instruction string
	Unsent      Unsent
	Note        string // where the photos are kept
	Channel     string // where the form was opened
}

// DecodeReference reads a submitted form, without what only its note keeps; photos is how many
// these are. The problems are by block id.
func DecodeReference(view slack.View, photos int) (RefForm, map[string]string) {
	meta := DecodeMeta(view.PrivateMetadata)
	f := RefForm{
		Order: chosenOrder(view), Note: meta.Note, Channel: meta.Channel,
		URLs: addresses(textOf(view, fieldImages)), Instruction: strings.TrimSpace(textOf(view, fieldInstruction)),
	}
	problems := map[string]string{}
	if f.Order == "" {
		problems[blockOf(view, fieldOrder)] = "Choose the order that these images are for."
	}
	if problem := ReferenceProblem(f.URLs, photos); problem != "" {
		problems[blockOf(view, fieldImages)] = problem
	}
	return f, problems
}

// ReferenceProblem says what is wrong with the URLs of reference images, which come with
// as many photos; "" = nothing.
func ReferenceProblem(urls []string, photos int) string {
	if len(urls) == 0 && photos == 0 {
		return "Give at least one image URL."
	}
	if problem := urlProblem(urls); problem != "" && len(urls) <= order.MaxImages {
		return problem
	}
	n := len(urls) + photos
	return onlyIf(n > order.MaxImages, fmt.Sprintf("These are %d images; at most %d can be added at once.", n, order.MaxImages))
}

// References is the form for reference images. Without an order it is chosen in it.
func References(t store.Tracked, f RefForm, externalID string) slack.ModalViewRequest {
	p := &builder{}
	if t.ID != "" {
		p.say("Images that show the editor of *" + project(t) + "* what you mean:")
	} else {
		p.chooseOrder("reference")
	}
	p.say(f.Intro)
	p.unsent(f.Unsent, "Your reference images were")
	p.photos(f.Photos)
	p.boxes(fieldImages, "Image URLs", "One per line. Anyone must be able to open them.", fill(f.URLs), func(part int) string {
		return blockID(fieldImages, 0, part)
	})
	p.put(ask(blockID(fieldInstruction, 0, 0), "Instruction", "What the editor should look at: one for all these images.",
		multiline(fieldInstruction, f.Instruction, maxInput)).WithOptional(true))
	meta := Meta{Order: t.ID, Note: f.Note, Channel: f.Channel}
	return p.form(TitleReference, "Add", CallbackReference, externalID, meta)
}

// photos lists those that can be given, then the others with the reason.
func (p *builder) photos(photos []RefPhoto) {
	var can, cannot []string
	for _, photo := range photos {
		name := inline(orElse(photo.Name, "a file without a name"), 150)
		if photo.Problem == "" {
			can = append(can, name)
		} else {
			cannot = append(cannot, name+": "+photo.Problem)
		}
	}
	p.chunks("*Photos*", can).chunks("These cannot be added:", cannot)
}

// chunks adds rows under a headline in paragraphs of ten.
func (p *builder) chunks(headline string, rows []string) *builder {
	for chunk := range slices.Chunk(rows, 10) {
		p.bullets(headline, chunk)
		headline = ""
	}
	return p
}

// ReferencesLater says that the service does not answer: they are added when it does.
func ReferencesLater(t store.Tracked, images []string, externalID string) slack.ModalViewRequest {
	return window("The photo service does not answer just now. Nothing is lost: I add your reference images to *"+project(t)+"* as soon as the service is back, and only once.").
		kept("Your images:", strings.Join(images, "\n")).
		note("There is nothing for you to do. If anything goes wrong you are told.").
		modal(TitleReference, externalID, metaOf(t))
}

// ReferencesSent is the good end.
func ReferencesSent(t store.Tracked, images int, externalID string) slack.ModalViewRequest {
	return windowOn(TitleReference, "Everybody in {channel} can see it in the order's thread.",
		":white_check_mark: Added to {order}: "+count(images, "reference image", "reference images")+".")(t, externalID)
}

// ReferencesDenied says in a sentence of ours, safe as it is, why nothing was added; what
// was given is shown to be copied.
func ReferencesDenied(sentence string, images []string, instruction, externalID string) slack.ModalViewRequest {
	return window(":warning: "+sentence).kept("Your images:", strings.Join(images, "\n")).
		kept("Your instruction:", instruction).modal(TitleReference, externalID, Meta{})
}

// ReferencesKept is the same as a message, with the service's reasons; its button opens
// the form with what note keeps.
func ReferencesKept(t store.Tracked, images []string, instruction string, u Unsent, note string) Message {
	return new(builder).unsent(u, "Your reference images for *"+project(t)+"* were").
		kept("Your images:", strings.Join(images, "\n")).kept("Your instruction:", instruction).
		buttons(press("Add as reference", ActionAttach, note)).message()
}

// Sentences about photos that cannot be given as reference.
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
