package jobs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/cards"
	"darkroom/cards/ops"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Forgotten tracks orders again that Redis has forgotten.
type Forgotten struct {
	slack     answers.Slack
	service   job.Service
	store     *store.Store
	access    *access.Control
	account   *accounts.Account
	names     *accounts.Names
	messages  *answers.Messages
	putter    *job.Putter
	once      *job.Once
	operators *answers.Operators
	keeps     time.Duration
	log       *slog.Logger
}

// A Redis that was restored from a backup knows nothing of an order that was placed since. Its card
// stands in its channel all the same, and its metadata names the order: whoever uses the card, by a
// button or in its thread, has the order tracked again, there. What the channel was told since is not
// told again, which is the announcer's to see to: notifier/compare.go.

// forgottenLife is how old a card may be for that: no backup is older.
const forgottenLife = 30 * 24 * time.Hour

// mayBeForgotten tells whether an order that is not known can be one that Redis forgot. One whose card is
// older than an ended order is kept may have left for good: see RETENTION.
func (j *Forgotten) mayBeForgotten(card slack.Message, about cards.About) bool {
	old := age(card.Timestamp)
	return about.Event == cards.CardEvent && cards.HasMenu(card) && old <= forgottenLife && (j.keeps == 0 || old < j.keeps)
}

// findForgotten tracks the order again whose card it is, if the card still speaks for it and the
// service knows the order. A card that was left has no menu: its order went elsewhere.
func (j *Forgotten) findForgotten(ctx context.Context, a answers.Asker, channel string, card slack.Message, about cards.About) (store.Tracked, bond, error) {
	if !j.mayBeForgotten(card, about) {
		return store.Tracked{}, former, nil
	}
	owner := store.Owner{Team: cmp.Or(about.Team, a.Team), Channel: channel, Requester: cmp.Or(cards.Requester(card), order.FormerPerson), Generation: about.Generation}
	mine, err := j.mayFind(ctx, a, owner)
	if err == nil && mine && about.Team == "" {
		mine, err = j.isOurChannel(ctx, channel)
	}
	if err != nil || !mine {
		return store.Tracked{}, former, err
	}
	seen, err := j.service.Fetch(ctx, about.Order)
	if errors.Is(err, order.ErrInvalidOrder) {
		return store.Tracked{}, former, nil
	}
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	reference := cmp.Or(cards.ReferenceOn(card, about), order.ReferenceIn(seen.ProjectName))
	to, err := j.account.SendsTo(ctx)
	if err == nil {
		_, err = j.names.Note(ctx, to, seen.ProjectName, reference)
	}
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	if err := j.putForgotten(ctx, a, about.Order, owner); err != nil {
		return store.Tracked{}, foreign, err
	}
	t, err := j.trackAgain(ctx, store.NewOrder{
		ID: about.Order, Reference: reference, Order: seen.AtFirst(),
		Owner: owner, Card: card.Timestamp, Shown: true,
	}, seen)
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	if t.Untracked || !isAt(t, owner) { // somebody was first
		return store.Tracked{}, former, nil
	}
	return t, Present, nil
}

// mayFind tells whether the person may have an order tracked again for that owner. What comes from a
// channel that is shared may name another workspace than ours: nobody here would see the order then.
func (j *Forgotten) mayFind(ctx context.Context, a answers.Asker, owner store.Owner) (bool, error) {
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	everywhere := me.Enterprise != "" && me.Team == me.Enterprise // installed on a whole organisation
	if me.Team != owner.Team && !everywhere {
		return false, nil
	}
	return j.access.CanSee(ctx, a.AsRequest(), store.Tracked{Owner: owner})
}

// isOurChannel tells whether all that the app posted in a channel is of this workspace: a card of before does not say
// whose it is.
func (j *Forgotten) isOurChannel(ctx context.Context, channel string) (bool, error) {
	if !j.account.Connectable() {
		return true, nil
	}
	c, err := j.slack.Channel(ctx, channel)
	return err == nil && !c.IsShared && !c.IsOrgShared, err
}

// isAt tells whether an order is that channel's, in that generation.
func isAt(t store.Tracked, owner store.Owner) bool {
	return t.Owner.Team == owner.Team && t.Owner.Channel == owner.Channel && t.Owner.Generation == owner.Generation
}

