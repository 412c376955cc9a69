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

// Finder finds the order that a person means, when they may see it.
type Finder struct {
	storedOrders *store.Orders
	access       *access.Control
	orders       *job.Orders
	threads      *Threads
	log          *slog.Logger
}

// ErrNotFound is what a person hears of an order that does not exist, and of one that they may not
// see.
var ErrNotFound = errors.New("no such order")

// ErrElsewhere is an [ErrNotFound] about an order of another workspace: somebody used its message in a channel that both
// share.
var ErrElsewhere = fmt.Errorf("%w: it is another workspace's", ErrNotFound)

// isElsewhere tells whether a message of ours is about an order of another workspace than team. Ids do not say so: two accounts
// may have equal ones.
func (j *Threads) isElsewhere(team string, m *slack.Message) bool {
	if m == nil || !j.account.Connectable() { // an app for one workspace, or one for an organisation, has all orders in one place
		return false
	}
	whose := cards.TeamOf(*m)
	return whose != "" && whose != team
}

// Visible is the order of that id or reference, when the person may see it.
func (j *Finder) Visible(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if j.threads.isElsewhere(r.Team, r.Message) {
		return store.Tracked{}, ErrElsewhere
	}
	t, err := j.storedOrders.Find(ctx, id)
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
	t, err = j.orders.LookAgain(ctx, t)
	if err != nil {
		j.log.WarnContext(ctx, "an order that is gone was not looked for", "order", t.ID, "err", err)
	}
	return t, nil
}

// byMessage finds the order whose button was pressed by the card of the thread in which the button is.
func (j *Finder) byMessage(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if r.Kind != bot.KindAction || r.Message == nil || r.Channel == "" {
		return store.Tracked{}, ErrNotFound
	}
	if ours, err := j.threads.IsOurs(ctx, r.Message); err != nil || !ours {
		return store.Tracked{}, cmp.Or(err, ErrNotFound)
	}
	t, is, err := j.threads.ReadBond(ctx, answers.AskerOf(r), r.Channel, cmp.Or(r.Thread, r.MessageTS))
	if err == nil && (is != Present || t.ID != id) {
		err = ErrNotFound
	}
	return t, err
}
