package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// Finder finds the order that a person means, if they may see it.
type Finder struct {
	orders     *store.Orders
	access     *access.Control
	liveOrders *job.Orders
	threads    *Threads
	log        *slog.Logger
}

// ErrNotFound says that an order does not exist, or that the person may not see it.
var ErrNotFound = errors.New("no such order")

// ErrOtherWorkspace is an [ErrNotFound] for an order of another workspace, whose message was used in a shared channel.
var ErrOtherWorkspace = fmt.Errorf("%w: it is another workspace's", ErrNotFound)

// isOtherWorkspace reports whether the app's message m is about an order of a workspace other than team. Order ids do not
// tell: two accounts may have equal ones.
func (j *Threads) isOtherWorkspace(team string, m *slack.Message) bool {
	if m == nil || !j.account.Connectable() { // an app for one workspace or one organisation has one set of orders
		return false
	}
	owner := cards.TeamOf(*m)
	return owner != "" && owner != team
}

// IsOtherWorkspace reports whether a button was pressed on a message about another workspace's order.
func (j *Finder) IsOtherWorkspace(r bot.Request) bool {
	return j.threads.isOtherWorkspace(r.Team, r.Message)
}

// Visible returns the order with this id or reference, or [ErrNotFound].
func (j *Finder) Visible(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if j.IsOtherWorkspace(r) {
		return store.Tracked{}, ErrOtherWorkspace
	}
	t, err := j.orders.Find(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		t, err = j.byMessage(ctx, r, id)
	}
	if err != nil {
		return t, err
	}
	switch see, err := j.access.CanSee(ctx, r, t); {
	case err != nil:
		return t, err
	case !see:
		return t, ErrNotFound
	}
	t, err = j.liveOrders.RefetchGoneBriefly(ctx, t)
	if err != nil {
		j.log.WarnContext(ctx, "an order that is gone was not looked for", "order", t.ID, "err", err)
	}
	return t, nil
}

// byMessage finds the order of a pressed button by the card of the button's thread.
func (j *Finder) byMessage(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if r.Kind != bot.KindAction || r.Message == nil || r.Channel == "" {
		return store.Tracked{}, ErrNotFound
	}
	if ours, err := j.threads.IsOurs(ctx, r.Message); err != nil || !ours {
		return store.Tracked{}, cmp.Or(err, ErrNotFound)
	}
	t, is, err := j.threads.ReadThread(ctx, answers.AskerOf(r), r.Channel, cmp.Or(r.Thread, r.MessageTS))
	if err == nil && is == several && r.MessageTS != r.Thread {
		t, is, err = j.threads.ReadCard(ctx, answers.AskerOf(r), r.Channel, r.Thread, r.MessageTS)
	}
	if err == nil && (is != Present || t.ID != id) {
		err = ErrNotFound
	}
	return t, err
}
