package commandstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// Service is an order service that loses answers when told to.
type Service struct {
	sync.Mutex
	t             *testing.T    // fails when a job writes whose kind does not say that it needs the service; nil: nobody looks
	Orders        []order.Order // newest first
	added         int
	Credits       decimal.Decimal
	Dawdles       time.Duration  // until it tells the credits
	Slow          time.Duration  // until it answers an order
	calls         map[string]int // writes that reached it, by operation
	creates       int
	Placed        []upstream.NewOrder // what was ordered, each time
	Approves      int
	Lists         int
	NextCreate    []ServiceAnswer // the next answers
	NextApprove   []ServiceAnswer
	cancels       int
	NextCancel    []ServiceAnswer
	NextRevise    []ServiceAnswer
	NextMessage   []ServiceAnswer
	NextReference []ServiceAnswer
	revised       []map[string][]string // what was asked for, each time
	References    []upstream.RefImage
	Down          bool
	Strange       bool           // the list is refused: a wrong clock, say
	Shifting      bool           // the list has changed since it was asked for: its pages are empty
	Wordless      bool           // a search for keywords is refused
	Wordsick      bool           // a search for keywords is never answered as it should
	Limit         int            // letters of a name that are kept; 0: all
	Between       func(page int) // what happens before a page of the whole list is read
	Mute          bool           // an order cannot be read
	Curt          bool           // an order that is read comes without its conversation
	fetches       int
	Ponders       time.Duration // until it tells of an order
	Odd           string        // the reason for which it tells of none

	Instead func(order.Page) (order.Page, error) // what it shows of the whole list for a page
}

// ServiceAnswer is how the service answers a call: do carries it out.
type ServiceAnswer = func(do func() order.Order) (order.Order, error)

// ErrUnknown is a call of which nobody knows whether it was carried out.
var ErrUnknown = &order.Error{Op: "create", Outcome: order.ErrUnknown}

// Lost carries the call out and loses the answer.
func Lost(do func() order.Order) (order.Order, error) {
	do()
	return order.Order{}, ErrUnknown
}

// Never does nothing, and answers as if it might have.
func Never(func() order.Order) (order.Order, error) { return order.Order{}, ErrUnknown }

// Unsent is a service that was not reached.
func Unsent(func() order.Order) (order.Order, error) {
	return order.Order{}, &order.Error{Op: "create", Outcome: order.ErrUnavailable}
}

// Refused answers with these reasons.
func Refused(reasons ...string) ServiceAnswer {
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

// Timeout is how long an answer may take.
func (f *Service) Timeout() time.Duration { return 30 * time.Second }

// Balance tells the credits.
func (f *Service) Balance(ctx context.Context) (decimal.Decimal, error) {
	if f.Dawdles > 0 {
		select {
		case <-time.After(f.Dawdles):
		case <-ctx.Done():
			return decimal.Zero, ctx.Err()
		}
	}
	f.Lock()
	defer f.Unlock()
	if f.Down {
		return decimal.Zero, &order.Error{Op: "balance", Outcome: order.ErrUnavailable}
	}
	return f.Credits, nil
}

// Create places an order, and answers as it was told to.
func (f *Service) Create(ctx context.Context, o upstream.NewOrder) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "create"); err != nil {
		return order.Order{}, err
	}
	f.creates++
	f.Placed = append(f.Placed, o)
	if f.Slow > 0 {
		f.Unlock()
		<-time.After(f.Slow)
		f.Lock()
	}
	place := func() order.Order { return f.Add(o.ProjectName) }
	if len(f.NextCreate) > 0 {
		next := f.NextCreate[0]
		f.NextCreate = f.NextCreate[1:]
		order, err := next(place)
		return by("create", order, err)
	}
	return place(), nil
}

// ofKind is the kind of the job in hand, in its context.
type ofKind struct{}

// call counts a write; one to a service that is down never leaves. A job may write only when its kind says that it needs
// the service: else it would not wait while its workspace has no account.
func (f *Service) call(ctx context.Context, op string) error {
	if k, atWork := ctx.Value(ofKind{}).(queue.Declared); atWork && !k.NeedsService && f.t != nil {
		f.t.Errorf("a job of kind %s sends %s to the service: its kind has to say that it needs it", k.Name, op)
	}
	if f.Down {
		return &order.Error{Op: op, Outcome: order.ErrUnavailable}
	}
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[op]++
	return nil
}

