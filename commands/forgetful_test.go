package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/upstream"
)

// forgetful is an order service that loses answers when told to.
type forgetful struct {
	sync.Mutex
	orders        []order.Order // newest first
	added         int
	credits       decimal.Decimal
	dawdles       time.Duration  // until it tells the credits
	calls         map[string]int // writes that reached it, by operation
	creates       int
	placed        []upstream.NewOrder // what was ordered, each time
	approves      int
	lists         int
	nextCreate    []func(place func() order.Order) (order.Order, error) // the next answers
	nextApprove   []func(do func() order.Order) (order.Order, error)
	cancels       int
	nextCancel    []func(do func() order.Order) (order.Order, error)
	nextRevise    []func(do func() order.Order) (order.Order, error)
	nextMessage   []func(do func() order.Order) (order.Order, error)
	nextReference []func(do func() order.Order) (order.Order, error)
	revised       []map[string][]string // what was asked for, each time
	references    []upstream.RefImage
	down          bool
	strange       bool           // the list is refused: a wrong clock, say
	shifting      bool           // the list has changed since it was asked for: its pages are empty
	wordless      bool           // a search for keywords is refused
	wordsick      bool           // a search for keywords is never answered as it should
	limit         int            // letters of a name that are kept; 0: all
	between       func(page int) // what happens before a page of the whole list is read
	mute          bool           // an order cannot be read
	curt          bool           // an order that is read comes without its conversation
	fetches       int
	ponders       time.Duration // until it tells of an order
	odd           string        // the reason for which it tells of none

	instead func(order.Page) (order.Page, error) // what it shows of the whole list for a page
}

var errUnknown = &order.Error{Op: "create", Outcome: order.ErrUnknown}

// lost carries the call out and loses the answer; never does nothing and answers as
// if it might have.
func lost(do func() order.Order) (order.Order, error) {
	do()
	return order.Order{}, errUnknown
}

func never(func() order.Order) (order.Order, error) { return order.Order{}, errUnknown }

func unsent(func() order.Order) (order.Order, error) {
	return order.Order{}, &order.Error{Op: "create", Outcome: order.ErrUnavailable}
}

// refused answers with these reasons.
func refused(reasons ...string) func(func() order.Order) (order.Order, error) {
	return func(func() order.Order) (order.Order, error) {
		return order.Order{}, &order.Error{Messages: reasons}
	}
}

// by names the operation that refused.
func by(op string, o order.Order, err error) (order.Order, error) {
	var refused *order.Error
	if errors.As(err, &refused) && refused.Op == "" {
		refused.Op = op
	}
	return o, err
}

func (f *forgetful) Timeout() time.Duration { return 30 * time.Second }

func (f *forgetful) Balance(ctx context.Context) (decimal.Decimal, error) {
	if f.dawdles > 0 {
		select {
		case <-time.After(f.dawdles):
		case <-ctx.Done():
			return decimal.Zero, ctx.Err()
		}
	}
	f.Lock()
	defer f.Unlock()
	if f.down {
		return decimal.Zero, &order.Error{Op: "balance", Outcome: order.ErrUnavailable}
	}
	return f.credits, nil
}

func (f *forgetful) Create(_ context.Context, o upstream.NewOrder) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("create"); err != nil {
		return order.Order{}, err
	}
	f.creates++
	f.placed = append(f.placed, o)
	place := func() order.Order { return f.add(o.ProjectName) }
	if len(f.nextCreate) > 0 {
		next := f.nextCreate[0]
		f.nextCreate = f.nextCreate[1:]
		order, err := next(place)
		return by("create", order, err)
	}
	return place(), nil
}

// call counts a call; one to a service that is down never leaves.
func (f *forgetful) call(op string) error {
	if f.down {
		return &order.Error{Op: op, Outcome: order.ErrUnavailable}
	}
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[op]++
	return nil
}

// called is how often a write reached it.
func (f *forgetful) called(op string) int {
	f.Lock()
	defer f.Unlock()
	return f.calls[op]
}

// fetched is how often an order was asked for.
func (f *forgetful) fetched() int {
	f.Lock()
	defer f.Unlock()
	return f.fetches
}

// listed is how often a page of the list, or a search, was asked for.
func (f *forgetful) listed() int {
	f.Lock()
	defer f.Unlock()
	return f.lists
}

// add puts an order on the service's list.
func (f *forgetful) add(project string) order.Order {
	zero := 0
	if f.limit > 0 {
		project = project[:min(f.limit, len(project))]
	}
	f.added++
	o := order.Order{
		ID: fmt.Sprintf("order%d", f.added), ProjectName: project, Status: order.StatusEditing, Revision: &zero,
		OrderedAt: time.Now(),
	}
	f.orders = append([]order.Order{o}, f.orders...)
	return o
}

