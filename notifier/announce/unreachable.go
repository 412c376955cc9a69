package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	tryAgain    = 5 * time.Second // when Slack does not say how long
	firstWait   = time.Minute     // for a channel that is out of reach, doubled each time
	longestWait = 2 * time.Minute
	tokenWait   = time.Minute      // the longest for a token, from [tryAgain] on: it is no channel's trouble, and mended by a restart
	longReach   = 30               // tries after which nobody seems to be mending it: an hour
	rarely      = 15 * time.Minute // from then on; an invitation is heard of at once
)

// notAllowed is a setting of the workspace; cards has a sentence for any reason.
const notAllowed order.Denial = "not_allowed"

// jobResult is what becomes of the job. Only an error that waiting cannot mend
// uses an attempt.
func (v *announceRun) jobResult(ctx context.Context, err error) error {
	if errors.Is(err, store.ErrMoved) || errors.Is(err, store.ErrNotTracked) {
		return nil // nothing is owed here any more
	}
	if why, ok := outOfReach(err); ok {
		return v.wait(ctx, why, err)
	}
	if errors.Is(err, bot.ErrUnknownOutcome) {
		v.Log.Log(ctx, bot.LogLevel(err), "outcome of a post unknown", "order", v.id, "err", err)
		if len(v.asked) > 0 {
			return v.postponed(ctx, v.stepAside(ctx))
		}
		return queue.Wait(v.OutcomeAfter)
	}
	if errors.Is(err, bot.ErrReadTurn) {
		err = v.awaitTurn(ctx, err)
	}
	return v.postponed(ctx, err)
}

// postponed waits as long as Slack asks for; other errors stay.
func (a *Announcer) postponed(ctx context.Context, err error) error {
	if _, slacks := errors.AsType[*bot.Error](err); queue.Away(err) && !slacks { // an error of Slack, or of the way to it, is none of the record
		a.Log.WarnContext(ctx, "the record does not answer", "err", err)
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
		a.Log.InfoContext(ctx, "a look waits for its turn to read", "after", after, "err", err)
		return queue.Wait(after)
	}
	a.Log.Log(ctx, bot.LogLevel(err), "slack asks to wait", "after", after, "err", err)
	return queue.Wait(after)
}

var reachDenials = []struct {
	err error
	why order.Denial
}{
	{bot.ErrNotInChannel, order.DeniedNotInChannel},
	{bot.ErrNoChannel, order.DeniedNoChannel},
	{bot.ErrArchived, order.DeniedArchived},
	{bot.ErrMissingScope, order.DeniedMissingScope},
	{bot.ErrToken, order.DeniedTokenRevoked},
	{bot.ErrNotAllowed, notAllowed},
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

// join works for public channels only; to a private one somebody must invite us.
func (a *Announcer) join(ctx context.Context, channel string) bool {
	err := a.Slack.Join(ctx, channel)
	if err != nil {
		a.Log.InfoContext(ctx, "channel not joined", "channel", channel, "err", err)
	}
	return err == nil
}

// wait puts the job again for when the channel may be in reach again, so that the lane
// goes on to the channel's other orders, and tells the requester once why nothing is seen
// there, or who comes after them.
func (v *announceRun) wait(ctx context.Context, why order.Denial, err error) error {
	v.Log.WarnContext(ctx, "channel out of reach", "order", v.id, "channel", v.t.Owner.Channel, "err", err)
	if v.t.Untracked || v.tooLate() { // the channel has the order no longer, and cannot be told so
		return v.postponed(ctx, v.Store.SkipPending(ctx, v.id, v.generation))
	}
	if err := v.tellOnce(ctx, why); err != nil {
		return v.postponed(ctx, err)
	}
	return v.postponed(ctx, v.waitOn(ctx, why))
}

// endOfWait is how many tries news of an order that has ended wait for: some three months.
const endOfWait = int(90 * 24 * time.Hour / rarely)

// tooLate says that nobody waits any more for what the channel would be told.
func (v *announceRun) tooLate() bool { return v.reach >= endOfWait && v.t.Order.Status.Final() }

// chainSlack is how late a job of a chain may come before another job begins a chain anew.
const chainSlack = 10 * time.Minute

// chainNote holds the name of the one chain of jobs that waits for an order's channel.
func (v *announceRun) chainNote() string { return fmt.Sprintf("reach:%s:g%d", v.id, v.generation) }

// waitOn puts the next job of the chain that waits for the channel. Whatever else comes
// by for the order meanwhile leaves the waiting to that chain: it neither ends, as one
// whose jobs have the names of an earlier trouble would, nor doubles.
func (v *announceRun) waitOn(ctx context.Context, why order.Denial) error {
	mine := cmp.Or(v.chain, v.d.ID)
	if alive, _, err := store.Saved[string](ctx, v.Store, v.chainNote()); err != nil || alive != "" && alive != mine {
		return err
	}
	after := waitAfter(v.reach, why)
	if err := v.Store.PutTTL(ctx, v.chainNote(), mine, after+chainSlack); err != nil {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:reach:%d:%s", v.id, v.generation, v.reach+1, mine)
	next := store.AnnounceJob{Refresh: v.refresh, Reach: v.reach + 1, Chain: mine, Unsent: v.memory.Unsent}
	return v.again(ctx, id, next, after)
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

// reached ends the chain that waited for the channel.
func (v *announceRun) reached(ctx context.Context) error {
	if v.reach == 0 {
		return nil
	}
	return v.Store.Delete(ctx, v.chainNote())
}

// toldLife is how long it is remembered that somebody was told.
const toldLife = 30 * 24 * time.Hour

// tellOnce tells somebody, once for each reason and each news that cannot be posted.
// Who cannot be told just now is told at the next try.
func (v *announceRun) tellOnce(ctx context.Context, why order.Denial) error {
	note := fmt.Sprintf("trouble:%s:g%d:a%d:%s", v.id, v.generation, v.t.Announced, why)
	if _, told, err := store.Saved[bool](ctx, v.Store, note); told || err != nil {
		return err
	}
	if told, err := v.tellSomebody(ctx, why); !told || err != nil {
		return err
	}
	return v.Store.PutTTL(ctx, note, true, toldLife)
}
