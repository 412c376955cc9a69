package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

const referenceJob = "reference"

// referencing is the body of the job that adds reference images to an order.
type referencing struct {
	asker
	Order       string     `json:"order"`
	Photos      []refPhoto `json:"photos,omitempty"`
	URLs        []string   `json:"urls,omitempty"`
	Instruction string     `json:"instruction,omitempty"` // one for all
}

// sendReference does the job.
func (c *Commands) sendReference(ctx context.Context, d *queue.Delivery) error {
	var body referencing
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	return c.run(ctx, &errand{d: d, asker: body.asker, cargo: pictures{c, body}}, body.Order)
}

// names are what the thread and its person call the images.
func (b referencing) names() []string { return b.album().names() }

func (b referencing) album() album {
	return album{Order: b.Order, User: b.User, Photos: b.Photos, URLs: b.URLs, Instruction: b.Instruction}
}

// pictures are reference images on their way.
type pictures struct {
	c    *Commands
	body referencing
}

func (p pictures) ready(context.Context, *errand) (end, string, error) { return endNone, "", nil }

func (p pictures) intent(*errand) order.Intent {
	words := p.body.names()
	if p.body.Instruction != "" {
		words = append(words, order.Lines(p.body.Instruction)...)
	}
	var addresses []string
	for _, image := range p.body.refImages() {
		addresses = append(addresses, image.URL)
	}
	return order.Intent{Verb: order.VerbReference, Words: words, Brings: strings.Join(addresses, " ")}
}

func (p pictures) bring(ctx context.Context, e *errand) (order.Order, error) {
	return p.c.service.AddReferences(ctx, e.order.ID, p.body.refImages())
}

func (p pictures) later(ctx context.Context, e *errand) error {
	return p.c.shown(ctx, e, cards.ReferencesLater(e.order, p.body.names(), p.body.View))
}

func (p pictures) told(ctx context.Context, e *errand) error {
	names, instruction, view := p.body.names(), p.body.Instruction, p.body.View
	switch e.state.End {
	case endDelivered:
		return p.c.shown(ctx, e, cards.ReferencesSent(e.order, len(names), view))
	case endHidden:
		return p.c.shown(ctx, e, cards.ReferencesDenied(cards.NotFound(p.body.Order), names, instruction, view))
	case endGuest:
		return p.c.shown(ctx, e, cards.ReferencesDenied(cards.CannotPost(e.order.Owner.Channel, e.state.Why), names, instruction, view))
	}
	note, err := p.c.keepAlbum(ctx, e.d.ID, p.body.album())
	if err != nil {
		return err
	}
	unsent := e.state.Unsent
	unsent.Problems = p.named(unsent.Problems)
	if why := cards.NoMessage(e.order); view != "" && why != "" {
		return p.c.shown(ctx, e, cards.ReferencesDenied(why, names, instruction, view))
	}
	kept := cards.ReferencesKept(e.order, names, instruction, unsent, note)
	if view != "" {
		return p.c.answerOr(ctx, e.asker.window(), p.again(e, unsent, note), kept)
	}
	return p.c.whisper(ctx, p.body.asker, kept)
}

// again is the form with everything that was given.
func (p pictures) again(e *errand, u cards.Unsent, note string) slack.ModalViewRequest {
	return cards.References(e.order, cards.RefForm{
		Photos: p.body.album().shown(), URLs: p.body.URLs, Instruction: p.body.Instruction,
		Unsent: u, Note: note, Channel: p.body.Channel,
	}, p.body.View)
}

// named puts a photo's name in place of its address, which says nothing to people and is
// nobody else's business.
func (p pictures) named(problems cards.Problems) cards.Problems {
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
