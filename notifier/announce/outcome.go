package announce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

// outcome decides whether an announcement is done, waits, or has failed.
type outcome struct {
	reach        *unreachable
	later        later
	outcomeAfter time.Duration
	log          *slog.Logger
}

const (
	tryAgain    = 5 * time.Second // when Slack does not say how long
	firstWait   = time.Minute     // for a channel that is out of reach, doubled each time
	longestWait = 2 * time.Minute
	tokenWait   = time.Minute      // the longest for a token, from [tryAgain] on: it is no channel's trouble, and mended by a restart
	longReach   = 30               // tries after which nobody seems to be mending it: an hour
	rarely      = 15 * time.Minute // from then on; an invitation is heard of at once
)

// of is the result of the job. Only an error that waiting cannot mend uses an attempt.
func (o *outcome) of(ctx context.Context, a *announcement, err error) error {
	if errors.Is(err, store.ErrMoved) || errors.Is(err, store.ErrNotTracked) {
		return nil // nothing is owed here any more
	}
	if why, ok := outOfReach(err); ok {
		return o.reach.wait(ctx, a, why, err)
	}
	if errors.Is(err, bot.ErrUnknownOutcome) {
		o.log.Log(ctx, bot.LogLevel(err), "outcome of a post unknown", "order", a.id, "err", err)
		if len(a.asked) > 0 {
			return postponed(ctx, o.log, o.stepAside(ctx, a))
		}
		return queue.Wait(o.outcomeAfter)
	}
	if errors.Is(err, bot.ErrReadTurn) {
		err = o.awaitTurn(ctx, a, err)
	}
	return postponed(ctx, o.log, err)
}

// stepAside leaves a review whose post Slack did not answer, perhaps because of its pictures, to a job for
// when its outcome can be read: the lane goes on to the channel's other orders.
func (o *outcome) stepAside(ctx context.Context, a *announcement) error {
	id := fmt.Sprintf("announce:%s:g%d:aside:%d", a.id, a.generation, a.job.Now().UnixMilli())
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries, Chain: a.row, Unasked: a.state.Unasked}
	return o.later.again(ctx, a, id, next, o.outcomeAfter)
}

// awaitTurn leaves the order to a job for when it is its turn to read: the lane goes on.
func (o *outcome) awaitTurn(ctx context.Context, a *announcement, err error) error {
	after, due := turnAfter(a.job, err)
	id := fmt.Sprintf("announce:%s:g%d:read:%d", a.id, a.generation, due)
	if a.job.ID == id {
		return queue.Wait(after)
	}
	left, err := json.Marshal(a.state)
	if err != nil {
		return err
	}
	o.log.InfoContext(ctx, "news waits for its turn to look whether it is out", "order", a.id, "after", after)
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries, Chain: a.row, Left: left}
	return o.later.again(ctx, a, id, next, after)
}

// postponed waits as long as Slack asks for; other errors stay.
func postponed(ctx context.Context, log *slog.Logger, err error) error {
	if _, slacks := errors.AsType[*bot.Error](err); queue.Away(err) && !slacks { // an error of Slack, or of the way to it, is none of the record
		log.WarnContext(ctx, "the record does not answer", "err", err)
		return queue.Wait(tryAgain)
	}
	if !errors.Is(err, bot.ErrTryLater) {
		return err
	}
	after, ok := bot.RetryAfter(err)
	if !ok {
		after = tryAgain
	}
	if errors.Is(err, bot.ErrReadTurn) {
		log.InfoContext(ctx, "a look waits for its turn to read", "after", after, "err", err)
		return queue.Wait(after)
	}
	log.Log(ctx, bot.LogLevel(err), "slack asks to wait", "after", after, "err", err)
	return queue.Wait(after)
}