// Called is how often a write reached it.
func (f *Service) Called(op string) int {
	f.Lock()
	defer f.Unlock()
	return f.calls[op]
}

// Fetched is how often an order was asked for.
func (f *Service) Fetched() int {
	f.Lock()
	defer f.Unlock()
	return f.fetches
}

// Listed is how often a page of the list, or a search, was asked for.
func (f *Service) Listed() int {
	f.Lock()
	defer f.Unlock()
	return f.Lists
}

// Add puts an order on the service's list.
func (f *Service) Add(project string) order.Order {
	zero := 0
	if f.Limit > 0 {
		project = project[:min(f.Limit, len(project))]
	}
	f.added++
	o := order.Order{
		ID: fmt.Sprintf("order%d", f.added), ProjectName: project, Status: order.StatusEditing, Revision: &zero,
		OrderedAt: time.Now(),
	}
	f.Orders = append([]order.Order{o}, f.Orders...)
	return o
}

// List is a page of the orders.
func (f *Service) List(_ context.Context, filter order.Filter) (order.Page, error) {
	f.Lock()
	defer f.Unlock()
	f.Lists++
	if f.Down {
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	}
	if f.Strange {
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"invalid timestamp"}}
	}
	n := max(filter.Page, 1)
	switch whole := len(filter.Keywords) == 0; {
	case f.Wordless && !whole:
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"filter_keywords is not available"}}
	case f.Wordsick && !whole:
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	case f.Shifting && whole:
		return order.Page{TotalPages: 9, Total: f.Lists, Current: n, PerPage: 20}, nil
	case f.Between != nil && whole:
		f.Between(n)
	}
	found := f.Orders
	if len(filter.Keywords) > 0 {
		found = nil
		for _, o := range f.Orders {
			if strings.Contains(o.ProjectName, filter.Keywords[0]) {
				found = append(found, o)
			}
		}
	}
	page := order.Page{TotalPages: (len(found) + 19) / 20, Total: len(found), Current: n, PerPage: 20}
	page.Orders = slices.Clone(found[min((n-1)*20, len(found)):min(n*20, len(found))])
	if f.Instead != nil && len(filter.Keywords) == 0 {
		return f.Instead(page)
	}
	return page, nil
}

// Fetch is one order.
func (f *Service) Fetch(ctx context.Context, id string) (order.Order, error) {
	if f.Ponders > 0 {
		select {
		case <-time.After(f.Ponders):
		case <-ctx.Done():
			return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
		}
	}
	f.Lock()
	defer f.Unlock()
	if f.Odd != "" {
		return order.Order{}, &order.Error{Op: "fetch", Messages: []string{f.Odd}}
	}
	if f.Down {
		return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
	}
	f.fetches++
	if f.Mute {
		return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
	}
	if o := f.Find(id); o != nil {
		seen := *o
		if f.Curt {
			seen.Conversation = nil
		}
		return seen, nil
	}
	return order.Order{}, &order.Error{Op: "fetch", Messages: []string{"invalid order id"}}
}

// Find returns the order itself, nil if unknown. The caller holds the lock.
func (f *Service) Find(id string) *order.Order {
	for i := range f.Orders {
		if f.Orders[i].ID == id {
			return &f.Orders[i]
		}
	}
	return nil
}

// Approve closes an order in review.
func (f *Service) Approve(ctx context.Context, id string, _ []string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "approve"); err != nil {
		return order.Order{}, err
	}
	f.Approves++
	o := f.Find(id)
	if o.Status != order.StatusReviewing {
		return order.Order{}, &order.Error{Op: "approve", Messages: []string{"invalid order status"}}
	}
	do := func() order.Order {
		o.Status, o.ClosedAt = order.StatusClosed, time.Now()
		return *o
	}
	if len(f.NextApprove) > 0 {
		next := f.NextApprove[0]
		f.NextApprove = f.NextApprove[1:]
		return next(do)
	}
	return do(), nil
}

