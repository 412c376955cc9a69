package commands

import (
	"context"

	"darkroom/store/queue"
)

// kind is one row of the table of all kinds of job: how it is done, and what people hear
// of one that waits or can be done no more. A dead job tells only somebody who asked for
// something, in words that name it, and what truly became of it.
type kind struct {
	work queue.Handler
	// behind tells whose job stands behind one that waits for the service; nil: it stands
	// in no order's lane.
	behind func(ctx context.Context, d *queue.Delivery) error
	// asked is what somebody asked for, as in *I could not finish …*. Only one that is
	// unasked has none.
	asked   string
	unasked bool // nobody asked: its death is for operators alone
	// quiet tells that nobody asked for this one, of a kind that is asked for otherwise;
	// nil: never.
	quiet func(ctx context.Context, job queue.Job) bool
	// truth is what became of it at the service, in whole sentences; nil of an unasked one.
	truth func(queue.DeadLetter) string
	// typed is what the person typed, when it is nowhere on the screen; nil: nothing.
	typed func(queue.Job) string
	// died does what else a death asks for, and tells whether the person knows enough by
	// that; nil: nothing.
	died func(ctx context.Context, l queue.DeadLetter) bool
}

// kindTable is every kind of job that is done here.
func (c *Commands) kindTable() map[string]kind {
	return map[string]kind{
		placeJob: {
			work: c.place, asked: "placing an order", truth: truthOfPlacing, died: c.placeDied,
		},
		followJob: {work: c.showDraft, asked: "showing how an order stands", truth: always(orderStands)},
		watchJob: {
			work: c.watch, asked: "watching for an order that may still turn up",
			truth: always("I was to tell you should it turn up after all. " + orderStands),
		},
		fillJob: {work: c.fill, asked: "showing the next page of a form", truth: always("Nothing was sent by that: close the form and open it again.")},
		approveJob: {
			work: c.approve, asked: "approving an order", truth: truthOfChange, typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return c.changeBehind(ctx, d, c.approval()) },
		},
		reviseJob: {
			work: c.revise, asked: "requesting changes", truth: truthOfChange, typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return c.changeBehind(ctx, d, c.revision()) },
		},
		cancelJob: {
			work: c.cancel, asked: "canceling an order", truth: truthOfChange, typed: typedChange,
			behind: func(ctx context.Context, d *queue.Delivery) error { return c.changeBehind(ctx, d, c.cancellation()) },
		},
		messageJob:   {work: c.sendMessage, asked: "sending a message to an editor", truth: truthOfErrand, typed: typedErrand, behind: c.letterBehind},
		referenceJob: {work: c.sendReference, asked: "adding reference images", truth: truthOfErrand, typed: typedErrand, behind: c.picturesBehind},
		relayJob:     {work: c.relay, asked: "sending a message to an editor", truth: truthOfErrand, typed: typedErrand, behind: c.parcelBehind, died: c.relayDied},
		threadJob:    {work: c.settleThread, asked: "sending a message to an editor", truth: always(nothingSent), typed: typedErrand, quiet: overheard, died: c.threadDied},
		editJob: {
			work: c.edited, asked: "following the edit of a message",
			truth: always("The editor keeps the words that were sent first: write again if they should read others."), quiet: c.editedUnsent,
		},
		homeJob:   {work: c.publishHome, asked: "showing your App Home", truth: always("Nothing else is missing: open it again."), quiet: homeUnopened},
		moveJob:   {work: c.moveOrder, asked: "moving an order", truth: always("Where the order is now its card says, or `/order list`."), behind: c.moveBehind},
		joinedJob: {work: c.catchUp, unasked: true},
	}
}

// addKind declares one more kind of job.
func (c *Commands) addKind(name string, k kind) { c.kinds[name] = k }
