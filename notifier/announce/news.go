package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// NewsKind is the kind of job that notifies a follower of an order, see [Announcer.Kinds].
const NewsKind = "news"

const (
	newsLife = 24 * time.Hour // after which a job gives up
	newsWait = time.Minute    // between two tries while an operator must act
)

// Access decides who may see an order now.
type Access interface {
	CanSee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error)
	// AllSee reports whether all members of a channel may see the order.
	AllSee(ctx context.Context, team, channel string, t store.Tracked) (bool, error)
}

// newsJob notifies one follower of all events up to one.
type newsJob struct {
	Order string `json:"order"`
	User  string `json:"user"`
	Event int64  `json:"event"`
	// Requester says that the channel sends news to requesters, whether they follow or not.
	Requester bool `json:"requester,omitempty"`
	// Verify says that the message may have been delivered without being recorded, because Redis was
	// restored.
	Verify bool `json:"verify,omitempty"`
}

// newsState is the mark of a message that may have been delivered; zero: none.
type newsState struct {
	Sending int64     `json:"sending,omitempty"` // Seq of its event
	At      time.Time `json:"at,omitzero"`
}

type newsSlack interface {
	identifier
	Direct(ctx context.Context, user string) (channel string, err error)
	Post(ctx context.Context, p client.Post) (ts string, err error)
}

// news notifies an order's followers by direct message.
type news struct {
	slack        newsSlack
	orders       orders
	follows      *store.Follows
	settings     *store.ChannelSettings
	access       Access // nil: no follower is notified
	posts        *ownPosts
	later        later
	outcomeAfter time.Duration
	log          *slog.Logger
}

// put puts a job for each person to whom the event is news. It runs before the event is recorded as
// posted, so that nobody is missed. The jobs' ids are deterministic, so that nobody is notified twice.
func (h *news) put(ctx context.Context, a *announcement, e order.Event, verify bool) error {
	if h.access == nil {
		return nil
	}
	readers, err := h.readers(ctx, a, e)
	if err != nil {
		return err
	}
	for _, f := range readers {
		requester := a.news == store.NewsDirect && f.User == a.tracked.Owner.Requester
		id := fmt.Sprintf("news:%s:%s:%d:%d", a.id, f.User, f.From, e.Seq)
		if requester {
			id = fmt.Sprintf("news:%s:%s:%d", a.id, f.User, e.Seq) // the same whether they follow or not
		}
		job := queue.Job{ID: id, Lane: "news:" + a.id + ":" + f.User, Kind: NewsKind}
		if err := h.later.put(ctx, job, newsJob{Order: a.id, User: f.User, Event: e.Seq, Requester: requester, Verify: verify}, 0); err != nil {
			return err
		}
	}
	return nil
}

// readers returns the people to whom the event is news: followers, and the requester in a channel that sends news by
// direct message.
func (h *news) readers(ctx context.Context, a *announcement, e order.Event) ([]store.Follower, error) {
	direct, err := h.direct(ctx, a)
	if err != nil {
		return nil, err
	}
	requester, known := a.tracked.Owner.Requester, false
	var readers []store.Follower
	for _, f := range a.tracked.Followers {
		theirs := direct && f.User == requester
		known = known || f.User == requester
		if f.Requester && !theirs || e.Seq <= f.Told || !isNews(e, theirs) || theirs && inBatch(a, e) || e.Actor == f.User && (f.Requester || !e.Ends()) {
			continue
		}
		readers = append(readers, f)
	}
	if !direct || known || !kit.IsUser(requester) || e.Actor == requester || !isNews(e, true) || inBatch(a, e) {
		return readers, nil
	}
	f, err := h.follows.AddRequester(ctx, a.id, requester, e.Seq)
	if err != nil || e.Seq <= f.Told {
		return readers, err
	}
	return append(readers, f), nil
}

// inBatch reports whether a requester reads of a delivery together with others of its batch: see [batchNews].
func inBatch(a *announcement, e order.Event) bool {
	return e.Kind == order.EventReady && a.tracked.Root != ""
}

// direct reports whether the channel sends news to requesters by direct message.
func (h *news) direct(ctx context.Context, a *announcement) (bool, error) {
	where, err := h.where(ctx, a)
	return where == store.NewsDirect, err
}

