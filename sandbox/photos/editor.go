package photos

import (
	"fmt"
	"slices"
	"time"
)

// maxEdits is how many pictures are edited at the same time.
const maxEdits = 2

// task is one round of work on an order.
type task struct {
	id       string
	revision int
	indexes  []int // of the sources in the order
	sources  []source
}

// Deliver makes the editor finish the current round of an order now: the
// pictures are edited, and the order is there for review when it returns.
func (s *Service) Deliver(orderID string) error {
	return s.deliver(orderID, -1)
}

// deliver finishes the round of that revision, or of any when it is negative.
// The pictures are edited without the mutex, so the order may have been
// canceled or paused meanwhile: then nothing is handed in.
func (s *Service) deliver(id string, revision int) error {
	t, err := s.accept(id, revision)
	if err != nil {
		return err
	}
	t = s.withoutLeftOut(t)
	pictures, err := s.retouched(t)
	if err != nil {
		return err
	}
	return s.handIn(t, pictures)
}

// retouched are the edited pictures of a task.
func (s *Service) retouched(t task) ([]retouched, error) {
	pictures := make([]retouched, len(t.sources))
	for i, src := range t.sources {
		var err error
		s.desks <- struct{}{}
		pictures[i], err = s.edit(src, t.revision)
		<-s.desks
		if err != nil {
			return nil, fmt.Errorf("order %s: picture %s: %w", t.id, src.name, err)
		}
	}
	return pictures, nil
}

// Replace makes the editor hand in all pictures of an order once more while it is in review,
// under the same revision.
func (s *Service) Replace(orderID string) error {
	s.mu.Lock()
	o, ok := s.byID[orderID]
	if !ok || o.status != reviewing {
		s.mu.Unlock()
		return fmt.Errorf("order %s: not in review", orderID)
	}
	t := task{id: orderID, revision: o.revision, sources: slices.Clone(o.sources)}
	for i := range t.sources {
		t.indexes = append(t.indexes, i)
	}
	s.mu.Unlock()
	pictures, err := s.retouched(t)
	if err != nil {
		return err
	}
	defer s.change()()
	s.receive(o, t, pictures)
	return nil
}

func (s *Service) accept(id string, revision int) (task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := s.underWork(id, revision)
	if err != nil {
		return task{}, err
	}
	t := task{id: id, revision: o.revision, indexes: slices.Clone(o.wanted)}
	for _, i := range t.indexes {
		t.sources = append(t.sources, o.sources[i])
	}
	return t, nil
}

// underWork finds an order on which the editor works; the mutex is held.
func (s *Service) underWork(id string, revision int) (*order, error) {
	o, ok := s.byID[id]
	switch {
	case !ok:
		return nil, fmt.Errorf("order %s: unknown", id)
	case o.status != editing && o.status != revising:
		return nil, fmt.Errorf("order %s: no work to deliver while %s", id, o.status)
	case revision >= 0 && revision != o.revision:
		return nil, fmt.Errorf("order %s: revision %d is over", id, revision)
	}
	return o, nil
}

func (s *Service) handIn(t task, pictures []retouched) error {
	defer s.change()()
	o, err := s.underWork(t.id, t.revision)
	if err != nil {
		return err
	}
	o.forgetTimer()
	s.receive(o, t, pictures)
	o.status, o.wanted = reviewing, nil
	s.did(o, DeedDelivered, "")
	return nil
}

// receive puts pictures to those of an order; the mutex is held.
func (s *Service) receive(o *order, t task, pictures []retouched) {
	for i, p := range pictures {
		o.edited = append(o.edited, edited{
			id:         s.newID(7, s.imageTaken),
			name:       p.name,
			width:      p.width,
			height:     p.height,
			size:       len(p.full),
			revision:   o.revision,
			source:     t.indexes[i],
			uploadedAt: s.opts.Now(),
			thumb:      s.preview(p),
			origin:     s.publish("originals", p.name, p.kind, p.full),
		})
	}
}

func (s *Service) imageTaken(id string) bool {
	return slices.ContainsFunc(s.orders, func(o *order) bool {
		return slices.ContainsFunc(o.edited, func(e edited) bool { return e.id == id })
	})
}

// Pause makes the service put an order on which it works aside.
func (s *Service) Pause(orderID string) error {
	defer s.change()()
	o, err := s.underWork(orderID, -1)
	if err != nil {
		return err
	}
	o.forgetTimer()
	o.before, o.status = o.status, paused
	s.did(o, DeedPaused, "")
	return nil
}

// Resume makes the service work on a paused order again.
func (s *Service) Resume(orderID string) error {
	defer s.change()()
	o, ok := s.byID[orderID]
	if !ok || o.status != paused {
		return fmt.Errorf("order %s: not paused", orderID)
	}
	o.status = o.before
	s.did(o, DeedResumed, "")
	s.schedule(o)
	return nil
}

// Say makes the editor write into an order's conversation.
func (s *Service) Say(orderID, text string) error {
	defer s.change()()
	o, ok := s.byID[orderID]
	if !ok {
		return fmt.Errorf("order %s: unknown", orderID)
	}
	s.add(o, editor, text)
	return nil
}

// Age makes an order older by d: its cancellation window closes sooner.
func (s *Service) Age(orderID string, d time.Duration) error {
	defer s.change()()
	o, ok := s.byID[orderID]
	if !ok {
		return fmt.Errorf("order %s: unknown", orderID)
	}
	o.orderedAt = o.orderedAt.Add(-d)
	s.crowd.sort()
	return nil
}

// preview publishes the small picture of an edit, or an address without a picture; the mutex is held.
func (s *Service) preview(p retouched) string {
	if s.previewless[p.name] {
		p.thumb = nil
	}
	return s.publish("thumbs", p.name, p.thumbKind, p.thumb)
}

// LosePreviews makes the previews of edits with this name, delivered from now on, addresses at which
// nothing is found, as of a picture that a service has not made yet.
func (s *Service) LosePreviews(name string) {
	defer s.change()()
	s.previewless[name] = true
}

// SetAutomatic lets the editor work by itself, on what waits already too, or
// only on command.
func (s *Service) SetAutomatic(automatic bool) {
	defer s.change()()
	s.automatic = automatic
	for _, o := range s.orders {
		o.forgetTimer()
		s.schedule(o)
	}
}

// schedule lets the automatic editor deliver an order after its delay; the
// mutex is held.
func (s *Service) schedule(o *order) {
	if !s.automatic || s.closed || o.status != editing && o.status != revising {
		return
	}
	id, revision := o.id, o.revision
	o.timer = time.AfterFunc(s.opts.EditAfter, func() {
		if s.begin() {
			defer s.busy.Done()
			_ = s.deliver(id, revision) // an order that was changed meanwhile has no work
		}
	})
}

func (o *order) forgetTimer() {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
}
