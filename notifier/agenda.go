package notifier

import (
	"container/heap"
	"time"
)

const (
	slowAfter   = 2 * time.Second        // a poll that takes longer is a slow one, and makes room for others
	fewWaits    = 100 * time.Millisecond // a poll that takes less is not one that waits for turns any more
	mostBackoff = 3 * time.Minute        // until a service is asked again that answers nothing

	queuedPlaces = 16 // for those that wait for turns, of all replicas together: so many calls are before each of theirs
	leastQueued  = 4  // of each replica
)

// entry is one workspace on an agenda.
type entry struct {
	workspace string
	shard     *shard
	place     time.Duration // see timetable
	due       time.Time     // when it is to be polled next, or was to be
	visited   time.Time     // when it was polled last, or is taken to have been
	idle      bool          // it has nothing to do, as far as was asked
	wanted    bool          // it is to be polled now, and waits for room
	slow      bool          // its last poll was slow, or had no answer
	queued    bool          // its last poll spent its time waiting for turns at its account: it is not of the slow
	unheard   int           // polls in a row without an answer
	failing   bool          // its last poll failed, and that was said
	index     int           // in its line; -1: in none

	ticker Ticker    // kept for the next poll; nil: made when it is needed
	made   time.Time // when it was
}

// gone says that somebody else polls it now, or nobody: it does not come back to the agenda.
func (e *entry) gone() bool { return e.shard.entries[e.workspace] != e }

// line is entries in the order in which they are due. It implements [heap.Interface].
type line []*entry

func (l line) Len() int           { return len(l) }
func (l line) Less(i, j int) bool { return l[i].due.Before(l[j].due) }

func (l line) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].index, l[j].index = i, j
}

// Push implements [heap.Interface].
func (l *line) Push(x any) {
	e := x.(*entry) //nolint:forcetypeassert // a line is of entries alone
	e.index = len(*l)
	*l = append(*l, e)
}

// Pop implements [heap.Interface].
func (l *line) Pop() any {
	last := len(*l) - 1
	e := (*l)[last]
	(*l)[last] = nil
	*l, e.index = (*l)[:last], -1
	return e
}

// agenda is what is to be polled, in three lines: those whose service answers, the slow ones, which have a
// part of the places to themselves and none of the others', and those that wait for turns at an account that is shared by
// too many, which have some more. In each line whoever was due first is first: when
// there is more to do than time, all of a line are late alike.
//
// Of the places of the quick that nobody uses the slow may borrow all but half of them: those come back when the polls
// in them end, which are cut short when somebody quick must wait.
type agenda struct {
	timetable
	lines    [3]line // of the quick, of the slow, and of those that wait for turns
	free     [3]int  // places that are left to each; below 0: some were taken away that are still used
	queued   int     // places of those that wait for turns
	spare    int     // places of the quick that are never lent
	borrowed int     // by the slow
}

const (
	quick  = 0
	slow   = 1
	queued = 2
)

func (e *entry) class() int {
	switch {
	case e.queued:
		return queued
	case e.slow:
		return slow
	}
	return quick
}

// newAgenda is one with so many places, a quarter of which are for the slow, and some more for those that wait for turns.
func newAgenda(t timetable, places int) *agenda {
	forSlow := max(places/4, 1)
	forQuick := max(places-forSlow, 1)
	return &agenda{timetable: t, free: [3]int{forQuick, forSlow, queuedPlaces}, queued: queuedPlaces, spare: (forQuick + 1) / 2}
}

// amongReplicas leaves this one its part of the places for those that wait for turns: the longer their line is, the less of a
// poll is done in its time.
func (a *agenda) amongReplicas(of int) {
	part := max(queuedPlaces/of, leastQueued)
	a.free[queued], a.queued = a.free[queued]+part-a.queued, part
}

// lend lends the slow as many places as they need and may have; what they borrowed before and do not use goes back first.
func (a *agenda) lend(now time.Time) {
	unused := min(a.borrowed, a.free[slow])
	a.free[slow], a.free[quick], a.borrowed = a.free[slow]-unused, a.free[quick]+unused, a.borrowed-unused
	l, most := a.lines[slow], a.free[quick]-a.spare
	if a.free[slow] > 0 || most <= 0 || l.Len() == 0 || l[0].due.After(now) {
		return
	}
	due, _ := a.waiting(slow, now)
	n := min(due, most)
	a.free[slow], a.free[quick], a.borrowed = n, a.free[quick]-n, a.borrowed+n
}

// leave gives the place of a poll back that has ended: a borrowed one to the quick.
func (a *agenda) leave(class int) {
	if class == slow && a.borrowed > 0 {
		a.borrowed--
		class = quick
	}
	a.free[class]++
}

// add puts an entry into its line.
func (a *agenda) add(e *entry) { heap.Push(&a.lines[e.class()], e) }

// remove takes an entry out of its line, if it is in one.
func (a *agenda) remove(e *entry) {
	if e.index >= 0 {
		heap.Remove(&a.lines[e.class()], e.index)
	}
}

// take takes up to most entries that are due, while their line has a place left.
func (a *agenda) take(now time.Time, most int) (due []*entry) {
	for class := range a.lines {
		l := &a.lines[class]
		for left := a.free[class]; left > 0 && len(due) < most && l.Len() > 0 && !(*l)[0].due.After(now); {
			e := heap.Pop(l).(*entry) //nolint:forcetypeassert // see line
			due = append(due, e)
			if e.wanted {
				left--
			}
		}
	}
	return due
}

// waiting is how many are due and not begun, and since when the first of them; the zero time: none.
func (a *agenda) waiting(class int, now time.Time) (n int, since time.Time) {
	for _, e := range a.lines[class] {
		if e.due.After(now) {
			continue
		}
		n++
		since = earlier(since, e.due)
	}
	return n, since
}

// ended says how a poll ended.
type ended struct {
	began, at time.Time
	unheard   bool // the service answered nothing, or too late
	cut       bool // it had to make room: nothing is known of the service but that it is slow

	inLine time.Duration // for how long it waited because others were before it at its account
}

// waited says that most of the time so far went by in line.
func waited(inLine, took time.Duration) bool { return inLine > 0 && 2*inLine >= took }

// reschedule says when an entry is due next. Who answers soon is due at the next place on the timetable; who
// answers slowly is left alone for as long as it took; who does not answer, twice as long each time, up to some minutes. Who
// waited for turns leaves nobody alone by waiting again: the turns do that.
func (a *agenda) reschedule(e *entry, how ended) {
	took := how.at.Sub(how.began)
	least := slowAfter
	if e.queued {
		least = fewWaits // where many are quick, few are before each
	}
	e.wanted, e.queued = false, waited(how.inLine, took) && took >= least
	e.slow = !e.queued && (how.unheard || how.cut || took >= slowAfter)
	after := how.began
	switch {
	case how.cut:
		e.due = how.at // its turn among the slow, or those that wait
		return
	case how.unheard:
		e.unheard++
		after = after.Add(a.backoff(e.unheard))
	case e.queued:
		e.unheard, after = 0, how.at
	case e.slow:
		e.unheard, after = 0, how.at.Add(took)
	default:
		e.unheard = 0
	}
	e.due = a.next(e.place, after)
}

// backoff is how much later than at the next place a workspace is due after so many polls without an answer.
func (a *agenda) backoff(polls int) time.Duration {
	wait := a.period
	for ; polls > 1 && wait < mostBackoff; polls-- {
		wait *= 2
	}
	return max(min(wait, mostBackoff)-a.period, 0)
}
