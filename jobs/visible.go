package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// ErrNotFound is what a person hears of an order that does not exist, and of one that they may not
// see.
var ErrNotFound = errors.New("no such order")

// ErrElsewhere is an [ErrNotFound] about an order of another workspace: somebody used its message in a channel that both
// share.
var ErrElsewhere = fmt.Errorf("%w: it is another workspace's", ErrNotFound)

// isElsewhere tells whether a message of ours is about an order of another workspace than team. Ids do not say so: two accounts
// may have equal ones.
func (j *Jobs) isElsewhere(team string, m *slack.Message) bool {
	if m == nil || j.connecting == nil { // an app for one workspace, or one for an organisation, has all orders in one place
		return false
	}
	whose := cards.TeamOf(*m)
	return whose != "" && whose != team
}

// Course is the course of an order's newest delivery. That it cannot be read costs a form only what was
// before.
func (j *Jobs) Course(ctx context.Context, order string) cards.Course {
	events, err := j.store.Events(ctx, order)
	if err != nil {
		j.log.WarnContext(ctx, "shown without what was before", "order", order, "err", err)
	}
	return cards.CourseNow(events)
}

// Visible is the order of that id or reference, when the person may see it.
func (j *Jobs) Visible(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if j.isElsewhere(r.Team, r.Message) {
		return store.Tracked{}, ErrElsewhere
	}
	t, err := j.store.Find(ctx, id)
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
	t, err = j.LookAgain(ctx, t)
	if err != nil {
		j.log.WarnContext(ctx, "an order that is gone was not looked for", "order", t.ID, "err", err)
	}
	return t, nil
}
