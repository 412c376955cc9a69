package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// outcome decides how an announcement continues: it is done, waits, waits for a channel out of reach, or
// has failed.
type outcome struct {
	announcements announcements
	docs          store.Documents
	later         later
	takeover      *takeover
	outcomeAfter  time.Duration
	log           *slog.Logger
}

const (
	tryAgain       = 5 * time.Second // if Slack gives no time
	firstReachWait = time.Minute     // for a channel out of reach, doubled each time
	maxReachWait   = 2 * time.Minute
	tokenWait      = time.Minute      // longest wait for a token, which an operator replaces for all channels at once
	longReach      = 30               // tries after which waits become longer: an hour
	longReachWait  = 15 * time.Minute // wait from then on; an invitation ends it at once
)

// of returns the job's result. Only an error that waiting cannot fix uses an attempt.
func (o *outcome) of(ctx context.Context, a *announcement, err error) error {
	if errors.Is(err, store.ErrMoved) || errors.Is(err, store.ErrNotTracked) {
		return nil // the order has left this channel
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
	if errors.Is(err, client.ErrNoReadSlot) {
		err = o.awaitSlot(ctx, a, err)
	}
	return postponed(ctx, o.log, err)
}

// stepAside moves a review whose post Slack did not answer to another job, for when its outcome can be
// read. Its pictures may be the reason. The lane continues with other orders.
func (o *outcome) stepAside(ctx context.Context, a *announcement) error {
	id := fmt.Sprintf("announce:%s:g%d:aside:%d", a.id, a.generation, a.job.Now().UnixMilli())
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries, Chain: a.row, Unasked: a.state.Unasked}
	return o.later.again(ctx, a, id, next, o.outcomeAfter)
}

// awaitSlot moves the order to another job, for when its slot to read comes. The lane continues.
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

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// postponed returns a wait if Slack or the store asks for one, and other errors unchanged.
func postponed(ctx context.Context, log *slog.Logger, err error) error {
	if _, slacks := errors.AsType[*client.Error](err); queue.Away(err) && !slacks { // a client error is Slack's, not the store's
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
	if errors.Is(err, client.ErrNoReadSlot) {
		log.InfoContext(ctx, "a look waits for its turn to read", "after", after, "err", err)
		return queue.Wait(after)
	}
	log.Log(ctx, client.LogLevel(err), "slack asks to wait", "after", after, "err", err)
	return queue.Wait(after)
}

// notAllowed is a denial by a setting of the workspace.
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

// outOfReach returns why nobody can write to a channel until somebody acts.
func outOfReach(err error) (order.Denial, bool) {
	for _, denial := range reachDenials {
		if errors.Is(err, denial.err) {
			return denial.why, true
		}
	}
	return "", false
}

// wait puts the job again for when the channel may be in reach, so that the lane continues with other
// orders. It notifies the requester once, or those who may take over.
func (o *outcome) wait(ctx context.Context, a *announcement, why order.Denial, err error) error {
	o.log.WarnContext(ctx, "channel out of reach", "order", a.id, "channel", a.tracked.Owner.Channel, "err", err)
	if a.tracked.Untracked || o.tooLate(a) { // the channel has lost the order and cannot be updated
		return postponed(ctx, o.log, o.announcements.SkipPending(ctx, a.id, a.generation))
	}
	if err := o.notifyOnce(ctx, a, why); err != nil {
		return postponed(ctx, o.log, err)
	}
	return postponed(ctx, o.log, o.waitOn(ctx, a, why))
}

// endOfWait is how many tries an ended order waits for: about three months.
const endOfWait = int(90 * 24 * time.Hour / longReachWait)

// tooLate reports whether the order ended so long ago that its events are dropped.
func (o *outcome) tooLate(a *announcement) bool {
	return a.tries >= endOfWait && a.tracked.Order.Status.Final()
}

// rowSlack is how late a row's next job may be before another job starts a new row.
const rowSlack = 10 * time.Minute

// rowNote names the document with the id of the one row of jobs that waits for an order's channel.
func (o *outcome) rowNote(a *announcement) string {
	return fmt.Sprintf("reach:%s:g%d", a.id, a.generation)
}

// waitOn puts the next job of the waiting row. Other jobs of the order leave the waiting to that row, so
// there is always exactly one.
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

// waitAfter returns the wait after a number of tries. Many orders that wait for one channel must not use
// up Slack's limits.
func waitAfter(reach int, why order.Denial) time.Duration {
	switch {
	case reach >= longReach:
		return longReachWait
	case why == order.DeniedTokenRevoked:
		return min(tryAgain<<min(reach, 10), tokenWait)
	}
	return min(firstReachWait<<min(reach, 10), maxReachWait)
}

// reached ends the row that waited for the channel.
func (o *outcome) reached(ctx context.Context, a *announcement) error {
	if a.tries == 0 {
		return nil
	}
	return o.docs.Delete(ctx, o.rowNote(a))
}

// notifiedLife is how long a notification is remembered.
const notifiedLife = 30 * 24 * time.Hour

// notifyOnce notifies people once for each reason and each event that cannot be posted. If nobody can be
// notified, the next try does.
func (o *outcome) notifyOnce(ctx context.Context, a *announcement, why order.Denial) error {
	note := fmt.Sprintf("trouble:%s:g%d:a%d:%s", a.id, a.generation, a.tracked.Announced, why)
	if _, notified, err := store.Saved[bool](ctx, o.docs, note); notified || err != nil {
		return err
	}
	if notified, err := o.takeover.notify(ctx, a, why); !notified || err != nil {
		return err
	}
	return o.docs.PutTTL(ctx, note, true, notifiedLife)
}

type joiner interface {
	Join(ctx context.Context, channel string) error
}

// join joins a public channel. For a private one, a member must invite the app.
func join(ctx context.Context, slack joiner, log *slog.Logger, channel string) bool {
	err := slack.Join(ctx, channel)
	if err != nil {
		log.InfoContext(ctx, "channel not joined", "channel", channel, "err", err)
	}
	return err == nil
}
