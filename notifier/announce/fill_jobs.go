package announce

import (
	"context"
	"fmt"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// previewJobs puts the jobs that fill previews in.
type previewJobs struct {
	later  later
	copies bool // whether previews are copied at all
}

// put leaves the missing previews of a review that is out to a job of its own: the channel goes on meanwhile.
// missing are their addresses; none: all previews. why tells this job from earlier ones of the same review.
func (p *previewJobs) put(ctx context.Context, a *announcement, e order.Event, missing []string, why string) error {
	if e.Kind != order.EventReady || !p.copies {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:previews:%d%s", a.id, a.generation, e.Seq, why)
	job := queue.Job{ID: id, Lane: "previews:" + a.id, Kind: store.AnnounceKind}
	body := store.AnnounceJob{Order: a.id, Generation: a.generation, Previews: e.Seq, Missing: missing, Unasked: a.state.Unasked}
	return p.later.put(ctx, job, body, 0)
}

// sheetJobs puts the jobs that make contact sheets.
type sheetJobs struct {
	store settingsReader
	later later
	makes bool // whether contact sheets are made at all
}

// put leaves the contact sheets of a review that is out to a job of its own, when its channel wants them: the
// channel goes on meanwhile, and what the review shows now stays until they are there.
func (s *sheetJobs) put(ctx context.Context, a *announcement, e order.Event, events []order.Event) error {
	if e.Kind != order.EventReady || !s.makes {
		return nil
	}
	settings, err := s.store.Settings(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil || len(s.onSheets(a, e, events, settings.Sheets)) == 0 {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:sheets:%d", a.id, a.generation, e.Seq)
	job := queue.Job{ID: id, Lane: "previews:" + a.id, Kind: store.AnnounceKind}
	return s.later.put(ctx, job, store.AnnounceJob{Order: a.id, Generation: a.generation, Sheets: e.Seq}, afterRecord)
}

// onSheets are the images that a channel wants to see on contact sheets of a review.
func (s *sheetJobs) onSheets(a *announcement, e order.Event, events []order.Event, wanted store.ContactSheets) []cards.SheetImage {
	c := cards.CourseOf(a.tracked, events, e)
	if wanted == store.SheetsEvery || wanted == store.SheetsLater && c.Before != nil {
		return cards.SheetImages(a.tracked, e, c)
	}
	return nil
}