// where returns where the channel's news appears, as read once for each job.
func (h *news) where(ctx context.Context, a *announcement) (store.News, error) {
	if a.news != "" {
		return a.news, nil
	}
	settings, err := h.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err == nil {
		a.news = cmp.Or(settings.News, store.NewsChannel)
	}
	return a.news, err
}

// isNews reports whether an event is sent to followers, or to a requester. A reminder concerns the requester alone, a
// snooze nobody.
func isNews(e order.Event, requester bool) bool {
	return e.Kind != order.EventSnoozed && (requester || e.Kind != order.EventReminder)
}

// newsRun is one delivery of a news job.
type newsRun struct {
	*news
	d     *queue.Delivery
	job   newsJob
	state newsState
	t     store.Tracked
	f     store.Follower
}

// errDropped ends the following of a person who must not be notified any more.
var errDropped = errors.New("does not follow the order any more")

// handle does a [NewsKind] job.
func (h *news) handle(ctx context.Context, d *queue.Delivery, job newsJob) error {
	state, err := queue.State[newsState](d)
	if err != nil {
		return err
	}
	r := &newsRun{news: h, d: d, job: job, state: state}
	err = r.work(ctx)
	switch {
	case err == nil, errors.Is(err, store.ErrNotTracked):
		return nil
	case errors.Is(err, errDropped):
		h.log.InfoContext(ctx, "follower dropped", "order", job.Order, "user", job.User, "err", err)
		return postponed(ctx, h.log, h.follows.DropFollower(ctx, job.Order, r.f))
	case d.Now().Sub(d.PutAt) > newsLife:
		h.log.WarnContext(ctx, "news not told to a follower", "order", job.Order, "user", job.User, "err", err)
		return nil
	case errors.Is(err, client.ErrUnknownOutcome):
		h.log.InfoContext(ctx, "news may be out", "order", job.Order, "user", job.User, "err", err)
		return queue.Wait(h.outcomeAfter)
	case client.NeedsOperator(err):
		return queue.Wait(newsWait)
	}
	return postponed(ctx, h.log, err)
}

