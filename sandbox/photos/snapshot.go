package photos

import (
	"maps"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// Picture is an image entry of a new order.
type Picture struct {
	URL         string
	Service     string // "basic" or "extensive"
	Instruction string
}

// Reference is an image that is looked at and not edited.
type Reference struct {
	URL         string
	Instruction string
}

// Entry is one message of a conversation.
type Entry struct {
	From      string    `json:"from"` // "client", or the service's name
	Content   string    `json:"content"`
	Revision  int       `json:"-"`
	CreatedAt time.Time `json:"at"`
}

// Edited is a delivered image.
type Edited struct {
	ID, Name      string
	Source        int // index of the picture it was made of
	Width, Height int
	Revision      int
	Thumb, Origin string // paths below the base URL
}

// Order is what the service knows of an order, for assertions and, as JSON, for the desk.
type Order struct {
	ID       string `json:"id"`
	Project  string `json:"project"`
	Customer string `json:"customer"`
	Asked    string `json:"-"` // the name that its client gave it; Project is what the service made of it

	Price        decimal.Decimal       `json:"price"`
	Status       string                `json:"status"`
	Revision     int                   `json:"revision"`
	OrderedAt    time.Time             `json:"ordered_at"`
	Instructions []string              `json:"instructions"`
	Images       []Picture             `json:"-"`        // those to edit
	Names        []string              `json:"-"`        // of the files of Images
	References   []Reference           `json:"-"`        // from create and added later
	Edited       []Edited              `json:"-"`        // of all revisions, oldest first
	Messages     []Entry               `json:"messages"` // oldest first
	Revisions    []map[string][]string `json:"-"`        // the instructions of each revise, by image id
	Feedback     []string              `json:"feedback"`
	CancelReason []string              `json:"cancel_reason"`
	Approvals    int                   `json:"-"` // how often it was approved; never more than 1
	History      []Deed                `json:"-"` // all that happened to it, oldest first
}

// Orders returns every order, canceled ones too, oldest first.
func (s *Service) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Order, 0, len(s.orders))
	for _, o := range s.orders {
		all = append(all, o.snapshot())
	}
	return all
}

// Order returns the order of that id, if there is one.
func (s *Service) Order(id string) (Order, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.byID[id]
	if !ok {
		return Order{}, false
	}
	return o.snapshot(), true
}

// Credits is what is left on the account.
func (s *Service) Credits() decimal.Decimal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.credits
}

// AddCredits puts credits on the account; a negative delta takes them away.
func (s *Service) AddCredits(delta decimal.Decimal) {
	defer s.change()()
	s.credits = s.credits.Add(delta)
}

func (o *order) snapshot() Order {
	copied := Order{
		ID: o.id, Project: o.project, Asked: o.asked, Customer: o.customer,
		Price: o.price, Status: string(o.status), Revision: o.revision, OrderedAt: o.orderedAt,
		Instructions: slices.Clone(o.instructions),
		References:   slices.Clone(o.references),
		Messages:     slices.Clone(o.entries),
		Feedback:     slices.Clone(o.feedback),
		CancelReason: slices.Clone(o.cancelReason),
		Approvals:    o.approvals,
		History:      slices.Clone(o.history),
	}
	for _, src := range o.sources {
		copied.Images = append(copied.Images, src.Picture)
		copied.Names = append(copied.Names, src.name)
	}
	for _, e := range o.edited {
		copied.Edited = append(copied.Edited, Edited{
			ID: e.id, Name: e.name, Source: e.source, Width: e.width, Height: e.height,
			Revision: e.revision, Thumb: e.thumb, Origin: e.origin,
		})
	}
	for _, r := range o.revisions {
		copied.Revisions = append(copied.Revisions, maps.Clone(r))
	}
	return copied
}
