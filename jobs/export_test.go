package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// What tests outside the package need of its inside: how long and how often, and what a crash
// leaves behind.
const (
	AckTime     = answers.AckTime
	GoneLook    = job.GoneLook
	FixPatience = answers.FixPatience
	MostPages   = mostPages
	MostSends   = mostSends
	MostTries   = mostTries
	SettleAfter = settleAfter
	ThreadDoubt = threadDoubt
	ThreadPause = threadPause

	EndGuest  = endGuest
	EndHidden = endHidden

	WatchJob = job.Watch
)

var (
	Looks   = looks
	Watches = watches
)

type (
	ChangeState   = changeState
	OutboundState = outboundState
	PlaceArgs     = placeArgs
	PlaceState    = placeState
	Relayed       = relayed
	WatchArgs     = watchArgs
)

// OrReal returns the waits with the real one for each that is zero.
func (w Waits) OrReal() Waits { return w.orReal() }

// RelayNote names the note of a message.
func RelayNote(team, channel, ts string) string { return relayNote(team, channel, ts) }

// GiveUp leaves the draft to the person.
func (j *Jobs) GiveUp(ctx context.Context, d store.Draft) error { return j.Watch.giveUp(ctx, &d) }

// Moved moves the order, and is what the person sees then.
func (j *Jobs) Moved(ctx context.Context, body MoveArgs, first bool) (slack.ModalViewRequest, error) {
	return j.Move.moved(ctx, body, first)
}

// NameOrder gives the draft its reference and its name.
func (j *Jobs) NameOrder(ctx context.Context, d *store.Draft, forgotten bool) (fresh bool, err error) {
	return j.Place.nameOrder(ctx, d, forgotten)
}

// TellBlocked tells whoever put the job that it waits behind another.
func (j *Jobs) TellBlocked(ctx context.Context, job queue.Job) error {
	return j.Waiting.NotifyBlocked(ctx, job)
}
