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
	t              *testing.T    // fails if a job writes whose kind lacks NeedsService; nil: no check
	Orders         []order.Order // newest first
	added          int
	Credits        decimal.Decimal
	BalanceDelay   time.Duration  // delay of the credits
	Slow           time.Duration  // delay of creating an order
	calls          map[string]int // number of writes by operation
	creates        int
	Placed         []upstream.NewOrder // the request of each create
	Approves       int
	Lists          int
	NextCreate     []ServiceAnswer // the next creates' answers; default success
	NextApprove    []ServiceAnswer
	cancels        int
	NextCancel     []ServiceAnswer
	NextRevise     []ServiceAnswer
	NextMessage    []ServiceAnswer
	NextReference  []ServiceAnswer
	revised        []map[string][]string // the request of each revise
	References     []upstream.RefImage
	Down           bool
	ListRefused    bool           // the list is refused, as with a wrong clock
	ListChanging   bool           // the list keeps changing: its pages are empty
	SearchRefused  bool           // keyword searches are refused
	SearchDown     bool           // keyword searches are unavailable
	Limit          int            // letters of a name that the service keeps; 0: all
	Between        func(page int) // runs before a page of the whole list is read
	Mute           bool           // orders are unavailable
	NoConversation bool           // orders come without their conversation
	fetches        int
	FetchDelay     time.Duration // delay of reading an order
	FetchRefusal   string        // refusal of reading an order; "": none

	Instead func(order.Page) (order.Page, error) // replaces a page of the whole list
}

// ServiceAnswer answers a call; do carries it out.
type ServiceAnswer = func(do func() order.Order) (order.Order, error)

// ErrUnknown is the error of a call with an unknown outcome.
var ErrUnknown = &order.Error{Op: "create", Outcome: order.ErrUnknown}

// Lost carries the call out and loses the answer.
func Lost(do func() order.Order) (order.Order, error) {
	do()
	return order.Order{}, ErrUnknown
}

// Never loses the call and its answer.
func Never(func() order.Order) (order.Order, error) { return order.Order{}, ErrUnknown }

// Unsent is an answer of a service that was not reached.
func Unsent(func() order.Order) (order.Order, error) {
	return order.Order{}, &order.Error{Op: "create", Outcome: order.ErrUnavailable}
}

// Refused refuses with these reasons.
func Refused(reasons ...string) ServiceAnswer {
	return func(func() order.Order) (order.Order, error) {
		return order.Order{}, &order.Error{Messages: reasons}
	}
}

// Timeout bounds a call.
func (f *Service) Timeout() time.Duration { return 30 * time.Second }

// Balance returns the credits.
func (f *Service) Balance(ctx context.Context) (decimal.Decimal, error) {
	if f.BalanceDelay > 0 {
		select {
		case <-time.After(f.BalanceDelay):
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

// Create places an order, or answers with NextCreate.
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
	return f.next("create", &f.NextCreate, func() order.Order { return f.Add(o.ProjectName) })
}

// ofKind is the context key of the running job's kind.
type ofKind struct{}

// call counts a write, and fails while the service is down. A job may write only if its kind has NeedsService: else the
// job would not wait while its workspace has no account.
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

// Called returns the number of writes of an operation.
func (f *Service) Called(op string) int {
	f.Lock()
	defer f.Unlock()
	return f.calls[op]
}

// Fetched returns the number of reads of an order.
func (f *Service) Fetched() int {
	f.Lock()
	defer f.Unlock()
	return f.fetches
}

// Listed returns the number of pages and searches.
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

// List returns a page of the orders.
func (f *Service) List(_ context.Context, filter order.Filter) (order.Page, error) {
	f.Lock()
	defer f.Unlock()
	f.Lists++
	if f.Down {
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	}
	if f.ListRefused {
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"invalid timestamp"}}
	}
	n := max(filter.Page, 1)
	switch whole := len(filter.Keywords) == 0; {
	case f.SearchRefused && !whole:
		return order.Page{}, &order.Error{Op: "list", Messages: []string{"filter_keywords is not available"}}
	case f.SearchDown && !whole:
		return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnavailable}
	case f.ListChanging && whole:
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

// Fetch returns an order.
func (f *Service) Fetch(ctx context.Context, id string) (order.Order, error) {
	if f.FetchDelay > 0 {
		select {
		case <-time.After(f.FetchDelay):
		case <-ctx.Done():
			return order.Order{}, &order.Error{Op: "fetch", Outcome: order.ErrUnavailable}
		}
	}
	f.Lock()
	defer f.Unlock()
	if f.FetchRefusal != "" {
		return order.Order{}, &order.Error{Op: "fetch", Messages: []string{f.FetchRefusal}}
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
		if f.NoConversation {
			seen.Conversation = nil
		}
		return seen, nil
	}
	return order.Order{}, &order.Error{Op: "fetch", Messages: []string{"invalid order id"}}
}

// Find returns the stored order, nil if unknown. The caller holds the lock.
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
	return f.next("approve", &f.NextApprove, func() order.Order {
		o.Status, o.ClosedAt = order.StatusClosed, time.Now()
		return *o
	})
}

// next carries do out, or answers with the first of answers; op is the operation of its refusal.
func (f *Service) next(op string, answers *[]ServiceAnswer, do func() order.Order) (order.Order, error) {
	if len(*answers) == 0 {
		return do(), nil
	}
	answer := (*answers)[0]
	*answers = (*answers)[1:]
	o, err := answer(do)
	if refused, ok := errors.AsType[*order.Error](err); ok && refused.Op == "" {
		refused.Op = op
	}
	return o, err
}

// Cancel cancels an order that is not finished.
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

// Message sends a text to the editor, and refuses a repeated one.
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

// AddReferences sends images to the editor, and refuses repeated ones.
func (f *Service) AddReferences(ctx context.Context, id string, images []upstream.RefImage) (order.Order, error) {
	f.Lock()
	defer f.Unlock()
	if err := f.call(ctx, "reference"); err != nil {
		return order.Order{}, err
	}
	o := f.Find(id)
	for _, image := range images {
		for _, has := range f.References {
			if has.URL == image.URL && len(f.NextReference) == 0 { // else NextReference answers
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

// Edit changes an order at the service.
func (f *Service) Edit(id string, change func(o *order.Order)) {
	f.Lock()
	defer f.Unlock()
	change(f.Find(id))
}

// Sent returns the number of creates and approves.
func (f *Service) Sent() (creates, approves int) {
	f.Lock()
	defer f.Unlock()
	return f.creates, f.Approves
}

// Others adds n orders of other clients: the newest is ago old, and each next one a second older.
func (f *Service) Others(n int, ago time.Duration) {
	for i := range n {
		f.Orders = append(f.Orders, order.Order{
			ID: fmt.Sprintf("other%d", len(f.Orders)), ProjectName: fmt.Sprintf("Other %d", i), Status: order.StatusEditing,
			OrderedAt: time.Now().Add(-ago - time.Duration(i)*time.Second),
		})
	}
}

// Leaves removes an order from the list, as after a cancellation.
func (f *Service) Leaves(i int) { f.Orders = slices.Delete(f.Orders, i, i+1) }

// TooMany is the error of a caller over the rate limit.
var TooMany = &order.Error{Op: "list", Outcome: order.ErrRateLimited, RetryAfter: 45 * time.Second}

// Limits allows that many pages and then fails with [TooMany].
func (f *Service) Limits(pages int) {
	f.Instead = func(p order.Page) (order.Page, error) {
		if p.Current > pages {
			return order.Page{}, TooMany
		}
		return p, nil
	}
}
