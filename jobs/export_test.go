package jobs

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// These are the limits, waits and states that tests outside the package use.
const (
	AckTime        = answers.AckTime
	GoneTimeout    = job.GoneTimeout
	FixPatience    = answers.FixPatience
	MaxPages       = maxPages
	MaxSends       = maxSends
	MaxTries       = maxTries
	SettleAfter    = settleAfter
	ThreadPatience = threadPatience
	ThreadPause    = threadPause

	EndGuest  = endDenied
	EndHidden = endHidden

	WatchJob = job.Watch
)

var (
	Looks   = searchTimes
	Watches = watches
)

type (
	ChangeState   = changeState
	OutboundState = outboundState
	PlaceArgs     = placeArgs
	PlaceState    = placeState
	Relayed       = relayRecord
	WatchArgs     = watchArgs
)

// OrReal replaces zero waits by their constants.
func (w Waits) OrReal() Waits { return w.orReal() }

// RelayDoc names the note of a message.
func RelayDoc(team, channel, ts string) string { return relayDoc(team, channel, ts) }

// GiveUp leaves the draft to the person.
func (j *Jobs) GiveUp(ctx context.Context, d store.Draft) error { return j.Watch.giveUp(ctx, &d) }

// Moved moves the order and returns the window that the person sees.
func (j *Jobs) Moved(ctx context.Context, body MoveArgs, first bool) (slack.ModalViewRequest, error) {
	return j.Move.moved(ctx, body, first)
}

// NameOrder gives the draft its reference and its name.
func (j *Jobs) NameOrder(ctx context.Context, d *store.Draft, forgotten bool) (fresh bool, err error) {
	return j.Place.nameOrder(ctx, d, forgotten)
}

// NotifyBlocked notifies the job's person that it waits behind another.
func (j *Jobs) NotifyBlocked(ctx context.Context, job queue.Job) error {
	return j.Waiting.NotifyBlocked(ctx, job)
}
