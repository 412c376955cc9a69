package announce

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// inDoubt says that a post may be out that the record does not know of.
func (v *announceRun) inDoubt() bool {
	mark, unsent := v.t.InFlight, v.memory.Unsent
	if mark == nil {
		return false
	}
	return unsent == nil || unsent.Event != mark.Event || !unsent.At.Equal(mark.At)
}

// resolve waits until the post in doubt can no longer be under way, and then
// adopts it, or finds that it is not out and may be posted again. Either way a
// later look removes what turns up after all.
func (v *announceRun) resolve(ctx context.Context) error {
	mark := *v.t.InFlight
	name := nameOf(v.events, mark.Event)
	out, err := v.landed(ctx, mark, name)
	if err != nil {
		return err
	}
	if err := v.dedupeLater(ctx, v.d.Lane, dedupeJob{Order: v.id, Generation: v.generation, Event: name, Mark: mark}); err != nil {
		return err
	}
	if len(out) > 0 {
		return v.adopt(ctx, mark.Event, name, out[0])
	}
	memory := v.memory
	memory.Unsent = &mark
	memory.Unanswered = unansweredPosts{Event: mark.Event, Times: v.memory.unansweredOf(mark.Event) + 1}
	if err := v.saveState(ctx, memory); err != nil {
		return err
	}
	if memory.Unanswered.Times > mostDoubts {
		return fmt.Errorf("%s: posted %d times, and never answered", name, memory.Unanswered.Times)
	}
	return nil
}

// landed finds the posts of a mark that are out, as soon as none can be under way any more.
func (v *announceRun) landed(ctx context.Context, mark store.InFlight, name string) ([]slack.Message, error) {
	if wait := v.OutcomeAfter - v.d.Now().Sub(mark.At); wait > 0 {
		return nil, queue.Wait(wait)
	}
	out, err := v.find(ctx, v.t, cards.About{Order: v.id, Event: name, Generation: v.generation, Team: v.t.Owner.Team}, mark.At, mark.At)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", name, err)
	}
	return out, nil
}

// mostDoubts is how often one message is posted without an answer, while Slack answers
// everything else, before that uses attempts: ten minutes of it.
const mostDoubts = 40

// adopt records a message that was out already. What an adopted card shows is
// not known, so it counts as older than any version.
func (v *announceRun) adopt(ctx context.Context, mark int64, event string, m slack.Message) error {
	v.Log.InfoContext(ctx, "post adopted", "order", v.id, "event", event, "ts", m.Timestamp)
	if mark == cardMark {
		return v.Store.CardPosted(ctx, v.id, v.generation, m.Timestamp, 0)
	}
	if e, known := eventOf(v.events, mark); known && !unread(m) { // else it is drawn anew, see adoptReply
		if err := v.fillAdopted(ctx, e, m); err != nil {
			return err
		}
	}
	e, _ := eventOf(v.events, mark)
	if err := v.sheetsAdopted(ctx, e, m); err != nil {
		return err
	}
	posted := store.Posted{Event: mark, ID: event, TS: m.Timestamp, Buttons: hasButtons(m) || unread(m) && e.Kind == order.EventReminder}
	if err := v.adoptReply(ctx, e, posted); err != nil {
		return err
	}
	v.announced(e)
	return nil
}

// leaveButtons has the card edited once a review is out that has the buttons: they stand in one place.
func (v *announceRun) leaveButtons(e order.Event, posted store.Posted) {
	if posted.Buttons && posted.TS != "" && e.Kind == order.EventReady && v.memory.SlowCard < mostSlow {
		v.refresh, v.memory.Refresh, v.unsaved = true, true, true // what follows may have to wait for its turn
	}
}

// nameOf is how the mark's message calls itself in its metadata; empty when the
// event was announced since, and then nothing is found.
func nameOf(events []order.Event, mark int64) string {
	if mark == cardMark {
		return cards.CardEvent
	}
	e, _ := eventOf(events, mark)
	return e.ID
}

func eventOf(events []order.Event, seq int64) (order.Event, bool) {
	for _, e := range events {
		if e.Seq == seq {
			return e, true
		}
	}
	return order.Event{}, false
}

// fillAdopted leaves the previews that an adopted review lacks to a job: whoever posted it may not
// have come to that.
func (v *announceRun) fillAdopted(ctx context.Context, e order.Event, m slack.Message) error {
	events, err := v.course(ctx, e)
	if err != nil || e.Kind != order.EventReady {
		return err
	}
	raw, err := json.Marshal(m.Blocks)
	if err != nil {
		return err
	}
	var missing []string
	for _, image := range cards.ReviewPictures(v.t, e, cards.CourseOf(v.t, events, e)) {
		if address, _ := json.Marshal(image.Thumb); !bytes.Contains(raw, address) {
			missing = append(missing, image.Thumb)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return v.fillLater(ctx, e, missing, "")
}

func hasButtons(m slack.Message) bool {
	return slices.ContainsFunc(m.Blocks.BlockSet, func(b slack.Block) bool { return b.BlockType() == slack.MBTAction })
}
