package jobs

import (
	"context"
	"maps"

	"darkroom/bot"
	"darkroom/store/queue"
)

// Handles tells whether jobs of this kind are done here.
func (j *Jobs) Handles(kind string) bool {
	_, ok := j.kinds[kind]
	return ok
}

// Work does one job; it is a [queue.Handler]. An outage of Slack, Redis or the service
// uses up nobody's attempt: the job waits for its end.
func (j *Jobs) Work(ctx context.Context, d *queue.Delivery) error {
	err := j.kinds[d.Kind].Work(ctx, d)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if bot.Mendable(err) {
		return j.waitForMend(ctx, d, err)
	}
	if !outage(err) {
		return err
	}
	j.log.WarnContext(ctx, "job waits for an outage to end", "job", d.ID, "kind", d.Kind, "err", err)
	return queue.Wait(outageWait(err))
}

// Kind is one row of the table of all kinds of job: how it is done, and what people hear
// of one that waits or can be done no more. A dead job tells only somebody who asked for
// something, in words that name it, and what truly became of it.
type Kind struct {
	Work queue.Handler
	// behind tells whose job stands behind one that waits for the service; nil: it stands
	// in no order's lane.
	behind func(ctx context.Context, d *queue.Delivery) error
	// Asked is what somebody asked for, as in *I could not finish …*. Only one that is
	// unasked has none.
	Asked   string
	Unasked bool // nobody asked: its death is for operators alone
	// quiet tells that nobody asked for this one, of a kind that is asked for otherwise;
	// nil: never.
	quiet func(ctx context.Context, job queue.Job) bool
	// Truth is what became of it at the service, in whole sentences; nil of an unasked one.
	Truth func(queue.DeadLetter) string
	// Typed is what the person typed, when it is nowhere on the screen; nil: nothing.
	Typed func(queue.Job) string
	// died does what else a death asks for, and tells whether the person knows enough by
	// that; nil: nothing.
	died func(ctx context.Context, l queue.DeadLetter) bool
}

// kindTable is every kind of job that is done here.
func (j *Jobs) kindTable() map[string]Kind {
	return map[string]Kind{
		PlaceJob: {
			Work: j.Place, Asked: "placing an order", Truth: truthOfPlacing, died: j.placeDied,
		},
		followJob: {Work: j.showDraft, Asked: "showing how an order stands", Truth: Always(orderStands)},
		WatchJob: {
			Work: j.Watch, Asked: "watching for an order that may still turn up",
			Truth: Always("I was to tell you should it turn up after all. " + orderStands),
		},
		DeferredViewJob: {Work: j.showDeferred, Asked: "showing the next page of a form", Truth: Always("Nothing was sent by that: close the form and open it again.")},
		ApproveJob: {
			Work: j.approve, Asked: "approving an order", Truth: truthOfChange, Typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return j.changeBlocked(ctx, d, j.approval()) },
		},
		ReviseJob: {
			Work: j.Revise, Asked: "requesting changes", Truth: truthOfChange, Typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return j.changeBlocked(ctx, d, j.revision()) },
		},
		CancelJob: {
			Work: j.cancel, Asked: "canceling an order", Truth: truthOfChange, Typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return j.changeBlocked(ctx, d, j.cancellation()) },
		},
		MessageJob:   {Work: j.sendMessage, Asked: "sending a message to an editor", Truth: truthOfOutbound, Typed: typedOutbound, behind: j.messageBlocked},
		ReferenceJob: {Work: j.sendReference, Asked: "adding reference images", Truth: truthOfOutbound, Typed: typedOutbound, behind: j.referenceBlocked},
		RelayJob:     {Work: j.relay, Asked: "sending a message to an editor", Truth: truthOfOutbound, Typed: typedOutbound, behind: j.relayBlocked, died: j.relayDied},
		threadJob:    {Work: j.settleThread, Asked: "sending a message to an editor", Truth: Always(NothingSent), Typed: typedOutbound, quiet: overheard, died: j.threadDied},
		EditJob: {
			Work: j.edited, Asked: "following the edit of a message",
			Truth: Always("The editor keeps the words that were sent first: write again if they should read others."), quiet: j.editedUnsent,
		},
		HomeJob:   {Work: j.publishHome, Asked: "showing your App Home", Truth: Always("Nothing else is missing: open it again."), quiet: homeUnopened},
		MoveJob:   {Work: j.moveOrder, Asked: "moving an order", Truth: Always("Where the order is now its card says, or `/order list`."), behind: j.moveBlocked},
		JoinedJob: {Work: j.catchUp, Unasked: true},
	}
}

// Kinds are all kinds of job that are declared, by name.
func (j *Jobs) Kinds() map[string]Kind { return maps.Clone(j.kinds) }

// Add declares one more kind of job.
func (j *Jobs) Add(name string, k Kind) { j.kinds[name] = k }
