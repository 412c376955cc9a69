package jobs

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot"
	"darkroom/store/queue"
)

// The kinds of job that are done here.
const (
	ApproveJob      = "approve"
	BatchJob        = "batch" // many orders are placed, and told of as one
	CancelJob       = "cancel"
	CheckBatchJob   = "check"            // a file of orders is read, and shown before anything is sent
	JoinedJob       = "joined"           // a channel that the app joins again is told what it missed
	DeferredViewJob = "fill"             // a view replaces the one that said it was loading
	DisconnectJob   = "disconnect"       // the workspace's account is taken away
	ExportJob       = "export"           // somebody is sent a copy of the workspace's data
	ForgetJob       = "forget-workspace" // and it is forgotten
	EditJob         = "edit"             // the edit of what was relayed is followed
	followJob       = "follow"           // a window shows how its draft stands
	forgottenJob    = "forgotten"        // it is told that an order was found by its card
	HeldJob         = "held"             // what an approver decided about an order is done
	HomeJob         = "home"             // a person's Home is published
	MessageJob      = "message"
	MoveJob         = "move"
	PlaceJob        = "place" // an order is placed
	ReferenceJob    = "reference"
	repaintJob      = "repaint" // the answer to a form is painted once more
	RelayJob        = "relay"   // what was said in Slack goes to an editor
	ReviseJob       = "revise"
	SelectedJob     = "selected"  // a window shows how several approvals stand
	slackBackJob    = "slackback" // operators hear of an outage of Slack
	threadJob       = "thread"    // the order is found in whose thread something was said
	watchJob        = "watch"     // an order that was given up is looked for
)

// Work does one job; it is a [queue.Handler]. An outage of Slack, Redis or the service
// uses up nobody's attempt: the job waits for its end.
func (j *Jobs) Work(ctx context.Context, d *queue.Delivery) error {
	if id, is := strings.CutPrefix(d.Lane, "order:"); is {
		namesOrder(ctx, id)
	}
	k, _ := j.kinds.Kind(d.Kind)
	dropped, err := j.waitForAccount(ctx, d)
	if dropped {
		return nil
	}
	if err == nil {
		err = k.Work(ctx, d)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	if bot.Mendable(err) {
		return j.waitForMend(ctx, d, err)
	}
	if !outage(err) {
		return err
	}
	j.log.Log(ctx, bot.LogLevel(err), "job waits for an outage to end", "job", d.ID, "kind", d.Kind, "err", err)
	return queue.Wait(outageWait(err))
}

// namesOrder tells the span in hand which order it is about, so that an order's traces are found by its id.
func namesOrder(ctx context.Context, id string) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.order", id))
	}
}

// declared are the kinds of job that are done here, one for each deed, each declared in the deed's
// file.
func (j *Jobs) declared() []queue.Declared {
	return []queue.Declared{
		j.placeKind(), j.followKind(), j.watchKind(), j.deferredViewKind(), j.repaintKind(), j.heldKind(),
		j.changeKind(approval), j.changeKind(revision), j.changeKind(cancellation), j.selectedKind(),
		j.messageKind(), j.referenceKind(), j.relayKind(), j.threadKind(), j.editKind(),
		j.homeKind(), j.moveKind(), j.catchUpKind(),
		j.slackBackKind(), j.forgottenKind(), j.checkBatchKind(), j.batchKind(),
		j.disconnectKind(), j.exportKind(), j.forgetKind(),
	}
}

// Kinds are all kinds of job that are declared. One that is done elsewhere is added here to be under
// the same rules: an outage waits, a dead one is told.
func (j *Jobs) Kinds() *queue.Registry { return &j.kinds }
