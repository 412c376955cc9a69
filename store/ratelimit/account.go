package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

const (
	rateAhead   = time.Minute            // how far ahead turns of the background are reserved: as long as a poll may take
	peopleAhead = 10 * time.Second       // those of people, who do not wait longer
	shareSpan   = 250 * time.Millisecond // how long the turns last at most that one share reserves at once
)

// ErrNoTurn says that the caller's time was over before its turn came: the service was not asked.
var ErrNoTurn = errors.New("no turn at the account in time")

// Accounts are the paces of calls to accounts at the service, each of which several workspaces may share.
type Accounts struct {
	rdb       redis.UniversalClient
	space     func(account string) keyspace.Keyspace
	perSecond int

	mu    sync.Mutex
	paces map[string]weak.Pointer[accountPace] // of the accounts that somebody in this process has
}

// NewAccounts returns paces of perSecond calls a second each, at least 1, that all replicas keep. An account's is
// kept in the keyspace that space names.
func NewAccounts(rdb redis.UniversalClient, space func(account string) keyspace.Keyspace, perSecond int) *Accounts {
	return &Accounts{rdb: rdb, space: space, perSecond: max(perSecond, 1), paces: map[string]weak.Pointer[accountPace]{}}
}

// Account is what one workspace has of an account's pace. People may take a second's calls at once, and wait for
// nobody but people; the background waits for all. Of each, a workspace reserves one turn after the other,
// behind what others reserved before: those that wait take turns, however many calls each of them has.
//
// In any stretch of time no more calls go out than the rate has turns in it, but for a second's calls and what was
// reserved. When Redis does not answer, each replica keeps the pace by itself.
type Account struct{ people, background *Share }

// Of returns what a workspace has of an account's pace. Whoever calls for that workspace in this process shares it.
func (r *Accounts) Of(account string) *Account {
	pace := r.pace(account)
	return &Account{people: pace.share(true), background: pace.share(false)}
}

// People is for calls that somebody waits for.
func (r *Account) People() *Share { return r.people }

// Background is for calls that nobody waits for.
func (r *Account) Background() *Share { return r.background }

// pace is that of an account: one in this process, as long as somebody has it.
func (r *Accounts) pace(account string) *accountPace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if pace := r.paces[account].Value(); pace != nil {
		return pace
	}
	pace := &accountPace{
		rdb: r.rdb, key: r.space(account).Key("turns", account),
		every: max(time.Second/time.Duration(r.perSecond), time.Microsecond),
		local: rate.NewLimiter(rate.Limit(r.perSecond), r.perSecond),
	}
	r.paces[account] = weak.Make(pace)
	runtime.AddCleanup(pace, r.drop, account)
	return pace
}

// drop forgets an account that nobody has any more.
func (r *Accounts) drop(account string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paces[account].Value() == nil {
		delete(r.paces, account)
	}
}

// accountPace is the pace of calls to one account, as this process keeps it.
type accountPace struct {
	rdb   redis.UniversalClient
	key   string
	every time.Duration // between two turns
	local *rate.Limiter // while Redis does not answer
	away  atomic.Int64  // Redis is left alone until then, unix ns

	mu      sync.Mutex
	givenUp []turns // of the background, to come
}

// turns are some that are reserved in a row.
type turns struct {
	left int
	next time.Time // when the first of them comes
}

// giveUp leaves turns to whichever share needs some next: a poll that is cut short is not to cost the others theirs.
func (p *accountPace) giveUp(t turns) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.givenUp = append(p.givenUp, t)
}

// takeOver returns the first of those that were given up and are to come; none of them: left 0.
func (p *accountPace) takeOver() (first turns) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.givenUp = slices.DeleteFunc(p.givenUp, func(t turns) bool { return t.next.Before(now) })
	at := -1
	for i, t := range p.givenUp {
		if at < 0 || t.next.Before(p.givenUp[at].next) {
			at = i
		}
	}
	if at < 0 {
		return turns{}
	}
	first = p.givenUp[at]
	p.givenUp = slices.Delete(p.givenUp, at, at+1)
	return first
}

