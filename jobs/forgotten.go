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

// Forgotten tracks orders again that Redis lost.
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

// A Redis that was restored from a backup lacks the orders placed since. Their cards are still in their channels, and
// the cards' metadata names the orders. Anybody who uses such a card, by a button or in its thread, has the order
// tracked again there. The announcer does not repeat what the channel has: notifier/announce/reconcile.go.

// forgottenLife is the greatest age of such a card: no backup is older.
const forgottenLife = 30 * 24 * time.Hour

// mayBeForgotten reports whether Redis may have lost the card's order. An order whose card is older than RETENTION may
// have been deleted on purpose.
func (j *Forgotten) mayBeForgotten(card slack.Message, about cards.About) bool {
	old := age(card.Timestamp)
	return about.Event == cards.CardEvent && cards.HasMenu(card) && old <= forgottenLife && (j.keeps == 0 || old < j.keeps)
}

// findForgotten tracks the card's order again if the card is current and the service knows the order. A card without a
// menu is of an order that moved away.
func (j *Forgotten) findForgotten(ctx context.Context, a answers.Asker, channel string, card slack.Message, about cards.About) (store.Tracked, relation, error) {
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
		Owner: owner, Card: card.Timestamp, Root: threadAround(card), Shown: true,
	}, seen)
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	if t.Untracked || !isAt(t, owner) { // another request came first
		return store.Tracked{}, former, nil
	}
	return t, Present, nil
}

// mayFind reports whether the person may have an order tracked again for that owner. A card in a shared channel may
// name another workspace, and then nobody here would see the order.
func (j *Forgotten) mayFind(ctx context.Context, a answers.Asker, owner store.Owner) (bool, error) {
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	everywhere := me.Enterprise != "" && me.Team == me.Enterprise // installed for a whole organisation
	if me.Team != owner.Team && !everywhere {
		return false, nil
	}
	return j.access.CanSee(ctx, a.AsRequest(), store.Tracked{Owner: owner})
}

// isOurChannel reports whether all messages of the app in a channel are of this workspace: a card without a team does
// not tell.
func (j *Forgotten) isOurChannel(ctx context.Context, channel string) (bool, error) {
	if !j.account.Connectable() {
		return true, nil
	}
	c, err := j.slack.Channel(ctx, channel)
	return err == nil && !c.IsShared && !c.IsOrgShared, err
}

// isAt reports whether the order belongs to the owner's channel, in its generation.
func isAt(t store.Tracked, owner store.Owner) bool {
	return t.Owner.Team == owner.Team && t.Owner.Channel == owner.Channel && t.Owner.Generation == owner.Generation
}

// trackAgain adds the order as it was at first, and records its present state.
func (j *Forgotten) trackAgain(ctx context.Context, found store.NewOrder, seen order.Order) (store.Tracked, error) {
	t, err := j.store.Changes.AddOrder(ctx, found)
	if err != nil {
		return t, err
	}
	if err := j.store.Announcements.FoundThread(ctx, t, found.Card); err != nil {
		return t, err
	}
	now, _, err := j.store.Changes.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // another process recorded it
		return j.store.Orders.Order(ctx, t.ID)
	}
	return now, err
}

// forgottenArgs is the body of the job that notifies people of an order found by its card.
type forgottenArgs struct {
	answers.Asker
	Order      string `json:"order"`
	Generation int    `json:"generation"`      // named by the card
	CardTeam   string `json:"whose,omitempty"` // workspace named by the card; "": the asker's
	Run        string `json:"run"`             // run of Redis
}

// forgottenState is the durable progress of that job.
type forgottenState struct {
	Notified bool `json:"told"` // the person was notified
}

