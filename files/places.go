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

// places bounds the streams: in all, and of one file. A file counts once, whatever the number of
// addresses it has, so that whoever holds one leaves the places of other files to others.
type places struct {
	all     chan struct{} // a place for each photo on its way
	perFile int           // how many of them may be one file's
	waiting int           // how many more may wait for a place of that file
	atLeast time.Duration // for which a file's place is taken: what bounds its requests a second

	mu    sync.Mutex
	files map[string]*filePlaces // those that are asked for now
}

// filePlaces are the places of one file.
type filePlaces struct {
	streams chan struct{}
	users   int // streams and those that wait
}

func newPlaces(all, perFile, waiting int) *places {
	return &places{
		all: make(chan struct{}, all), perFile: perFile, waiting: waiting, atLeast: 250 * time.Millisecond,
		files: map[string]*filePlaces{},
	}
}

// enter waits for a place among the streams, first of the file, then of all: a service that asks for
// fifty photos at once would take a refusal of one for a refusal of all. Too many who wait for one file
// are refused at once. Whoever got a place calls leave.
func (p *places) enter(ctx context.Context, file string, patience time.Duration) (leave func(), err error) {
	f := p.join(file)
	if f == nil {
		return nil, errFileBusy
	}
	over := time.After(patience)
	if err := take(ctx, f.streams, over, errFileBusy); err != nil {
		p.part(file, f)
		return nil, err
	}
	free := func() {
		<-f.streams
		p.part(file, f)
	}
	if err := take(ctx, p.all, over, errBusy); err != nil {
		free()
		return nil, err
	}
	began := time.Now()
	return func() {
		<-p.all
		time.AfterFunc(p.atLeast-time.Since(began), free)
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

// join counts somebody who asks for a file; nil: there are too many.
func (p *places) join(file string) *filePlaces {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[file]
	if f == nil {
		f = &filePlaces{streams: make(chan struct{}, p.perFile)}
		p.files[file] = f
	}
	if f.users >= p.perFile+p.waiting {
		return nil
	}
	f.users++
	return f
}

// part forgets the file with the last one who asked for it.
func (p *places) part(file string, f *filePlaces) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.users--; f.users == 0 {
		delete(p.files, file)
	}
}
