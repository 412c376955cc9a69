package jobs

import (
	"context"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// refImages is what the service is given.
func (b ReferenceArgs) refImages() []upstream.RefImage {
	var images []upstream.RefImage
	for _, p := range b.Photos {
		images = append(images, upstream.RefImage{URL: p.URL, Instruction: b.Instruction})
	}
	for _, u := range b.URLs {
		images = append(images, upstream.RefImage{URL: u, Instruction: b.Instruction})
	}
	return images
}

// ReferenceArgs is the body of the job that adds reference images to an order.
type ReferenceArgs struct {
	Asker
	Order       string     `json:"order"`
	Photos      []RefPhoto `json:"photos,omitempty"`
	URLs        []string   `json:"urls,omitempty"`
	Instruction string     `json:"instruction,omitempty"` // one for all
}

// sendReference does the job.
func (j *Jobs) sendReference(ctx context.Context, d *queue.Delivery, body ReferenceArgs) error {
	return j.runOutbound(ctx, &outbound{d: d, asker: body.Asker, payload: referencePayload{j, body}}, body.Order)
}

// Names are what the thread and its person call the images.
func (b ReferenceArgs) Names() []string { return b.album().Names() }

func (b ReferenceArgs) album() Album {
	return Album{Order: b.Order, User: b.User, Photos: b.Photos, URLs: b.URLs, Instruction: b.Instruction}
}

// referencePayload is reference images on their way.
type referencePayload struct {
	jobs *Jobs
	body ReferenceArgs
}

func (p referencePayload) prepare(context.Context, *outbound) (end, string, error) {
	return endNone, "", nil
}

func (p referencePayload) intent(*outbound) order.Intent {
	words := p.body.Names()
	if p.body.Instruction != "" {
		words = append(words, order.Lines(p.body.Instruction)...)
	}
	var addresses []string
	for _, image := range p.body.refImages() {
		addresses = append(addresses, image.URL)
	}
	return order.Intent{Verb: order.VerbReference, Words: words, Brings: strings.Join(addresses, " ")}
}

func (p referencePayload) send(ctx context.Context, e *outbound) (order.Order, error) {
	return p.jobs.service.AddReferences(ctx, e.order.ID, p.body.refImages())
}

func (p referencePayload) later(ctx context.Context, e *outbound) error {
	return p.jobs.shown(ctx, e, cards.ReferencesLater(e.order, p.body.Names(), p.body.View))
}

func (p referencePayload) notify(ctx context.Context, e *outbound) error {
	names, instruction, view := p.body.Names(), p.body.Instruction, p.body.View
	switch e.state.End {
	case endDelivered:
		return p.jobs.shown(ctx, e, cards.ReferencesSent(e.order, len(names), view))
	case endHidden:
		return p.jobs.shown(ctx, e, cards.ReferencesDenied(cards.NotFound(p.body.Order), names, instruction, view))
	case endGuest:
		return p.jobs.shown(ctx, e, cards.ReferencesDenied(cards.CannotPost(e.order.Owner.Channel, e.state.Why), names, instruction, view))
	}
	note, err := p.jobs.KeepAlbum(ctx, e.d.ID, p.body.album())
	if err != nil {
		return err
	}
	unsent := e.state.Unsent
	unsent.Problems = p.named(unsent.Problems)
	if why := cards.NoMessage(e.order); view != "" && why != "" {
		return p.jobs.shown(ctx, e, cards.ReferencesDenied(why, names, instruction, view))
	}
	kept := cards.ReferencesKept(e.order, names, instruction, unsent, note)
	if view != "" {
		return p.jobs.answerOr(ctx, e.asker.window(), p.again(e, unsent, note), kept)
	}
	return p.jobs.whisper(ctx, p.body.Asker, kept)
}

// again is the form with everything that was given.
func (p referencePayload) again(e *outbound, u cards.Unsent, note string) slack.ModalViewRequest {
	return cards.References(e.order, cards.RefForm{
		Photos: p.body.album().Shown(), URLs: p.body.URLs, Instruction: p.body.Instruction,
		Unsent: u, Note: note, Channel: p.body.Channel,
	}, p.body.View)
}

// named puts a photo's name in place of its address, which says nothing to people and is
// nobody else's business.
func (p referencePayload) named(problems cards.Problems) cards.Problems {
	var pairs []string
	for _, photo := range p.body.Photos {
		pairs = append(pairs, photo.URL, photo.Name)
	}
	names := strings.NewReplacer(pairs...)
	said := make(cards.Problems, len(problems))
	for i, problem := range problems {
		said[i] = names.Replace(problem)
	}
	return said
}

func (j *Jobs) referenceKind() queue.Declared {
	return queue.Kind[ReferenceArgs]{
		Name: ReferenceJob, Work: j.sendReference, Blocked: j.referenceBlocked,
		Asked: "adding reference images", Truth: truthOfOutbound, Typed: ReferenceArgs.typed,
	}.Declare()
}

func (j *Jobs) referenceBlocked(ctx context.Context, d *queue.Delivery, body ReferenceArgs) error {
	return j.outboundBlocked(ctx, &outbound{d: d, asker: body.Asker, payload: referencePayload{j, body}}, body.Order)
}

// typed is what was typed into the form or the line.
func (b ReferenceArgs) typed() string { return written(append([]string{b.Instruction}, b.URLs...)...) }
