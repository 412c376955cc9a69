package jobs

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot/client"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Work does one job; it is a [queue.Handler]. An outage of Slack, Redis or the service uses up no attempt: the job
// waits until it is over.
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
	if client.NeedsOperator(err) {
		return j.waitForFix(ctx, d, err)
	}
	if !job.Outage(err) {
		return err
	}
	j.log.Log(ctx, client.LogLevel(err), "job waits for an outage to end", "job", d.ID, "kind", d.Kind, "err", err)
	return queue.Wait(job.OutageWait(err))
}

// namesOrder adds the order's id to the current span, so that its traces can be found by it.
func namesOrder(ctx context.Context, id string) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.order", id))
	}
}

// declared returns the kinds of job that are done here. Each is declared in the file that does it.
func (j *Jobs) declared() []queue.Declared {
	return []queue.Declared{
		j.Place.placeKind(), j.Drafts.followKind(), j.Watch.watchKind(), j.Forms.DeferredKind(), j.Forms.RepaintKind(), j.Decisions.decisionKind(),
		j.Change.changeKind(approval), j.Change.changeKind(revision), j.Change.changeKind(cancellation), j.Change.selectedKind(), j.Pins.ShowKind(), j.Pins.CropsKind(),
		j.Talk.messageKind(), j.Talk.referenceKind(), j.Talk.relayKind(), j.Threads.threadKind(), j.Edits.editKind(),
		j.Home.Kind(), j.Move.moveKind(), j.catchUpKind(),
		j.slackBackKind(), j.Forgotten.forgottenKind(), j.Batches.CheckKind(), j.Batches.Kind(),
		j.Disconnect.DisconnectKind(), j.Disconnect.ExportKind(), j.Disconnect.ForgetKind(),
	}
}

// Kinds returns all declared kinds of job. Kinds that other packages do are added to it, and follow the same rules: a
// job waits for the end of an outage, and its person is notified when it is a dead letter.
func (j *Jobs) Kinds() *queue.Registry { return &j.kinds }
