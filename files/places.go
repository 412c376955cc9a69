package files

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	errBusy     = errors.New("as many photos are on their way as may be")
	errFileBusy = errors.New("as many ask for this photo as may")
)

// place is what somebody wants a place for: a file of a workspace, "" where there is one workspace only.
type place struct{ workspace, file string }

// places bounds the streams: in all, of one workspace, and of one file. A file counts once, whatever the number of
// addresses it has, so that whoever holds one leaves the places of other files to others.
type places struct {
	all     chan struct{} // a place for each photo on its way
	of      *slots        // some of them for each workspace
	one     *slots        // some of them for each file
	atLeast time.Duration // for which a file's place is taken: what bounds its requests a second
}

// newPlaces makes places for all streams. One workspace has perWorkspace of them, one file perFile, and waiting more wait
// for those of a file.
func newPlaces(all, perWorkspace, perFile, waiting int) *places {
	return &places{
		all: make(chan struct{}, all), atLeast: 250 * time.Millisecond,
		of:  &slots{size: perWorkspace, most: 1 << 20, busy: errBusy, used: map[place]*slot{}},
		one: &slots{size: perFile, most: perFile + waiting, busy: errFileBusy, used: map[place]*slot{}},
	}
}

// enter waits for a place among the streams, first of the file, then of its workspace, then of all: a service that asks for
// fifty photos at once would take a refusal of one for a refusal of all. Too many who wait for one file
// are refused at once. Whoever got a place calls leave.
func (p *places) enter(ctx context.Context, at place, patience time.Duration) (leave func(), err error) {
	over := time.After(patience)
	leaveFile, err := p.one.enter(ctx, at, over)
	if err != nil {
		return nil, err
	}
	leaveWorkspace := func() {}
	if at.workspace != "" {
		leaveWorkspace, err = p.of.enter(ctx, place{workspace: at.workspace}, over)
	}
	if err != nil {
		leaveFile()
		return nil, err
	}
	if err := take(ctx, p.all, over, errBusy); err != nil {
		leaveWorkspace()
		leaveFile()
		return nil, err
	}
	began := time.Now()
	return func() {
		<-p.all
		leaveWorkspace()
		time.AfterFunc(p.atLeast-time.Since(began), leaveFile)
	}, nil
}

// take takes a place as soon as there is one; late is what it is when there is none in time.
func take(ctx context.Context, from chan struct{}, over <-chan time.Time, late error) error {
	select {
	case from <- struct{}{}:
		return nil
	case <-over:
		return late
	case <-ctx.Done():
		return ctx.Err()
	}
}

// slots are the places of each of many.
type slots struct {
	size, most int   // how many are in at once, and how many with those that wait
	busy       error // nobody else may wait, or somebody waited in vain

	mu   sync.Mutex
	used map[place]*slot // those that are asked for now
}

// slot are the places of one.
type slot struct {
	in    chan struct{}
	users int // those that are in, and those that wait
}

func (s *slots) enter(ctx context.Context, at place, over <-chan time.Time) (leave func(), err error) {
	of := s.join(at)
	if of == nil {
		return nil, s.busy
	}
	if err := take(ctx, of.in, over, s.busy); err != nil {
		s.part(at, of)
		return nil, err
	}
	return func() {
		<-of.in
		s.part(at, of)
	}, nil
}

// join counts somebody who asks for a place; nil: there are too many.
func (s *slots) join(at place) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.used[at]
	if of == nil {
		of = &slot{in: make(chan struct{}, s.size)}
		s.used[at] = of
	}
	if of.users >= s.most {
		return nil
	}
	of.users++
	return of
}

// part forgets a slot with the last one who asked for it.
func (s *slots) part(at place, of *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of.users--; of.users == 0 {
		delete(s.used, at)
	}
}
