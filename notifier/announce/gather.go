package announce

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	gatherWait  = time.Minute      // until the channel is told of the reviews that came meanwhile
	gatherLife  = 24 * time.Hour   // after which a channel out of reach is told of them no more
	gatherAgain = 30 * time.Minute // at most between two tries of a channel out of reach
)

// gathers says that a review stands in its thread alone: its channel wants one message for several.
func (v *announceRun) gathers(ctx context.Context, e order.Event) (bool, error) {
	if e.Kind != order.EventReady {
		return false, nil
	}
	settings, err := v.Store.Settings(ctx, v.t.Owner.Team, v.t.Owner.Channel)
	return settings.Gather, err
}

// gather leaves a review that waits to the job that tells the channel of all that came within a minute. It comes
// before the review is recorded as told, so that none is forgotten, and a review is gathered once, so that the
// channel is told of none twice.
func (v *announceRun) gather(ctx context.Context, e order.Event) error {
	place := store.Place{Team: v.t.Owner.Team, Channel: v.t.Owner.Channel}
	first, err := v.Store.Gather(ctx, place, store.Ready{Order: v.id, Generation: v.generation, Event: e.Seq})
	if err != nil {
		return err
	}
	job := store.GatherJob{Team: place.Team, Channel: place.Channel, First: first.UTC()}
	_, err = v.Queue.PutAfter(ctx, job.Job(), v.GatherAfter)
	return err
}

// gatherAdopted does it for a review that was out already.
func (v *announceRun) gatherAdopted(ctx context.Context, e order.Event) error {
	gathers, err := v.gathers(ctx, e)
	if err != nil || !gathers || !v.live(e, v.events) {
		return err
	}
	return v.gather(ctx, e)
}

// gatherRun is one delivery's work on such a message.
type gatherRun struct {
	*onePost
	job store.GatherJob
}

// gathered handles a job of the kind [store.GatherKind]: one message for all orders that became ready within a
// minute and still wait, none when there are none. It must run in the lane of the channel.
func (a *Announcer) gathered(ctx context.Context, d *queue.Delivery, job store.GatherJob) error {
	p, err := a.onePost(d, job.Channel, "", nil) // it may be out in part
	if err != nil {
		return err
	}
	r := &gatherRun{onePost: p, job: job}
	err = r.work(ctx)
	if errors.Is(err, bot.ErrNotInChannel) && a.join(ctx, job.Channel) {
		err = r.work(ctx)
	}
	_, out := outOfReach(err)
	switch {
	case out && d.Now().Sub(job.First) < gatherLife:
		next := job
		next.Tries++
		_, err = a.Queue.PutAfter(ctx, next.Job(), min(time.Duration(next.Tries)*time.Minute, gatherAgain))
	case out || errors.Is(err, bot.ErrPayload):
		a.Log.WarnContext(ctx, "channel not told of several reviews", "channel", job.Channel, "err", err)
		return nil
	}
	return a.awaitAlone(ctx, d, err)
}

func (r *gatherRun) work(ctx context.Context) error {
	names, err := r.Store.Gathered(ctx, store.Place{Team: r.job.Team, Channel: r.job.Channel}, r.job.First)
	if err != nil {
		return err
	}
	var reviews []cards.GatheredReview
	for _, name := range names {
		review, waits, err := r.review(ctx, name)
		if err != nil {
			return err
		}
		if waits {
			reviews = append(reviews, review)
		}
	}
	if reviews, err = r.untold(ctx, reviews); err != nil || len(reviews) == 0 {
		return err
	}
	slices.SortStableFunc(reviews, func(a, b cards.GatheredReview) int { return a.Event.At.Compare(b.Event.At) })
	_, err = r.post(ctx, cards.Gathered(reviews, r.links(ctx)))
	return err
}

// review is what the message tells of one review; false when it waits here no longer.
func (r *gatherRun) review(ctx context.Context, name store.Ready) (review cards.GatheredReview, waits bool, err error) {
	t, err := r.Store.Order(ctx, name.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && t.Owner.Generation != name.Generation {
		return review, false, nil
	}
	if err != nil {
		return review, false, err
	}
	events, err := r.Store.Events(ctx, name.Order)
	e, known := eventOf(events, name.Event)
	v := &announceRun{Announcer: r.Announcer, t: t}
	if err != nil || !known || !v.live(e, events) {
		return review, false, err
	}
	review = cards.GatheredReview{Name: name.String(), Event: e, Course: cards.CourseOf(t, events, e)}
	if i := slices.IndexFunc(t.Thread, func(p store.Posted) bool { return p.Event == e.Seq }); i >= 0 {
		review.Reply = t.Thread[i]
	}
	review.Order = v.owned(ctx, review.Reply)
	return review, true, nil
}

// untold leaves out those that the channel was told of, where that may be.
func (r *gatherRun) untold(ctx context.Context, reviews []cards.GatheredReview) ([]cards.GatheredReview, error) {
	since, doubt, err := r.doubt(ctx, reviews)
	if err != nil || !doubt || len(reviews) == 0 {
		return reviews, err
	}
	heard, err := r.heardOf(ctx, r.channel, since.Add(-clockSkew), func(slack.Message) bool { return true })
	if reviews = lacking(reviews, heard); err != nil || len(reviews) == 0 {
		return nil, err
	}
	messages, err := r.ours(ctx, since, nil)
	if err != nil {
		return nil, err
	}
	return lacking(reviews, messages), nil
}

// lacking are the reviews that no message tells of.
func lacking(reviews []cards.GatheredReview, messages []slack.Message) []cards.GatheredReview {
	var told []string
	for _, m := range messages {
		told = append(told, cards.GatheredNames(m)...)
	}
	return slices.DeleteFunc(reviews, func(review cards.GatheredReview) bool { return slices.Contains(told, review.Name) })
}

// doubt says that the channel may have been told of some, and since when: the answer to a post was lost, or Redis
// began anew and may have forgotten.
func (r *gatherRun) doubt(ctx context.Context, reviews []cards.GatheredReview) (since time.Time, doubt bool, err error) {
	since, doubt = r.job.First, !r.state.Posting.IsZero()
	for _, review := range reviews {
		t := review.Order
		if _, found := t.Told.Replies[review.Event.ID]; found && t.Told.Generation == t.Owner.Generation {
			since, doubt = earlier(since, whenPosted(review.Reply.TS)), true
		}
	}
	if doubt {
		return since, doubt, nil
	}
	run, err := r.Store.Run(ctx)
	return since, run.Since.After(r.job.First), err
}

// earlier is the earlier of two times; the zero time is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