// putForgotten puts the job that notifies people of the order. It is put before the order is tracked, because a tracked
// order is not found again.
func (j *Forgotten) putForgotten(ctx context.Context, a answers.Asker, id string, owner store.Owner) error {
	run, err := j.store.Server.Run(ctx)
	if err != nil {
		return err
	}
	name := strings.Join([]string{job.Forgotten, run.ID, id, job.Hash(a.User + " " + a.Request)}, ":")
	return j.putter.Put(ctx, job.Forgotten, name, name, forgottenArgs{Asker: a, Order: id, Generation: owner.Generation, CardTeam: owner.Team, Run: run.ID})
}

// The job checks for the tracked order after each forgottenPause, for forgottenPatience at most. After that, the next use
// of the card puts another job.
const (
	forgottenPause    = time.Second
	forgottenPatience = time.Minute
)

// notifyForgotten notifies the person who used the card, and, once a run of Redis, the operations channel.
func (j *Forgotten) notifyForgotten(ctx context.Context, d *queue.Delivery, body forgottenArgs) error {
	state, err := queue.State[forgottenState](d)
	if err != nil {
		return err
	}
	t, err := j.store.Orders.Order(ctx, body.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked) && d.Now().Sub(d.PutAt) < forgottenPatience:
		return queue.Wait(forgottenPause)
	case errors.Is(err, store.ErrNotTracked):
		return nil
	case err != nil:
		return err
	}
	owner := store.Owner{Team: cmp.Or(body.CardTeam, body.Team), Channel: body.Channel, Generation: body.Generation}
	if !state.Notified && isAt(t, owner) { // otherwise it moved to where they may not see it
		j.log.WarnContext(ctx, "order found again by its card: redis came back as it was before", "order", t.ID, "channel", t.Owner.Channel)
		if err := j.messages.Hint(ctx, body.Asker, cards.FoundAgain(t)); err != nil {
			return err
		}
		if err := d.SetState(ctx, forgottenState{Notified: true}); err != nil {
			return err
		}
	}
	return errors.Join(j.notifyOpsForgotten(ctx, d.ID, body.Run), j.names.Notify(ctx, d.ID))
}

// forgottenDoc names the document with the id of the job that notifies the operations channel of a run of Redis.
func forgottenDoc(run string) string { return "forgotten:" + run }

// notifyOpsForgotten notifies the operations channel, unless another job does. A job that was interrupted does it on
// redelivery.
func (j *Forgotten) notifyOpsForgotten(ctx context.Context, job, run string) error {
	if !j.operators.Reachable() {
		return nil
	}
	first, err := j.store.Documents.PutIfAbsent(ctx, forgottenDoc(run), job, forgottenLife)
	if err != nil {
		return err
	}
	if teller := job; !first {
		if err := j.store.Documents.GetIfThere(ctx, forgottenDoc(run), &teller); err != nil || teller != job {
			return err
		}
	}
	said, err := j.operators.Notify(ctx, j.operators.Text(ops.RolledBack(), ops.RolledBackHere()))
	if err == nil && !said {
		j.once.Forget(ctx, forgottenDoc(run))
	}
	return err
}

func (j *Forgotten) forgottenKind() queue.Declared {
	return queue.Kind[forgottenArgs]{
		Name: job.Forgotten, Work: j.notifyForgotten, Unasked: true,
		Died: func(ctx context.Context, _ queue.DeadLetter, body forgottenArgs) bool {
			j.once.Forget(ctx, forgottenDoc(body.Run)) // the job of another order may succeed
			return true
		},
	}.Declare()
}

// threadAround returns the timestamp of the thread that a card is in, or "" for a card that begins its own.
func threadAround(card slack.Message) string {
	if card.ThreadTimestamp == card.Timestamp {
		return ""
	}
	return card.ThreadTimestamp
}

// age returns how long ago a message was posted.
func age(ts string) time.Duration { return time.Since(slackTime(ts)) }

// slackTime returns the time of a Slack timestamp in seconds; zero for a malformed one.
func slackTime(ts string) time.Time {
	seconds, _, _ := strings.Cut(ts, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(at, 0)
}
