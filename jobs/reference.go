package jobs

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// ReferenceArgs is the body of the job that adds reference images to an order.
type ReferenceArgs struct {
	answers.Asker
	Order       string             `json:"order"`
	Photos      []answers.RefPhoto `json:"photos,omitempty"`
	URLs        []string           `json:"urls,omitempty"`
	Instruction string             `json:"instruction,omitempty"` // for images without their own

	Each map[string]string `json:"each,omitempty"` // instruction of an image, by its address

	Marked bool `json:"marked,omitempty"` // crops of a request whose words the editor has
}

// putCrops puts the job that adds the marked crops of a request.
func (j *Talk) putCrops(ctx context.Context, id string, a answers.Asker, crops answers.Album) error {
	args := ReferenceArgs{Asker: a, Order: crops.Order, Photos: crops.Photos, Each: crops.Each, Marked: true}
	return j.putter.Put(ctx, job.Reference, id, "order:"+crops.Order, args)
}

// Names returns the images' names for people.
func (b ReferenceArgs) Names() []string { return b.album().Names() }

func (b ReferenceArgs) album() answers.Album {
	return answers.Album{Order: b.Order, User: b.User, Photos: b.Photos, URLs: b.URLs, Instruction: b.Instruction, Each: b.Each}
}

// typed returns the text of the form or the line.
func (b ReferenceArgs) typed() string {
	return job.Written(append([]string{b.instructions()}, b.URLs...)...)
}

// instructions returns all instructions as people read them. An image's own instruction follows its name.
func (b ReferenceArgs) instructions() string {
	if len(b.Each) == 0 {
		return b.Instruction
	}
	names := b.Names()
	var lines []string
	for i, address := range b.album().Addresses() {
		if own := b.Each[address]; own != "" {
			lines = append(lines, strconv.Itoa(i+1)+" · "+names[i]+": "+strings.Join(order.Lines(own), " · "))
		}
	}
	if b.Instruction != "" && len(lines) < len(names) {
		lines = append(lines, "All other photos: "+strings.Join(order.Lines(b.Instruction), " · "))
	}
	return strings.Join(lines, "\n")
}

func (b ReferenceArgs) to() (answers.Asker, string) { return b.Asker, b.Order }

func (b ReferenceArgs) prepare(context.Context, *outbound) (end, error) { return noEnd, nil }

func (b ReferenceArgs) intent(*outbound) order.Intent {
	words := b.Names()
	words = append(words, order.Lines(b.instructions())...)
	return order.Intent{Verb: order.VerbReference, Words: words, DedupKey: strings.Join(b.album().Addresses(), " ")}
}

func (b ReferenceArgs) send(ctx context.Context, e *outbound) (order.Order, error) {
	var images []upstream.RefImage
	for _, address := range b.album().Addresses() {
		images = append(images, upstream.RefImage{URL: address, Instruction: cmp.Or(b.Each[address], b.Instruction)})
	}
	return e.talk.service.AddReferences(ctx, e.order.ID, images)
}

func (b ReferenceArgs) later(ctx context.Context, e *outbound) error {
	if b.Marked {
		return nil
	}
	return e.talk.forms.Show(ctx, b.Asker, answers.Plain(talk.ReferencesLater(e.order, b.Names(), b.View)).About(e.order))
}

// notify tells the person how it ended. Crops are an addition to words: only a refusal of theirs is news, and a service
// that takes no references has no use for them.
func (b ReferenceArgs) notify(ctx context.Context, e *outbound) error {
	if !b.Marked {
		return notifyForm(ctx, e, b)
	}
	if e.saved.End != endReturned || e.saved.Unsent.NotOffered {
		return nil
	}
	return e.talk.forms.Show(ctx, b.Asker, answers.Plain(talk.CropsNotSent(e.order, b.unsent(e))).About(e.order))
}

func (b ReferenceArgs) sent(_ context.Context, e *outbound) (answers.Answer, error) {
	return answers.Plain(talk.ReferencesSent(e.order, len(b.Names()), b.View)).Minor(), nil
}

func (b ReferenceArgs) denied(why string) slack.ModalViewRequest {
	return talk.ReferencesDenied(why, b.Names(), b.instructions(), b.View)
}

// giveBack returns the form with everything that was given, and the same as a message.
func (b ReferenceArgs) giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, kit.Message, error) {
	unsent := b.unsent(e)
	note, err := e.talk.albums.SaveAlbum(ctx, e.Delivery.ID, b.album())
	if err == nil {
		err = e.talk.forms.SaveReturned(ctx, b.Asker, cards.SavedKey(kit.CallbackReference, kit.Meta{Order: e.order.ID}), answers.Typed{Album: b.album()})
	}
	form := talk.References(e.order, talk.RefForm{
		Photos: b.album().Shown(), URLs: b.URLs, Instruction: b.Instruction,
		Unsent: unsent, Note: note, Channel: b.Channel, Upload: e.talk.files != nil, PerImage: len(b.Each) > 0,
	}, b.View)
	return form, talk.ReferencesKept(e.order, b.Names(), b.instructions(), unsent, note), err
}

// unsent returns why nothing was sent. A photo's address is secret and means nothing to people: its name replaces it.
func (b ReferenceArgs) unsent(e *outbound) talk.Unsent {
	var pairs []string
	for _, photo := range b.Photos {
		pairs = append(pairs, photo.URL, photo.Name)
	}
	names := strings.NewReplacer(pairs...)
	u := e.saved.Unsent
	u.Problems = kit.Map(u.Problems, func(_ int, problem string) string { return names.Replace(problem) })
	return u
}

func (j *Talk) referenceKind() queue.Declared {
	return outboundKind(j, queue.Kind[ReferenceArgs]{
		Name: job.Reference, NeedsService: true, Asked: "adding reference photos", Typed: ReferenceArgs.typed,
	})
}
