package announce

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// adoptionStore records messages that are out already.
type adoptionStore interface {
	CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error
	EventPosted(ctx context.Context, id string, generation int, posted store.Posted) error
}

// adoption takes over a message that is out, and puts the jobs that follow it.
type adoption struct {
	store    adoptionStore
	record   *record
	previews *previewJobs
	sheets   *sheetJobs
	news     *news
	observe  func(Announced)
	log      *slog.Logger
}

// adopt records a message that was out already. What an adopted card shows is
// not known, so it counts as older than any version.
func (ad *adoption) adopt(ctx context.Context, a *announcement, mark int64, event string, m slack.Message) error {
	ad.log.InfoContext(ctx, "post adopted", "order", a.id, "event", event, "ts", m.Timestamp)
	if mark == cardMark {
		return ad.store.CardPosted(ctx, a.id, a.generation, m.Timestamp, 0)
	}
	if e, known := eventOf(a.events, mark); known && !unread(m) { // else it is drawn anew, see adoptReply
		if err := ad.putPreviews(ctx, a, e, m); err != nil {
			return err
		}
	}
	e, _ := eventOf(a.events, mark)
	if err := ad.putSheets(ctx, a, e, m); err != nil {
		return err
	}
	posted := store.Posted{Event: mark, ID: event, TS: m.Timestamp, Buttons: hasButtons(m) || unread(m) && e.Kind == order.EventReminder}
	if err := ad.reply(ctx, a, e, posted); err != nil {
		return err
	}
	announced(ad.observe, e)
	return nil
}

// adoptReply records a reply that was out already. What a review or a pause says that has no buttons
// is not known: it is settled next.
func (ad *adoption) reply(ctx context.Context, a *announcement, e order.Event, posted store.Posted) error {
	if (e.Kind == order.EventReady || e.Kind == order.EventPaused) && !posted.Buttons {
		posted.Ended = store.ForNow
	}
	if err := ad.news.put(ctx, a, e, true); err != nil {
		return err
	}
	if err := ad.store.EventPosted(ctx, a.id, a.generation, posted); err != nil {
		return err
	}
	a.leaveButtons(e, posted)
	return nil
}

// fillAdopted leaves the previews that an adopted review lacks to a job: whoever posted it may not
// have come to that.
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
	for _, image := range cards.ReviewPictures(a.tracked, e, cards.CourseOf(a.tracked, events, e)) {
		if address, _ := json.Marshal(image.Thumb); !bytes.Contains(raw, address) {
			missing = append(missing, image.Thumb)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return ad.previews.put(ctx, a, e, missing, "")
}

// sheetsAdopted does the same for a review that was out already: whoever posted it may not have come to that.
func (ad *adoption) putSheets(ctx context.Context, a *announcement, e order.Event, m slack.Message) error {
	if e.Kind != order.EventReady || !hasButtons(m) && !unread(m) {
		return nil
	}
	events, err := ad.record.around(ctx, a, e)
	if err != nil {
		return err
	}
	return ad.sheets.put(ctx, a, e, events)
}

func hasButtons(m slack.Message) bool {
	return slices.ContainsFunc(m.Blocks.BlockSet, func(b slack.Block) bool { return b.BlockType() == slack.MBTAction })
}