func (p *accountPace) share(people bool) *Share {
	return &Share{pace: p, people: people, turn: make(chan struct{}, 1)}
}

// left says that Redis did not answer a moment ago and is left alone.
func (p *accountPace) left() bool { return time.Now().UnixNano() < p.away.Load() }

// reserve asks Redis for some turns. It returns how long it is until the first of them or, when none was
// reserved, until asking again makes sense. A Redis that does not answer is left alone for a while.
func (p *accountPace) reserve(ctx context.Context, people bool, count int) (after time.Duration, given bool, err error) {
	soon, cancel := context.WithTimeout(ctx, ratePatience)
	defer cancel()
	micros, err := scripts.Run(soon, p.rdb, "reserve_turns", script.Keys{"turns": p.key}, script.Args{
		"people": people, "count": count, "every": p.every.Microseconds(), "burst": burst.Microseconds(), "ahead": aheadOf(people).Microseconds(),
	}).Int64()
	if err != nil {
		if ctx.Err() == nil {
			p.away.Store(time.Now().Add(ratePause).UnixNano())
		}
		return 0, false, err
	}
	after = time.Duration(micros) * time.Microsecond
	return after.Abs(), micros >= 0, nil
}

func aheadOf(people bool) time.Duration {
	if people {
		return peopleAhead
	}
	return rateAhead
}

// Share is one workspace's turns at an account, of one kind of calls.
type Share struct {
	pace   *accountPace
	people bool
	turn   chan struct{} // held by the call whose turn is next: the workspace's others wait for it

	mu       sync.Mutex // guards the rest
	turns               // that are reserved
	expected int        // calls, see Expect
	taken    int64      // turns
	batches  int64      // in which they came
}

// Expect says how many calls are about to be made.
func (s *Share) Expect(calls int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = calls
}

// Taken is how many turns were taken so far, and in how many batches they came.
func (s *Share) Taken() (turns, batches int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, s.batches
}

// Wait returns when it is the caller's turn, or with [ErrNoTurn] and the context's error.
func (s *Share) Wait(ctx context.Context) error {
	if err := s.wait(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNoTurn, err)
	}
	return nil
}

func (s *Share) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		if wait, has := s.ahead(); has {
			return s.take(pause(ctx, wait))
		}
		if s.pace.left() {
			return s.take(s.pace.local.Wait(ctx))
		}
		count := s.batch()
		after, given, err := s.pace.reserve(ctx, s.people, count)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // Redis is left alone by now
		case given:
			s.fill(count, after)
		default:
			if err := pause(ctx, after); err != nil {
				return err
			}
		}
	}
}

// ahead says how long it is until the next turn that is reserved; false when there is none, or it was left lying
// for so long that others may have its time.
func (s *Share) ahead() (wait time.Duration, has bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Sub(s.next) > batchIdle {
		s.left = 0
	}
	if s.left == 0 && !s.people {
		s.turns = s.pace.takeOver()
	}
	if s.left == 0 {
		return 0, false
	}
	return s.next.Sub(now), true
}

// take takes the turn that has come, unless err says that nobody waits for it any more: then a person's is left to the
// workspace's next caller, and one of the background to whichever workspace needs one.
func (s *Share) take(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if s.left > 0 && !s.people {
			s.pace.giveUp(s.turns)
			s.left = 0
		}
		return err
	}
	s.taken++
	s.expected--
	if s.left > 0 {
		s.left--
		s.next = later(s.next, time.Now()).Add(s.pace.every)
	}
	return nil
}

// batch is how many turns to reserve: of people one, since others may be waiting; in the background a few at a time.
func (s *Share) batch() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.people {
		return 1
	}
	return max(min(s.expected, int(shareSpan/s.pace.every), mostTurns), 1)
}

func (s *Share) fill(count int, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = turns{count, time.Now().Add(after)}
	s.batches++
}
