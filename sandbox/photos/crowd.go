package photos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Crowd are the orders of other clients of the same account: a shop that has been with
// the service for years, and other programs that order under its key. They are on the
// books as any order is, in lists and searches, and by their ids; only [Service.Orders]
// leaves them out, as do the editor and his desk.
type Crowd struct {
	Size  int           // orders at the start
	Span  time.Duration // how long ago the first of them was placed; 0 = two years
	Every time.Duration // between two new ones, on the service's clock; 0 = they come by [Service.Arrive] only
}

// crowd is what of it the service keeps, guarded by its mutex. A list walks the orders as
// they lie, so that twenty thousand of them cost it less than the request does.
type crowd struct {
	every  time.Duration
	last   time.Time // when the latest came by itself
	rand   *rand.Rand
	orders []*order // oldest first
}

// mostArrivals is how many orders come by themselves between two looks: a clock that
// leaps a year brings no million of them.
const mostArrivals = 1000

// settleTime is the age by which nearly every order of a crowd has ended.
const settleTime = 3 * 24 * time.Hour

// gather puts the crowd of the options on the books.
func (s *Service) gather() {
	o, now := s.opts.Crowd, s.opts.Now()
	s.crowd = crowd{every: o.Every, last: now, rand: rand.New(rand.NewPCG(s.opts.Seed, 0x63726f7764))}
	span := cmp.Or(o.Span, 2*365*24*time.Hour)
	ages := make([]time.Duration, o.Size)
	for i := range ages {
		ages[i] = time.Duration(s.crowd.rand.Int64N(int64(span)))
	}
	slices.Sort(ages)
	s.crowd.orders = slices.Grow(s.crowd.orders, o.Size)
	for _, age := range slices.Backward(ages) {
		s.join(now.Add(-age), s.crowd.state(age))
	}
}

// state is what an order of that age has come to.
func (c *crowd) state(age time.Duration) status {
	draw := c.rand.IntN(100)
	switch {
	case draw < 3:
		return canceled
	case age < settleTime:
		return []status{editing, editing, reviewing, revising, paused}[c.rand.IntN(5)]
	case draw < 5: // nobody ever looked at it
		return reviewing
	case draw < 6:
		return paused
	}
	return closed
}

// Arrive places that many new orders of other clients now: every page of a list that is
// being read shifts by as many.
func (s *Service) Arrive(orders int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range orders {
		s.join(s.opts.Now(), editing)
	}
}

// Arrives has that many orders of other clients placed right before the call is carried
// out: queued for [List], pages shift between one and the next.
func Arrives(orders int) Fault {
	return Fault{name: "arrives", before: func(s *Service, _ http.ResponseWriter) bool {
		s.Arrive(orders)
		return false
	}}
}

// catchUp places what came since somebody last looked; the mutex is held.
func (s *Service) catchUp() {
	if s.crowd.every <= 0 {
		return
	}
	due := int(s.opts.Now().Sub(s.crowd.last) / s.crowd.every)
	for i := range min(due, mostArrivals) {
		s.join(s.crowd.last.Add(time.Duration(i+1)*s.crowd.every), editing)
	}
	if due > 0 {
		s.crowd.last = s.crowd.last.Add(time.Duration(due) * s.crowd.every)
	}
}

// join adds an order to the crowd, which stays sorted; the mutex is held.
func (s *Service) join(at time.Time, state status) {
	c := &s.crowd
	o := &order{
		id:           drawID(c.rand, 8, func(id string) bool { return s.byID[id] != nil }),
		project:      c.projectName(),
		price:        decimal.NewFromInt(int64(1 + c.rand.IntN(9))),
		status:       state,
		orderedAt:    at,
		estimatedAt:  at.Add(s.opts.Turnaround),
		instructions: crowdWishes[c.rand.IntN(len(crowdWishes))],
	}
	switch state {
	case paused:
		o.before = editing
	case closed:
		o.closedAt = at.Add(time.Duration(1+c.rand.IntN(48)) * time.Hour)
	case revising:
		o.revision, o.revisionRequestedAt = 1, at.Add(time.Hour)
	}
	if c.rand.IntN(3) == 0 {
		o.customer = fmt.Sprint(1000 + c.rand.IntN(9000))
	}
	o.words = o.searchable()
	s.byID[o.id] = o
	c.orders = append(c.orders, o)
	if n := len(c.orders); n > 1 && o.orderedAt.Before(c.orders[n-2].orderedAt) {
		c.sort()
	}
}

func (c *crowd) sort() {
	slices.SortStableFunc(c.orders, func(a, b *order) int { return a.orderedAt.Compare(b.orderedAt) })
}

// crowdWishes are the instructions of a crowd's orders, shared by all of them.
var crowdWishes = [][]string{
	{"Brighten the faces.", "Keep the evening light."},
	{"Remove the background.", "White, with a soft shadow."},
	{"Straighten the horizon."},
	{"Same look as the last order, please."},
	{"Natural skin, no plastic."},
}

// projectName is a name as people and other programs give them, some of which end their
// names in a reference as well.
func (c *crowd) projectName() string {
	pick := func(words ...string) string { return words[c.rand.IntN(len(words))] }
	what := pick("wedding", "catalogue", "portraits", "apartment", "menu", "team photos", "spring collection", "school day")
	who := pick("Smith", "Okafor", "Lindqvist", "Moreau", "Tanaka", "Novak", "García", "Harbor Street 9", "Alder & Sons", "Studio Nord")
	name := fmt.Sprintf("%s %s %d", who, what, 1+c.rand.IntN(400))
	if c.rand.IntN(8) > 0 {
		return name
	}
	return fmt.Sprintf("%s [%s]", name, strings.ToUpper(drawID(c.rand, 6, func(string) bool { return false })))
}
