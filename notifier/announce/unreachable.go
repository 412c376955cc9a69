package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// reachStore keeps who waits for a channel, and whom the announcer told of it.
type reachStore interface {
	SkipPending(ctx context.Context, id string, generation int) error
	store.Documents
}

// unreachable waits for a channel that is out of reach.
type unreachable struct {
	store    reachStore
	later    later
	takeover *takeover
	log      *slog.Logger
}

// notAllowed is a setting of the workspace; cards has a sentence for any reason.
const notAllowed order.Denial = "not_allowed"

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

// wait puts the job again for when the channel may be in reach again, so that the lane
// goes on to the channel's other orders, and tells the requester once why nothing is seen
// there, or who comes after them.
func (u *unreachable) wait(ctx context.Context, a *announcement, why order.Denial, err error) error {
	u.log.WarnContext(ctx, "channel out of reach", "order", a.id, "channel", a.tracked.Owner.Channel, "err", err)
	if a.tracked.Untracked || u.tooLate(a) { // the channel has the order no longer, and cannot be told so
		return postponed(ctx, u.log, u.store.SkipPending(ctx, a.id, a.generation))
	}
	if err := u.notifyOnce(ctx, a, why); err != nil {
		return postponed(ctx, u.log, err)
	}
	return postponed(ctx, u.log, u.waitOn(ctx, a, why))
}

// endOfWait is how many tries news of an order that has ended wait for: some three months.
const endOfWait = int(90 * 24 * time.Hour / rarely)

// tooLate says that nobody waits any more for what the channel would be told.
func (u *unreachable) tooLate(a *announcement) bool {
	return a.tries >= endOfWait && a.tracked.Order.Status.Final()
}

// chainSlack is how late a job of a chain may come before another job begins a chain anew.
const chainSlack = 10 * time.Minute

// chainNote holds the name of the one chain of jobs that waits for an order's channel.
func (u *unreachable) rowDoc(a *announcement) string {
	return fmt.Sprintf("reach:%s:g%d", a.id, a.generation)
}

// waitOn puts the next job of the chain that waits for the channel. Whatever else comes
// by for the order meanwhile leaves the waiting to that chain: it neither ends, as one
// whose jobs have the names of an earlier trouble would, nor doubles.
func (u *unreachable) waitOn(ctx context.Context, a *announcement, why order.Denial) error {
	mine := cmp.Or(a.row, a.job.ID)
	if alive, _, err := store.Saved[string](ctx, u.store, u.rowDoc(a)); err != nil || alive != "" && alive != mine {
		return err
	}
	after := waitAfter(a.tries, why)
	if err := u.store.PutTTL(ctx, u.rowDoc(a), mine, after+chainSlack); err != nil {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:reach:%d:%s", a.id, a.generation, a.tries+1, mine)
	next := store.AnnounceJob{Refresh: a.refresh, Reach: a.tries + 1, Chain: mine, Unsent: a.state.Unsent}
	return u.later.again(ctx, a, id, next, after)
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
func (u *unreachable) reached(ctx context.Context, a *announcement) error {
	if a.tries == 0 {
		return nil
	}
	return u.store.Delete(ctx, u.rowDoc(a))
}

// toldLife is how long it is remembered that somebody was told.
const toldLife = 30 * 24 * time.Hour

// tellOnce tells somebody, once for each reason and each news that cannot be posted.
// Who cannot be told just now is told at the next try.
func (u *unreachable) notifyOnce(ctx context.Context, a *announcement, why order.Denial) error {
	note := fmt.Sprintf("trouble:%s:g%d:a%d:%s", a.id, a.generation, a.tracked.Announced, why)
	if _, told, err := store.Saved[bool](ctx, u.store, note); told || err != nil {
		return err
	}
	if told, err := u.takeover.notify(ctx, a, why); !told || err != nil {
		return err
	}
	return u.store.PutTTL(ctx, note, true, toldLife)
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