// work notifies the follower of new events, oldest first.
func (r *newsRun) work(ctx context.Context) (err error) {
	if r.t, err = r.orders.Order(ctx, r.job.Order); err != nil || r.access == nil {
		return err
	}
	var gets bool
	if r.f, gets = r.t.Follower(r.job.User); !gets && r.job.Requester { // they stopped following meanwhile
		r.f, err = r.follows.AddRequester(ctx, r.job.Order, r.job.User, r.job.Event)
		gets = true
	}
	if err != nil || !gets || r.f.Told >= r.job.Event {
		return err
	}
	sees, err := r.access.CanSee(ctx, bot.Request{Team: r.t.Owner.Team, User: r.job.User}, r.t)
	if err != nil {
		return err
	}
	if !sees {
		return fmt.Errorf("%w: may not see it", errDropped)
	}
	events, err := r.orders.Events(ctx, r.job.Order)
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.Seq <= r.f.Told || e.Seq > r.job.Event || r.f.Requester && e.Seq < r.job.Event { // the channel showed that one
			continue
		}
		if err := r.next(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// next notifies the follower of one event, unless it is their own action, and records that.
func (r *newsRun) next(ctx context.Context, e order.Event) error {
	is := r.f
	if isNews(e, r.job.Requester) && e.Actor != r.job.User && r.waits(e) {
		channel, ts, err := r.sendOnce(ctx, e)
		if err != nil {
			return err
		}
		if is.Thread == "" {
			is.Channel, is.Thread = channel, ts
		}
	}
	if e.Ends() && !r.job.Requester {
		return fmt.Errorf("%w: it has ended", errDropped)
	}
	is.Told, is.Requester = e.Seq, is.Requester || e.Ends()
	return r.told(ctx, is)
}

// told records what the person was told. They may have chosen to follow meanwhile.
func (r *newsRun) told(ctx context.Context, is store.Follower) error {
	for {
		now, same, err := r.follows.FollowerTold(ctx, r.job.Order, r.f, is)
		if err != nil || same {
			r.f = now
			return err
		}
		t, err := r.orders.Order(ctx, r.job.Order)
		if err != nil {
			return err
		}
		f, gets := t.Follower(r.job.User)
		if !gets || f.From != is.From {
			return store.ErrNotTracked // the person stopped following meanwhile
		}
		r.f, is.Requester = f, f.Requester
	}
}

// waits reports whether a reminder still holds. All other news does.
func (r *newsRun) waits(e order.Event) bool {
	return e.Kind != order.EventReminder || r.t.Order.Status == e.Order.Status && (r.t.InReview(e.Order.Rev()) || r.t.Paused())
}

// sendOnce sends an event's message once. It first verifies a message that may have been delivered.
func (r *newsRun) sendOnce(ctx context.Context, e order.Event) (channel, ts string, err error) {
	if channel, err = r.slack.Direct(ctx, r.job.User); err != nil {
		return "", "", r.unreachable(err)
	}
	if r.state.Sending == e.Seq || r.job.Verify {
		ts, out, err := r.isOut(ctx, channel, e)
		if err != nil || out {
			return channel, ts, r.unreachable(err)
		}
	}
	if err := r.mark(ctx, newsState{Sending: e.Seq, At: r.d.Now()}); err != nil {
		return "", "", err
	}
	ts, err = r.send(ctx, channel, e)
	if err != nil && !errors.Is(err, client.ErrUnknownOutcome) { // surely not delivered
		return "", "", errors.Join(r.unreachable(err), r.mark(ctx, newsState{}))
	}
	return channel, ts, err
}

func (r *newsRun) mark(ctx context.Context, state newsState) error {
	r.state = state
	return r.d.SetState(ctx, state)
}

// send posts the message. An order's first news starts a thread; later ones are broadcast replies. A
// thread keeps an order's news together, and a reply that is not broadcast would not be noticed.
func (r *newsRun) send(ctx context.Context, channel string, e order.Event) (ts string, err error) {
	m := cards.News(r.t, e, !r.f.Requester, linksTo(ctx, r.slack, r.log))
	plain := kit.TextOnly(m)
	for _, form := range []kit.Message{m, plain, {Text: cut(plain.Text, bareText), Metadata: m.Metadata}} {
		post := client.Post{Channel: channel, Thread: r.f.Thread, Broadcast: true, Text: form.Text, Blocks: form.Blocks, Metadata: form.Metadata}
		ts, err = r.slack.Post(ctx, post)
		if errors.Is(err, client.ErrGone) && post.Thread != "" { // the thread's first message was deleted
			r.f.Thread, post.Thread = "", ""
			ts, err = r.slack.Post(ctx, post)
		}
		if !errors.Is(err, client.ErrPayload) {
			return ts, err
		}
	}
	r.log.ErrorContext(ctx, "news left out: slack takes it in no form", "order", r.job.Order, "user", r.job.User, "event", e.ID, "err", err)
	return "", nil
}

// unreachable turns the error of a person who cannot be messaged into errDropped.
func (r *newsRun) unreachable(err error) error {
	if isAny(err, client.ErrNoUser, client.ErrNotAllowed, client.ErrNoChannel, client.ErrArchived) {
		return fmt.Errorf("%w: %w", errDropped, err)
	}
	return err
}

// isOut searches for a message with an unknown outcome, once it can no longer be in flight. Without the
// scope to read direct messages it counts as delivered, so that it is not sent twice.
func (r *newsRun) isOut(ctx context.Context, channel string, e order.Event) (ts string, out bool, err error) {
	since := e.At
	if r.state.Sending == e.Seq {
		if wait := r.outcomeAfter - r.d.Now().Sub(r.state.At); wait > 0 {
			return "", false, queue.Wait(wait)
		}
		since = r.state.At
	}
	me, err := r.slack.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	is := func(m slack.Message) bool {
		about, ours := cards.AboutOf(m)
		return ours && about.Order == r.job.Order && about.Event == e.ID
	}
	oldest := since.Add(-clockSkew)
	found, err := r.posts.fromEvents(ctx, channel, oldest, is)
	if err == nil && len(found) == 0 {
		if !me.Granted("im:history") {
			r.log.WarnContext(ctx, "news may not have reached a follower", "order", r.job.Order, "user", r.job.User, "event", e.ID)
			return "", true, nil
		}
		found, err = r.posts.read(ctx, client.Reading{Channel: channel, Thread: r.f.Thread, Oldest: oldest, Is: is, Near: since}, is)
	}
	if err != nil || len(found) == 0 {
		return "", false, err
	}
	return found[0].Timestamp, true, nil
}
