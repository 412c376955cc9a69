package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// outcome decides what becomes of an announcement: it is done, waits, waits for a channel out of reach, or has failed.
type outcome struct {
	announcements announcements
	docs          store.Documents
	later         later
	takeover      *takeover
	outcomeAfter  time.Duration
	log           *slog.Logger
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
		return o.wait(ctx, a, why, err)
	}
	if errors.Is(err, client.ErrUnknownOutcome) {
		o.log.Log(ctx, client.LogLevel(err), "outcome of a post unknown", "order", a.id, "err", err)
		if len(a.asked) > 0 {
			return postponed(ctx, o.log, o.stepAside(ctx, a))
		}
		return queue.Wait(o.outcomeAfter)
	}
	if errors.Is(err, client.ErrReadTurn) {
		err = o.awaitSlot(ctx, a, err)
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

// awaitSlot leaves the order to a job for when it is its turn to read: the lane goes on.
func (o *outcome) awaitSlot(ctx context.Context, a *announcement, err error) error {
	after, due := slotAfter(a.job, err)
	id := fmt.Sprintf("announce:%s:g%d:read:%d", a.id, a.generation, due)
	if a.job.ID == id {
		return queue.Wait(after)
	}
	left, err := json.Marshal(a.state)
	if err != nil {
		return err
	}
	o.log.InfoContext(ctx, "news waits for its turn to look whether it is out", "order", a.id, "after", after)
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries, Chain: a.row, EarlierState: left}
	return o.later.again(ctx, a, id, next, after)
}

// postponed waits as long as Slack asks for; other errors stay.
func postponed(ctx context.Context, log *slog.Logger, err error) error {
	if _, slacks := errors.AsType[*client.Error](err); queue.Away(err) && !slacks { // an error of Slack, or of the way to it, does not concern the record
		log.WarnContext(ctx, "the record does not answer", "err", err)
		return queue.Wait(tryAgain)
	}
	if !errors.Is(err, client.ErrTryLater) {
		return err
	}
	after, ok := client.RetryAfter(err)
	if !ok {
		after = tryAgain
	}
	if errors.Is(err, client.ErrReadTurn) {
		log.InfoContext(ctx, "a look waits for its turn to read", "after", after, "err", err)
		return queue.Wait(after)
	}
	log.Log(ctx, client.LogLevel(err), "slack asks to wait", "after", after, "err", err)
	return queue.Wait(after)
}

// notAllowed is a setting of the workspace; cards has a sentence for any reason.
const notAllowed order.Denial = "not_allowed"

var reachDenials = []struct {
	err error
	why order.Denial
}{
	{client.ErrNotInChannel, order.DeniedNotInChannel},
	{client.ErrNoChannel, order.DeniedNoChannel},
	{client.ErrArchived, order.DeniedArchived},
	{client.ErrMissingScope, order.DeniedMissingScope},
	{client.ErrToken, order.DeniedTokenRevoked},
	{client.ErrNotAllowed, notAllowed},
}

// outOfReach is why a channel cannot be written to until somebody acts.
func outOfReach(err error) (order.Denial, bool) {
	for _, denial := range reachDenials {
		if errors.Is(err, denial.err) {
			return denial.why, true
		}
	}
	return "", false
}

// wait puts the job again for when the channel may be in reach again, so that the lane goes on to the channel's other
// orders. It notifies the requester once, or those who may take over.
func (o *outcome) wait(ctx context.Context, a *announcement, why order.Denial, err error) error {
	o.log.WarnContext(ctx, "channel out of reach", "order", a.id, "channel", a.tracked.Owner.Channel, "err", err)
	if a.tracked.Untracked || o.tooLate(a) { // the channel has the order no longer, and cannot be told so
		return postponed(ctx, o.log, o.announcements.SkipPending(ctx, a.id, a.generation))
	}
	if err := o.notifyOnce(ctx, a, why); err != nil {
		return postponed(ctx, o.log, err)
	}
	return postponed(ctx, o.log, o.waitOn(ctx, a, why))
}

// endOfWait is how many tries news of an order that has ended wait for: some three months.
const endOfWait = int(90 * 24 * time.Hour / rarely)

// tooLate says that nobody waits any more for the order's news.
func (o *outcome) tooLate(a *announcement) bool {
	return a.tries >= endOfWait && a.tracked.Order.Status.Final()
}

// rowSlack is how late a job of a row may come before another job begins a new row.
const rowSlack = 10 * time.Minute

// rowNote names the document with the name of the one row of jobs that waits for an order's channel.
func (o *outcome) rowNote(a *announcement) string {
	return fmt.Sprintf("reach:%s:g%d", a.id, a.generation)
}

// waitOn puts the next job of the row that waits for the channel. Other jobs of the order leave the waiting to that row:
// it neither ends nor doubles.
func (o *outcome) waitOn(ctx context.Context, a *announcement, why order.Denial) error {
	mine := cmp.Or(a.row, a.job.ID)
	if alive, _, err := store.Saved[string](ctx, o.docs, o.rowNote(a)); err != nil || alive != "" && alive != mine {
		return err
	}
	after := waitAfter(a.tries, why)
	if err := o.docs.PutTTL(ctx, o.rowNote(a), mine, after+rowSlack); err != nil {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:reach:%d:%s", a.id, a.generation, a.tries+1, mine)
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries + 1, Chain: mine, Unsent: a.state.Unsent}
	return o.later.again(ctx, a, id, next, after)
}

// waitAfter is how long the channel is left alone after so many tries: many orders that
// wait for one channel must not use up what Slack allows the others.
func waitAfter(reach int, why order.Denial) time.Duration {
	switch {
	case reach >= longReach:
		return rarely
	case why == order.DeniedTokenRevoked:
		return min(tryAgain<<min(reach, 10), tokenWait)
	}
	return min(firstWait<<min(reach, 10), longestWait)
}

// reached ends the row that waited for the channel.
func (o *outcome) reached(ctx context.Context, a *announcement) error {
	if a.tries == 0 {
		return nil
	}
	return o.docs.Delete(ctx, o.rowNote(a))
}

// toldLife is how long it is remembered that somebody was told.
const toldLife = 30 * 24 * time.Hour

// notifyOnce notifies somebody once for each reason and each news that cannot be posted. If nobody can be notified now,
// the next try does.
func (o *outcome) notifyOnce(ctx context.Context, a *announcement, why order.Denial) error {
	note := fmt.Sprintf("trouble:%s:g%d:a%d:%s", a.id, a.generation, a.tracked.Announced, why)
	if _, told, err := store.Saved[bool](ctx, o.docs, note); told || err != nil {
		return err
	}
	if told, err := o.takeover.notify(ctx, a, why); !told || err != nil {
		return err
	}
	return o.docs.PutTTL(ctx, note, true, toldLife)
}

type joiner interface {
	Join(ctx context.Context, channel string) error
}

// join works for public channels only; to a private one somebody must invite us.
func join(ctx context.Context, slack joiner, log *slog.Logger, channel string) bool {
	err := slack.Join(ctx, channel)
	if err != nil {
		log.InfoContext(ctx, "channel not joined", "channel", channel, "err", err)
	}
	return err == nil
}
