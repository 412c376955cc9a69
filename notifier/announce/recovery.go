package announce

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// recoveryStage finds out what became of a post with an unknown outcome.
type recoveryStage struct {
	posts        *ownPosts
	adoption     *adoption
	dedupe       *dedupe
	outcomeAfter time.Duration
}

// exec waits until such a post can no longer be in flight. Then it adopts the post, or lets it be posted
// again. In both cases a later job deletes a double that still appears.
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

// landed returns the delivered posts of a mark, once none can be in flight.
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

// mostUnanswered is how often a message is posted without an answer, while Slack answers other calls,
// before that uses attempts: ten minutes.
const mostUnanswered = 40

// nameOf returns the event name in the metadata of a mark's message. It is "" if the event was announced
// since; then nothing is found.
func nameOf(events []order.Event, mark int64) string {
	if mark == cardMark {
		return cards.CardEvent
	}
	e, _ := eventOf(events, mark)
	return e.ID
}

// adoption records a message that was delivered already, and puts the jobs that follow it.
type adoption struct {
	announcements announcements
	record        *record
	fill          *fillJobs
	finals        *finals
	news          *news
	observe       func(Announced)
	log           *slog.Logger
}

// adopt records a delivered message. An adopted card counts as older than any version, since its content
// is unknown.
func (ad *adoption) adopt(ctx context.Context, a *announcement, mark int64, event string, m slack.Message) error {
	ad.log.InfoContext(ctx, "post adopted", "order", a.id, "event", event, "ts", m.Timestamp)
	if mark == cardMark {
		return ad.announcements.CardPosted(ctx, a.id, a.generation, m.Timestamp, 0)
	}
	if e, known := eventOf(a.events, mark); known && !unread(m) { // otherwise it is drawn again, see adoption.reply
		if err := ad.putPreviews(ctx, a, e, m); err != nil {
			return err
		}
	}
	e, _ := eventOf(a.events, mark)
	if err := ad.putLater(ctx, a, e, m); err != nil {
		return err
	}
	posted := store.Posted{Event: mark, ID: event, TS: m.Timestamp, Buttons: hasButtons(m) || unread(m) && e.Kind == order.EventReminder}
	if err := ad.reply(ctx, a, e, posted); err != nil {
		return err
	}
	announced(ad.observe, e)
	return nil
}

// reply records a delivered reply. The text of a review or pause without buttons is unknown: it is settled
// next.
func (ad *adoption) reply(ctx context.Context, a *announcement, e order.Event, posted store.Posted) error {
	if (e.Kind == order.EventReady || e.Kind == order.EventPaused) && !posted.Buttons {
		posted.Ended = store.ForNow
	}
	if err := ad.finals.put(ctx, a, e); err != nil {
		return err
	}
	if err := ad.news.put(ctx, a, e, true); err != nil {
		return err
	}
	if err := ad.announcements.EventPosted(ctx, a.id, a.generation, posted); err != nil {
		return err
	}
	a.leaveButtons(e, posted)
	return nil
}

// putPreviews puts the job for previews that an adopted review lacks: its sender may have stopped before.
func (ad *adoption) putPreviews(ctx context.Context, a *announcement, e order.Event, m slack.Message) error {
	events, err := ad.record.around(ctx, a, e)
	if err != nil || e.Kind != order.EventReady {
		return err
	}
	raw, err := json.Marshal(m.Blocks)
	if err != nil {
		return err
	}
	var missing []string
	for _, image := range cards.ReviewPictures(a.tracked, e, cards.RoundHistoryOf(a.tracked, events, e)) {
		if address, _ := json.Marshal(image.Thumb); !bytes.Contains(raw, address) {
			missing = append(missing, image.Thumb)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return ad.fill.putPreviews(ctx, a, e, missing, "")
}

// putLater puts the jobs that complete an adopted review.
func (ad *adoption) putLater(ctx context.Context, a *announcement, e order.Event, m slack.Message) error {
	if e.Kind != order.EventReady || !hasButtons(m) && !unread(m) {
		return nil
	}
	events, err := ad.record.around(ctx, a, e)
	if err != nil {
		return err
	}
	return ad.fill.putLater(ctx, a, e, events)
}

func hasButtons(m slack.Message) bool {
	return slices.ContainsFunc(m.Blocks.BlockSet, func(b slack.Block) bool { return b.BlockType() == slack.MBTAction })
}
