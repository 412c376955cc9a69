package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/files"
	"darkroom/files/inspect"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// inspection compares a delivery with its order, and adds what it finds to the posted review.
type inspection struct {
	*filling
	inspector *inspect.Inspector
	slots     previewSlots // those of the copies of previews
	settings  *store.ChannelSettings
	presets   *store.Presets
	log       *slog.Logger
}

// inspectTime bounds the inspection of one delivery. Photos that were not read by then count as not checked.
const inspectTime = 30 * time.Second

// exec inspects a delivery once, and says in its review what was found. A review that ended meanwhile stays as it is.
func (s *inspection) exec(ctx context.Context, a *announcement, event int64) error {
	e, p, events, err := s.record.replyTo(ctx, a, event)
	switch {
	case err != nil || p.TS == "":
		return err
	case goesOn(a, e):
		return queue.Wait(processing)
	case !a.live(e, events):
		return s.settleAgain(ctx, a, e, p, events)
	}
	if a.state.Found == nil { // an earlier delivery of the job may have inspected it
		if err := s.find(ctx, a, e, events); err != nil {
			return err
		}
	}
	if err := s.announcements.CountInspection(ctx, a.id, a.generation, e.Order.Rev()+1, a.state.Found.Counts); err != nil {
		return err
	}
	if !a.state.Found.Required && len(a.state.Found.Findings) == 0 {
		return nil
	}
	return s.say(ctx, a, event)
}

// say edits what was found into the review, if nobody has decided meanwhile.
func (s *inspection) say(ctx context.Context, a *announcement, event int64) error {
	e, p, events, err := s.record.replyTo(ctx, a, event)
	if err == nil && goesOn(a, e) {
		return queue.Wait(processing)
	}
	if err != nil || !a.live(e, events) {
		return err
	}
	p.Inspection = a.state.Found
	m := a.state
	m.Filled = a.job.Now()
	if err := a.save(ctx, m); err != nil {
		return err
	}
	if err := s.announcements.PreviewsShown(ctx, a.id, a.generation, p); err != nil { // first: who reads it may ask for changes at once
		return err
	}
	if err := s.settle.show(ctx, a, e, p, events, true); err != nil {
		return err
	}
	if err := s.record.read(ctx, a); err != nil {
		return err
	}
	return s.settle.exec(ctx, a) // the review may have ended meanwhile
}

// goesOn reports whether a review may go on after somebody's request, which waits now.
func goesOn(a *announcement, e order.Event) bool {
	return a.tracked.InReview(e.Order.Rev()) && a.tracked.ChangeWaits(time.Now())
}

// find inspects a delivery and saves what it finds.
func (s *inspection) find(ctx context.Context, a *announcement, e order.Event, events []order.Event) error {
	required, err := s.required(ctx, a)
	if err != nil {
		return err
	}
	found, err := s.inspect(ctx, a, e, cards.RoundHistoryOf(a.tracked, events, e), required)
	if err != nil {
		return err
	}
	s.log.DebugContext(ctx, "delivery inspected", "order", a.id, "photos", found.Photos, "findings", found.Findings, "unchecked", found.Unchecked)
	m := a.state
	m.Found = &found
	return a.save(ctx, m)
}

// required returns what each photo must be: what the order's preset says, else the channel.
func (s *inspection) required(ctx context.Context, a *announcement) (order.Requirements, error) {
	team, channel := a.tracked.Owner.Team, a.tracked.Owner.Channel
	if a.tracked.Brief != nil && a.tracked.Brief.Preset != "" {
		preset, err := s.presets.ByID(ctx, team, channel, store.PresetID(a.tracked.Brief.Preset))
		if err != nil {
			return order.Requirements{}, err
		}
		if preset != nil && !preset.Requires.Nothing() {
			return preset.Requires, nil
		}
	}
	settings, err := s.settings.Of(ctx, team, channel)
	return settings.Requires, err
}

// inspect reads the photos of a delivery and compares them with the order.
func (s *inspection) inspect(stopping context.Context, a *announcement, e order.Event, history cards.RoundHistory, required order.Requirements) (order.Inspection, error) {
	ctx, cancel := context.WithTimeout(stopping, inspectTime)
	defer cancel()
	photos := cards.Compared(a.tracked, e, history)
	facts := make([]order.Facts, len(photos))
	var reading errgroup.Group
	reading.SetLimit(mostCopying)
	for i, photo := range photos {
		reading.Go(func() error {
			facts[i] = s.read(ctx, a, photo, required)
			return nil
		})
	}
	_ = reading.Wait() // each failure is logged in read
	latest := kit.Map(photos, func(_ int, photo cards.ComparedPhoto) order.EditedImage { return photo.Image })
	return required.Inspect(a.tracked.Brief, latest, facts, history.Before == nil), stopping.Err()
}

// read reads one photo. What cannot be read stays unknown.
func (s *inspection) read(ctx context.Context, a *announcement, photo cards.ComparedPhoto, required order.Requirements) (f order.Facts) {
	if err := s.slots.acquire(ctx); err != nil {
		return f
	}
	defer s.slots.release()
	if required.OfFile() && order.WebAddress(photo.Image.Origin) {
		facts, err := s.inspector.Inspect(ctx, photo.Image.Origin)
		s.note(ctx, a, photo, "file", err)
		f = order.Facts{Format: facts.Format, Width: facts.Width, Height: facts.Height, Profile: string(facts.Profile), Bytes: facts.Size}
		f.Read, f.NoPicture = err == nil, errors.Is(err, files.ErrNotPicture)
	}
	if (photo.Before != "" || required.Backdrop != "") && order.WebAddress(photo.Image.Thumb) {
		s.look(ctx, a, photo, &f)
	}
	return f
}

// look looks at a photo's preview, and at the picture that it is compared with.
func (s *inspection) look(ctx context.Context, a *announcement, photo cards.ComparedPhoto, f *order.Facts) {
	now, err := s.inspector.Print(ctx, photo.Image.Thumb)
	s.note(ctx, a, photo, "preview", err)
	if err != nil {
		return
	}
	f.Looked = true
	switch {
	case now.TransparentBorder():
		f.Background = order.BackgroundTransparent
	case now.WhiteBorder():
		f.Background = order.BackgroundWhite
	}
	if photo.Before == "" {
		return
	}
	before, err := s.inspector.Print(ctx, photo.Before)
	s.note(ctx, a, photo, "earlier picture", err)
	if err == nil && now.Same(before) {
		f.Untouched, f.Unchanged = photo.Revision == nil, photo.Revision
	}
}

// note logs what could not be read of a photo.
func (s *inspection) note(ctx context.Context, a *announcement, photo cards.ComparedPhoto, what string, err error) {
	if err != nil {
		s.log.InfoContext(ctx, "photo not inspected", "order", a.id, "image", photo.Image.ID, "part", what, "err", err)
	}
}
