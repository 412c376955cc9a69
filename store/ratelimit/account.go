package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

const (
	backgroundAhead = time.Minute            // how far ahead background slots are reserved: a poll lasts no longer
	peopleAhead     = 10 * time.Second       // the same for people, who wait no longer
	maxShareSpan    = 250 * time.Millisecond // bounds the slots that a share reserves at once
)

// ErrNoSlot says that the caller's time was over before its slot came. The service was not called.
var ErrNoSlot = errors.New("no slot at the account in time")

// Accounts has the rate limits of the accounts at the service. Several workspaces may share an account.
type Accounts struct {
	rdb       redis.UniversalClient
	space     func(account string) keyspace.Keyspace
	perSecond int

	mu     sync.Mutex
	limits map[string]weak.Pointer[accountLimit] // of the accounts in use in this process
}

// NewAccounts returns limits of perSecond calls a second for each account, at least 1. All replicas share them. space
// names the keyspace of an account's limit.
func NewAccounts(rdb redis.UniversalClient, space func(account string) keyspace.Keyspace, perSecond int) *Accounts {
	return &Accounts{rdb: rdb, space: space, perSecond: perSecond, limits: map[string]weak.Pointer[accountLimit]{}}
}

// Account is one workspace's share of an account's rate limit. People may make a second's calls at once, and wait only
// for people; background calls wait for all. A workspace reserves few slots at a time, behind those that others
// reserved. So waiting workspaces alternate, however many calls each of them has.
//
// In any period, no more calls are made than the limit allows, plus a second's calls and the reserved ones. While Redis
// does not answer, each replica keeps the limit by itself.
type Account struct{ people, background *Share }

// Of returns a workspace's share of an account's limit. All callers for that workspace in this process use the same one.
func (r *Accounts) Of(account string) *Account {
	limit := r.limit(account)
	return &Account{people: limit.share(true, peopleAhead), background: limit.share(false, backgroundAhead)}
}

// People returns the share of calls that a person waits for.
func (r *Account) People() *Share { return r.people }

// Background returns the share of calls that no person waits for.
func (r *Account) Background() *Share { return r.background }

// limit returns the one limit of an account in this process. It lives as long as it is in use.
func (r *Accounts) limit(account string) *accountLimit {
	r.mu.Lock()
	defer r.mu.Unlock()
	if limit := r.limits[account].Value(); limit != nil {
		return limit
	}
	limit := &accountLimit{limit: newLimit(r.rdb, r.space(account).Key("turns", account), r.perSecond)}
	r.limits[account] = weak.Make(limit)
	runtime.AddCleanup(limit, r.drop, account)
	return limit
}

// drop removes an account that is no longer in use.
func (r *Accounts) drop(account string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limits[account].Value() == nil {
		delete(r.limits, account)
	}
}

// accountLimit is the limit of one account in this process.
type accountLimit struct {
	*limit

	mu       sync.Mutex
	returned []reservation // unused background slots
}

// reservation is a row of reserved slots.
type reservation struct {
	left int
	next time.Time // when the first slot comes
}

// giveBack returns unused slots for the next share that needs some, so that a canceled poll wastes none.
func (l *accountLimit) giveBack(r reservation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.returned = append(l.returned, r)
}

// takeReturned takes the earliest returned slots that have not passed; left is 0 without one.
func (l *accountLimit) takeReturned() (first reservation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.returned = slices.DeleteFunc(l.returned, func(r reservation) bool { return r.next.Before(now) })
	if len(l.returned) == 0 {
		return reservation{}
	}
	first = slices.MinFunc(l.returned, func(a, b reservation) int { return a.next.Compare(b.next) })
	i := slices.Index(l.returned, first)
	l.returned = slices.Delete(l.returned, i, i+1)
	return first
}

func (l *accountLimit) share(people bool, ahead time.Duration) *Share {
	return &Share{limit: l, people: people, maxAhead: ahead, first: make(chan struct{}, 1)}
}

// Share has one workspace's slots at an account, for people's calls or for background calls.
type Share struct {
	limit    *accountLimit
	people   bool
	maxAhead time.Duration // how far ahead slots are reserved
	first    chan struct{} // held by the workspace's first waiting call; the others wait for it

	mu sync.Mutex // guards the rest
	reservation
	expected int   // calls, see [Share.Expect]
	taken    int64 // slots
	batches  int64 // reservations
}

// Expect announces how many calls are about to be made.
func (s *Share) Expect(calls int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = calls
}

// Taken returns how many slots were used so far, and how many reservations had them.
func (s *Share) Taken() (slots, batches int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, s.batches
}

// Wait returns when the caller may call, or with [ErrNoSlot] and the context's error.
func (s *Share) Wait(ctx context.Context) error {
	if err := s.wait(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNoSlot, err)
	}
	return nil
}

// wait waits for a slot and uses it. One caller of a workspace at a time does so; the others wait behind it. It reserves a
// row of slots in Redis when none is left. Without Redis, each replica keeps the limit by itself.
func (s *Share) wait(ctx context.Context) error {
	select {
	case s.first <- struct{}{}:
		defer func() { <-s.first }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		if wait, has := s.nextSlot(); has {
			return s.use(pause(ctx, wait))
		}
		if s.limit.redisDown() {
			return s.use(s.limit.local.Wait(ctx))
		}
		count := s.batchSize()
		after, reserved, err := s.limit.reserve(ctx, "reserve_turns", script.Args{"people": s.people, "count": count, "ahead": s.maxAhead.Microseconds()})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // redisDown is true now, so the next pass uses the local limit
		case reserved:
			s.fill(count, after)
		default:
			if err := pause(ctx, after); err != nil {
				return err
			}
		}
	}
}

// nextSlot returns the time until the next reserved slot; false: no slot, or it passed so long ago that others
// may have its time.
func (s *Share) nextSlot() (wait time.Duration, has bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Sub(s.next) > batchExpiry {
		s.left = 0
	}
	if s.left == 0 && !s.people {
		s.reservation = s.limit.takeReturned()
	}
	if s.left == 0 {
		return 0, false
	}
	return s.next.Sub(now), true
}

// use uses the slot that has come, unless err says that its caller has gone. Then a person's slot stays for the
// workspace's next caller, and background slots go back for any workspace.
func (s *Share) use(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if s.left > 0 && !s.people {
			s.limit.giveBack(s.reservation)
			s.left = 0
		}
		return err
	}
	s.taken++
	s.expected--
	if s.left > 0 {
		s.left--
		s.next = later(s.next, time.Now()).Add(s.limit.every)
	}
	return nil
}

// batchSize returns how many slots to reserve: one for people, since others may wait; a few for the background.
func (s *Share) batchSize() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.people {
		return 1
	}
	return max(min(s.expected, int(maxShareSpan/s.limit.every), maxBatch), 1)
}

func (s *Share) fill(count int, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reservation = reservation{count, time.Now().Add(after)}
	s.batches++
}
