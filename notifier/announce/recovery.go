package announce

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// recoveryStage finds out what became of a post whose outcome is unknown.
type recoveryStage struct {
	posts        *ownPosts
	adoption     *adoption
	dedupe       *dedupe
	outcomeAfter time.Duration
}

// exec waits until such a post can no longer be in flight. It then adopts the post, or finds that it may be
// posted again. Either way a later job deletes a double that turns up after all.
func (r *recoveryStage) exec(ctx context.Context, a *announcement) error {
	if !a.outcomeUnknown() {
		return nil
	}
	mark := *a.tracked.InFlight
	name := nameOf(a.events, mark.Event)
	out, err := r.landed(ctx, a, mark, name)
	if err != nil {
		return err
	}
	if err := r.dedupe.put(ctx, a.job.Lane, dedupeJob{Order: a.id, Generation: a.generation, Event: name, Mark: mark}); err != nil {
		return err
	}
	if len(out) > 0 {
		return cmp.Or(r.adoption.adopt(ctx, a, mark.Event, name, out[0]), errReread)
	}
	state := a.state
	state.Unsent = &mark
	state.Unanswered = unansweredPosts{Event: mark.Event, Times: a.state.unansweredOf(mark.Event) + 1}
	if err := a.save(ctx, state); err != nil {
		return err
	}
	if state.Unanswered.Times > mostUnanswered {
		return fmt.Errorf("%s: posted %d times, and never answered", name, state.Unanswered.Times)
	}
	return errReread
}

// landed finds the posts of a mark that are out, as soon as none can be under way any more.
func (r *recoveryStage) landed(ctx context.Context, a *announcement, mark store.InFlight, name string) ([]slack.Message, error) {
	if wait := r.outcomeAfter - a.job.Now().Sub(mark.At); wait > 0 {
		return nil, queue.Wait(wait)
	}
	out, err := r.posts.find(ctx, a.tracked, cards.About{Order: a.id, Event: name, Generation: a.generation, Team: a.tracked.Owner.Team}, mark.At, mark.At)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", name, err)
	}
	return out, nil
}

// mostUnanswered is how often one message is posted without an answer, while Slack answers
// everything else, before that uses attempts: ten minutes of it.
const mostUnanswered = 40

// nameOf is how the mark's message calls itself in its metadata; empty when the
// event was announced since, and then nothing is found.
func nameOf(events []order.Event, mark int64) string {
	if mark == cardMark {
		return cards.CardEvent
	}
	e, _ := eventOf(events, mark)
	return e.ID
}