// next answers with the change, or as it was told to.
func (f *Service) next(op string, answers *[]ServiceAnswer, do func() order.Order) (order.Order, error) {
	if len(*answers) == 0 {
		return do(), nil
	}
	answer := (*answers)[0]
	*answers = (*answers)[1:]
	o, err := answer(do)
	return by(op, o, err)
}

// Cancel ends an order that is not over.
func (f *Service) Cancel(ctx context.Context, id string, _ []string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "cancel"); err != nil {
		return order.Order{}, err
	}
	f.cancels++
	o := f.Find(id)
	if o.Status.Final() {
		return order.Order{}, &order.Error{Op: "cancel", Messages: []string{"15 min deadline passed"}}
	}
	return f.next("cancel", &f.NextCancel, func() order.Order {
		o.Status, o.CanceledAt = order.StatusCanceled, time.Now()
		return *o
	})
}

// Revise sends an order in review back to its editor.
func (f *Service) Revise(ctx context.Context, id string, words map[string][]string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "revise"); err != nil {
		return order.Order{}, err
	}
	o := f.Find(id)
	if o.Status != order.StatusReviewing {
		return order.Order{}, &order.Error{Op: "revise", Messages: []string{"invalid order status"}}
	}
	return f.next("revise", &f.NextRevise, func() order.Order {
		f.revised = append(f.revised, words)
		revision := o.Rev() + 1
		o.Status, o.Revision, o.RevisionRequestedAt = order.StatusRevising, &revision, time.Now()
		return *o
	})
}

// Message brings words to the editor, the same words once.
func (f *Service) Message(ctx context.Context, id, text string) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "message"); err != nil {
		return order.Order{}, err
	}
	o := f.Find(id)
	for _, said := range o.Conversation {
		if said.Content == text {
			return order.Order{}, &order.Error{Op: "message", Messages: []string{"Please do not post duplicated message"}}
		}
	}
	return f.next("message", &f.NextMessage, func() order.Order {
		o.Conversation = append([]order.Entry{{From: "client", Content: text, CreatedAt: time.Now()}}, o.Conversation...)
		return *o
	})
}

// AddReferences gives images to the editor, each once.
func (f *Service) AddReferences(ctx context.Context, id string, images []upstream.RefImage) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "reference"); err != nil {
		return order.Order{}, err
	}
	o := f.Find(id)
	for _, image := range images {
		for _, has := range f.References {
			if has.URL == image.URL && len(f.NextReference) == 0 { // else it answers as it was told to
				return order.Order{}, &order.Error{Op: "reference", Messages: []string{"Please do not post duplicated images"}}
			}
		}
	}
	return f.next("reference", &f.NextReference, func() order.Order {
		f.References = append(f.References, images...)
		return *o
	})
}

// Set changes how the service behaves.
func (f *Service) Set(change func(f *Service)) {
	f.Lock()
	defer f.Unlock()
	change(f)
}

// Edit changes an order as the service's own people would.
func (f *Service) Edit(id string, change func(o *order.Order)) {
	f.Lock()
	defer f.Unlock()
	change(f.Find(id))
}

// Sent is how often the service was asked to place an order, and to approve one.
func (f *Service) Sent() (creates, approves int) {
	f.Lock()
	defer f.Unlock()
	return f.creates, f.Approves
}

// Others puts that many orders of other clients on the list, the latest of them that long
// ago and one a second before it.
func (f *Service) Others(n int, ago time.Duration) {
	for i := range n {
		f.Orders = append(f.Orders, order.Order{
			ID: fmt.Sprintf("other%d", len(f.Orders)), ProjectName: fmt.Sprintf("Other %d", i), Status: order.StatusEditing,
			OrderedAt: time.Now().Add(-ago - time.Duration(i)*time.Second),
		})
	}
}

// Leaves takes an order off the list, as one that was canceled.
func (f *Service) Leaves(i int) { f.Orders = slices.Delete(f.Orders, i, i+1) }

// TooMany is the answer to who asks too often.
var TooMany = &order.Error{Op: "list", Outcome: order.ErrRateLimited, RetryAfter: 45 * time.Second}

// Limits is a service that allows so many pages at a time.
func (f *Service) Limits(pages int) {
	f.Instead = func(p order.Page) (order.Page, error) {
		if p.Current > pages {
			return order.Page{}, TooMany
		}
		return p, nil
	}
}
