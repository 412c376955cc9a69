package files

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	errBusy     = errors.New("too many streams at once")
	errFileBusy = errors.New("too many requests for this file at once")
)

// streamKey identifies a file, and its workspace; workspace is "" in an app for one workspace.
type streamKey struct{ workspace, file string }

// streamLimits bounds the concurrent streams: in all, of one workspace, and of one file. All addresses of a file share
// its bound, so that its readers cannot use up the slots of other files.
type streamLimits struct {
	all          chan struct{} // holds an element for each stream
	perWorkspace *keyedSlots
	perFile      *keyedSlots
	minHold      time.Duration // how long a stream occupies a slot of its file at least; this bounds the requests a second
}

// newStreamLimits allows all streams at once, perWorkspace of one workspace, and perFile of one file. Up to waiting
// more may wait for a slot of a file.
func newStreamLimits(all, perWorkspace, perFile, waiting int) *streamLimits {
	return &streamLimits{
		all: make(chan struct{}, all), minHold: 250 * time.Millisecond,
		perWorkspace: &keyedSlots{size: perWorkspace, most: 1 << 20, busy: errBusy, byKey: map[streamKey]*keySlots{}},
		perFile:      &keyedSlots{size: perFile, most: perFile + waiting, busy: errFileBusy, byKey: map[streamKey]*keySlots{}},
	}
}

// acquire waits for a slot of the file, then of its workspace, then of all; leave frees them. It waits because a service
// that fetches fifty photos at once would take one refusal for a refusal of all. If too many already wait for the file,
// it returns errFileBusy at once.
func (l *streamLimits) acquire(ctx context.Context, key streamKey, maxWait time.Duration) (leave func(), err error) {
	timeout := time.After(maxWait)
	leaveFile, err := l.perFile.acquire(ctx, key, timeout)
	if err != nil {
		return nil, err
	}
	leaveWorkspace := func() {}
	if key.workspace != "" {
		leaveWorkspace, err = l.perWorkspace.acquire(ctx, streamKey{workspace: key.workspace}, timeout)
	}
	if err != nil {
		leaveFile()
		return nil, err
	}
	if err := acquireSlot(ctx, l.all, timeout, errBusy); err != nil {
		leaveWorkspace()
		leaveFile()
		return nil, err
	}
	began := time.Now()
	return func() {
		<-l.all
		leaveWorkspace()
		time.AfterFunc(l.minHold-time.Since(began), leaveFile)
	}, nil
}

// acquireSlot waits for a free slot; it returns onTimeout when timeout fires first. It takes a slot that is free even if
// timeout has fired.
func acquireSlot(ctx context.Context, slots chan struct{}, timeout <-chan time.Time, onTimeout error) error {
	select {
	case slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case slots <- struct{}{}:
		return nil
	case <-timeout:
		return onTimeout
	case <-ctx.Done():
		return ctx.Err()
	}
}

// keyedSlots has the same number of slots for each key.
type keyedSlots struct {
	size, most int   // streams of a key at once; the same with those that wait
	busy       error // no more may wait, or the wait timed out

	mu    sync.Mutex
	byKey map[streamKey]*keySlots // keys with streams only
}

// keySlots are the slots of one key.
type keySlots struct {
	in    chan struct{}
	users int // streams, and those that wait
}

func (s *keyedSlots) acquire(ctx context.Context, key streamKey, timeout <-chan time.Time) (leave func(), err error) {
	slots := s.join(key)
	if slots == nil {
		return nil, s.busy
	}
	if err := acquireSlot(ctx, slots.in, timeout, s.busy); err != nil {
		s.leave(key, slots)
		return nil, err
	}
	return func() {
		<-slots.in
		s.leave(key, slots)
	}, nil
}

// join counts another user of the key's slots; nil: there are too many.
func (s *keyedSlots) join(key streamKey) *keySlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	slots := s.byKey[key]
	if slots == nil {
		slots = &keySlots{in: make(chan struct{}, s.size)}
		s.byKey[key] = slots
	}
	if slots.users >= s.most {
		return nil
	}
	slots.users++
	return slots
}

// leave removes the key with its last user.
func (s *keyedSlots) leave(key streamKey, slots *keySlots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slots.users--; slots.users == 0 {
		delete(s.byKey, key)
	}
}