func (f *forgetful) List(_ context.Context, filter order.Filter) (order.Page, error) {
	f.Lock()
	defer f.Unlock()
	f.lists++
	if f.down {
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	}
	if f.strange {
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"invalid timestamp"}}
	}
	n := max(filter.Page, 1)
	switch whole := len(filter.Keywords) == 0; {
	case f.wordless && !whole:
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"filter_keywords is not available"}}
	case f.wordsick && !whole:
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	case f.shifting && whole:
		return order.Page{TotalPages: 9, Total: f.lists, Current: n, PerPage: 20}, nil
	case f.between != nil && whole:
		f.between(n)
	}
	found := f.orders
	if len(filter.Keywords) > 0 {
		found = nil
		for _, o := range f.orders {
			if strings.Contains(o.ProjectName, filter.Keywords[0]) {
				found = append(found, o)
			}
		}
	}
	page := order.Page{TotalPages: (len(found) + 19) / 20, Total: len(found), Current: n, PerPage: 20}
	page.Orders = slices.Clone(found[min((n-1)*20, len(found)):min(n*20, len(found))])
	if f.instead != nil && len(filter.Keywords) == 0 {
		return f.instead(page)
	}
	return page, nil
}

func (f *forgetful) Fetch(ctx context.Context, id string) (order.Order, error) {
	if f.ponders > 0 {
		select {
		case <-time.After(f.ponders):
		case <-ctx.Done():
			return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
		}
	}
	f.Lock()
	defer f.Unlock()
	if f.odd != "" {
		return order.Order{}, &order.Error{Op: "fetch", Messages: []string{f.odd}}
	}
	if f.down {
		return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
	}
	f.fetches++
	if f.mute {
		return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
	}
	if o := f.find(id); o != nil {
		seen := *o
		if f.curt {
			seen.Conversation = nil
		}
		return seen, nil
	}
	return order.Order{}, &order.Error{Op: "fetch", Messages: []string{"invalid order id"}}
}

func (f *forgetful) find(id string) *order.Order {
	for i := range f.orders {
		if f.orders[i].ID == id {
			return &f.orders[i]
		}
	}
	return nil
}

func (f *forgetful) Approve(_ context.Context, id string, _ []string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("approve"); err != nil {
		return order.Order{}, err
	}
	f.approves++
	o := f.find(id)
	if o.Status != order.StatusReviewing {
		return order.Order{}, &order.Error{Op: "approve", Messages: []string{"invalid order status"}}
	}
	do := func() order.Order {
		o.Status, o.ClosedAt = order.StatusClosed, time.Now()
		return *o
	}
	if len(f.nextApprove) > 0 {
		next := f.nextApprove[0]
		f.nextApprove = f.nextApprove[1:]
		return next(do)
	}
	return do(), nil
}

// next answers with the change, or as it was told to.
func (f *forgetful) next(op string, answers *[]func(func() order.Order) (order.Order, error), do func() order.Order) (order.Order, error) {
	if len(*answers) == 0 {
		return do(), nil
	}
	answer := (*answers)[0]
	*answers = (*answers)[1:]
	o, err := answer(do)
	return by(op, o, err)
}

func (f *forgetful) Cancel(_ context.Context, id string, _ []string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("cancel"); err != nil {
		return order.Order{}, err
	}
	f.cancels++
	o := f.find(id)
	if o.Status.Final() {
		return order.Order{}, &order.Error{Op: "cancel", Messages: []string{"15 min deadline passed"}}
	}
	return f.next("cancel", &f.nextCancel, func() order.Order {
		o.Status, o.CanceledAt = order.StatusCanceled, time.Now()
		return *o
	})
}

func (f *forgetful) Revise(_ context.Context, id string, words map[string][]string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("revise"); err != nil {
		return order.Order{}, err
	}
	o := f.find(id)
	if o.Status != order.StatusReviewing {
		return order.Order{}, &order.Error{Op: "revise", Messages: []string{"invalid order status"}}
	}
	return f.next("revise", &f.nextRevise, func() order.Order {
		f.revised = append(f.revised, words)
		revision := o.Rev() + 1
		o.Status, o.Revision, o.RevisionRequestedAt = order.StatusRevising, &revision, time.Now()
		return *o
	})
}

func (f *forgetful) Message(_ context.Context, id, text string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("message"); err != nil {
		return order.Order{}, err
	}
	o := f.find(id)
	for _, said := range o.Conversation {
		if said.Content == text {
			return order.Order{}, &order.Error{Op: "message", Messages: []string{"Please do not post duplicated message"}}
		}
	}
	return f.next("message", &f.nextMessage, func() order.Order {
		o.Conversation = append([]order.Entry{{From: "client", Content: text, CreatedAt: time.Now()}}, o.Conversation...)
		return *o
	})
}

func (f *forgetful) AddReferences(_ context.Context, id string, images []upstream.RefImage) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call("reference"); err != nil {
		return order.Order{}, err
	}
	o := f.find(id)
	for _, image := range images {
		for _, has := range f.references {
			if has.URL == image.URL && len(f.nextReference) == 0 { // else it answers as it was told to
				return order.Order{}, &order.Error{Op: "reference", Messages: []string{"Please do not post duplicated images"}}
			}
		}
	}
	return f.next("reference", &f.nextReference, func() order.Order {
		f.references = append(f.references, images...)
		return *o
	})
}

// set changes how the service behaves.
func (f *forgetful) set(change func(f *forgetful)) {
	f.Lock()
	defer f.Unlock()
	change(f)
}

// edit changes an order as the service's own people would.
func (f *forgetful) edit(id string, change func(o *order.Order)) {
	f.Lock()
	defer f.Unlock()
	change(f.find(id))
}

func (f *forgetful) sent() (creates, approves int) {
	f.Lock()
	defer f.Unlock()
	return f.creates, f.approves
}
