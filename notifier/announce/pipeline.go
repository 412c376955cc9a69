package announce

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
)

// stage updates one part of a channel.
type stage interface {
	exec(ctx context.Context, a *announcement) error
}

// errReread ends a pass because the stage changed the stored order.
var errReread = errors.New("the order has changed")

// pipeline announces one order: each pass reads it and runs the stages.
type pipeline struct {
	stages   []stage // of one pass, in order
	settle   *settleStage
	card     *cardStage
	record   *record
	previews *previewFill
	sheets   *sheetFill
	inspect  *inspection
	outcome  *outcome
	slack    joiner
	log      *slog.Logger
}

// maxPasses bounds how often one delivery follows an order that keeps changing. Every change has put its
// own job.
const maxPasses = 10

// handle does a [store.AnnounceKind] job: it updates one order's card and thread. It must run in the lane
// of the order's channel.
func (p *pipeline) handle(ctx context.Context, d *queue.Delivery, job store.AnnounceJob) error {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.order", job.Order))
	}
	state, err := savedState[jobState](d)
	if err != nil {
		return err
	}
	state.Unsent = cmp.Or(state.Unsent, job.Unsent)
	a := &announcement{
		job: d, id: job.Order, generation: job.Generation, state: state,
		refresh: job.Refresh || state.Refresh, tries: job.Reach, row: job.Chain, deleted: job.Deleted,
	}
	if job.Previews > 0 { // in its own lane, without an edit of the card
		return p.filled(ctx, a, p.previews.exec(ctx, a, job))
	}
	if job.Sheets > 0 {
		return p.filled(ctx, a, p.sheets.exec(ctx, a, job.Sheets))
	}
	if job.Inspect > 0 {
		return p.filled(ctx, a, p.inspect.exec(ctx, a, job.Inspect))
	}
	if a.state.Unasked == nil {
		a.state.Unasked = job.Unasked
	}
	if err := p.card.showAfterInterrupted(ctx, a); err != nil {
		return err // the next delivery counts as interrupted, too
	}
	err = p.work(ctx, a)
	if errors.Is(err, client.ErrNotInChannel) && join(ctx, p.slack, p.log, a.tracked.Owner.Channel) {
		err = p.work(ctx, a)
	}
	if err == nil {
		err = p.outcome.reached(ctx, a)
	}
	if err == nil {
		err = p.outcome.later.updateBatch(ctx, d, a.tracked.Owner.Team, a.tracked.Owner.Channel, a.tracked.Batch)
	}
	return p.outcome.of(ctx, a, err)
}

// work updates the channel, then the reviews, and then the card again if they changed it.
func (p *pipeline) work(ctx context.Context, a *announcement) error {
	for range maxPasses {
		current, err := p.pass(ctx, a)
		if err != nil {
			return err
		}
		if current {
			break
		}
	}
	if err := p.settle.exec(ctx, a); err != nil || !a.refresh {
		return err
	}
	if err := p.record.read(ctx, a); err != nil {
		return err
	}
	return p.card.show(ctx, a)
}

// pass runs the stages once, unless the channel is current.
func (p *pipeline) pass(ctx context.Context, a *announcement) (current bool, err error) {
	if err := p.record.read(ctx, a); err != nil {
		return false, err
	}
	if a.current() && !a.refresh && !a.outcomeUnknown() {
		return true, nil
	}
	for _, s := range p.stages {
		if err := s.exec(ctx, a); errors.Is(err, errReread) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return false, nil
}

// filled returns the result of a job that fills in pictures. A reply that cannot be edited keeps its
// links.
func (p *pipeline) filled(ctx context.Context, a *announcement, err error) error {
	_, away := outOfReach(err)
	if away || isAny(err, store.ErrMoved, store.ErrNotTracked, client.ErrGone, client.ErrNotEditable, client.ErrPayload) {
		p.log.InfoContext(ctx, "previews left out", "order", a.id, "err", err)
		return nil
	}
	return postponed(ctx, p.log, err)
}