// trackAgain places the order as it was at first, and records what became of it.
func (j *Forgotten) trackAgain(ctx context.Context, found store.NewOrder, seen order.Order) (store.Tracked, error) {
	t, err := j.store.Changes.AddOrder(ctx, found)
	if err != nil {
		return t, err
	}
	if err := j.store.Announcements.FoundThread(ctx, t, found.Card); err != nil {
		return t, err
	}
	now, _, err := j.store.Changes.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // somebody else has seen it
		return j.store.Orders.Order(ctx, t.ID)
	}
	return now, err
}

// forgottenArgs is the body of the job that tells of an order that was found by its card.
type forgottenArgs struct {
	answers.Asker
	Order      string `json:"order"`
	Generation int    `json:"generation"`      // that its card names
	Whose      string `json:"whose,omitempty"` // the workspace that its card names; "": the asker's
	Run        string `json:"run"`             // of Redis
}

// forgottenState is the durable progress of that job.
type forgottenState struct {
	Told bool `json:"told"` // the person
}

// putForgotten puts the job that tells of the order. It is put before the order is tracked: once that is
// done, nobody finds it again.
func (j *Forgotten) putForgotten(ctx context.Context, a answers.Asker, id string, owner store.Owner) error {
	run, err := j.store.Server.Run(ctx)
	if err != nil {
		return err
	}
	name := strings.Join([]string{job.Forgotten, run.ID, id, job.Hash(a.User + " " + a.Request)}, ":")
	return j.putter.Put(ctx, job.Forgotten, name, name, forgottenArgs{Asker: a, Order: id, Generation: owner.Generation, Whose: owner.Team, Run: run.ID})
}

// How long whoever tells waits for the order to be tracked. Then it was not, and who uses its card again
// has it told.
const (
	forgottenPause = time.Second
	forgottenDoubt = time.Minute
)

// tellForgotten says what happened: to who used the card, and once in a run of Redis in the operations
// channel, where nobody may know yet.
func (j *Forgotten) tellForgotten(ctx context.Context, d *queue.Delivery, body forgottenArgs) error {
	state, err := queue.State[forgottenState](d)
	if err != nil {
		return err
	}
	t, err := j.store.Orders.Order(ctx, body.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked) && d.Now().Sub(d.PutAt) < forgottenDoubt:
		return queue.Wait(forgottenPause)
	case errors.Is(err, store.ErrNotTracked):
		return nil
	case err != nil:
		return err
	}
	owner := store.Owner{Team: cmp.Or(body.Whose, body.Team), Channel: body.Channel, Generation: body.Generation}
	if !state.Told && isAt(t, owner) { // else it went elsewhere, and is no business of theirs
		j.log.WarnContext(ctx, "order found again by its card: redis came back as it was before", "order", t.ID, "channel", t.Owner.Channel)
		if err := j.messages.Hint(ctx, body.Asker, cards.FoundAgain(t)); err != nil {
			return err
		}
		if err := d.SetState(ctx, forgottenState{Told: true}); err != nil {
			return err
		}
	}
	return errors.Join(j.tellOpsForgotten(ctx, d.ID, body.Run), j.names.Notify(ctx, d.ID))
}

// forgottenNote is kept for a run of Redis of which the operations channel is told; it names the job that
// tells.
func forgottenNote(run string) string { return "forgotten:" + run }

// tellOpsForgotten tells the operations channel, unless another job does. A job that did not come to its
// end tells it when it is delivered again.
func (j *Forgotten) tellOpsForgotten(ctx context.Context, job, run string) error {
	if !j.operators.Reachable() {
		return nil
	}
	first, err := j.store.Documents.PutIfAbsent(ctx, forgottenNote(run), job, forgottenLife)
	if err != nil {
		return err
	}
	if teller := job; !first {
		if err := j.store.Documents.GetIfThere(ctx, forgottenNote(run), &teller); err != nil || teller != job {
			return err
		}
	}
	said, err := j.operators.Notify(ctx, j.operators.Text(ops.RolledBack(), ops.RolledBackHere()))
	if err == nil && !said {
		j.once.Forget(ctx, forgottenNote(run))
	}
	return err
}

func (j *Forgotten) forgottenKind() queue.Declared {
	return queue.Kind[forgottenArgs]{
		Name: job.Forgotten, Work: j.tellForgotten, Unasked: true,
		Died: func(ctx context.Context, _ queue.DeadLetter, body forgottenArgs) bool {
			j.once.Forget(ctx, forgottenNote(body.Run)) // another order may have better luck
			return true
		},
	}.Declare()
}

// age is how long ago a message was posted.
func age(ts string) time.Duration {
	seconds, _, _ := strings.Cut(ts, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return forgottenLife + 1
	}
	return time.Since(time.Unix(at, 0))
}
