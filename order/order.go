// Package order is what an order is, whoever made it and whatever service edits it: its types,
// how an answer is laid over what was known ([Merge]), what happened in between ([Diff]), what
// the service takes at most, and the policy: which verb is possible with it now, with the reason
// when not ([Known.WhyNot]). All of it is pure: nothing here asks anybody or keeps anything.
//
// Where to look: order.go has the types and the limits, policy.go which verb is possible when and why
// not, event.go what can happen to an order; merge.go and diff.go read an answer, conversation.go
// and entries.go the conversation in it; brief.go what was asked for, match.go which image edits which photo of it; errors.go and reasons.go are what went wrong, name.go how
// projects are named.
//
// The service is known by its interface alone. What its refusals mean ([ReasonOf]) and what became
// of a request ([Error]) are said here too, because every room branches on it.
package order

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Order is what one answer told about an order. Each operation tells a
// different part: nil, "", an invalid price or the zero time means that the
// answer did not say, never that it is zero.
type Order struct {
	ID          string              `json:"id,omitempty"`
	ProjectName string              `json:"project_name,omitempty"`
	CustomerID  string              `json:"customer_id,omitempty"` // digits exactly as sent
	Price       decimal.NullDecimal `json:"price,omitzero"`        // credits
	Status      Status              `json:"status,omitempty"`
	Revision    *int                `json:"revision,omitempty"`

	OrderedAt           time.Time `json:"ordered_at,omitzero"`
	EstimatedDelivery   time.Time `json:"estimated_delivery,omitzero"`
	RevisionRequestedAt time.Time `json:"revision_requested_at,omitzero"`
	ClosedAt            time.Time `json:"closed_at,omitzero"`
	CanceledAt          time.Time `json:"canceled_at,omitzero"`

	EditedImages []EditedImage `json:"edited_images,omitzero"` // nil: not told; empty: none
	Conversation []Entry       `json:"conversation,omitzero"`  // oldest first; nil: not told

	// Cut says that the answer has more images than are kept, and CutEntries more entries. They are never kept themselves.
	Cut        bool `json:"-"`
	CutEntries bool `json:"-"`
}

// Rev is the revision, 0 when the answer did not say.
func (o Order) Rev() int {
	if o.Revision == nil {
		return 0
	}
	return *o.Revision
}

// Canceled says that there is no such order any more.
func (o Order) Canceled() bool { return o.Status == StatusCanceled }

// WhenPlaced is the order as it was before it was canceled; any other is as it is.
func (o Order) WhenPlaced() Order {
	if o.Canceled() {
		o.Status, o.CanceledAt = StatusEditing, time.Time{}
	}
	return o
}

// AtFirst is the order as it was when it was placed, as far as an answer tells that came later: what
// has happened since is told by the difference.
func (o Order) AtFirst() Order {
	return Order{
		ID: o.ID, ProjectName: o.ProjectName, CustomerID: o.CustomerID, Price: o.Price, OrderedAt: o.OrderedAt,
		Status: StatusEditing, Revision: new(int),
	}
}

// EndedAt is when the order was approved or canceled; zero when it was not, or nobody told.
func (o Order) EndedAt() time.Time {
	switch o.Status {
	case StatusClosed:
		return o.ClosedAt
	case StatusCanceled:
		return o.CanceledAt
	}
	return time.Time{}
}

// EditedImage is one image that the editor delivered.
type EditedImage struct {
	ID         string    `json:"id,omitempty"` // the key in revision instructions
	Name       string    `json:"name,omitempty"`
	Width      int       `json:"width,omitempty"` // pixels
	Height     int       `json:"height,omitempty"`
	Size       string    `json:"size,omitempty"` // for people: "2.5MB"
	Revision   int       `json:"revision,omitempty"`
	UploadedAt time.Time `json:"uploaded_at,omitzero"`
	Thumb      string    `json:"thumb,omitempty"`  // URL of a small preview
	Origin     string    `json:"origin,omitempty"` // private URL of the full image
}

// Entry is one message of an order's conversation.
type Entry struct {
	From      string    `json:"from,omitempty"` // "client", or any name of the service's side
	Content   string    `json:"content,omitempty"`
	Revision  *int      `json:"revision,omitempty"` // that it belongs to; nil: not told
	CreatedAt time.Time `json:"created_at,omitzero"`
	// Before is how many entries were let go, of more than are kept. Only the oldest that is kept tells it.
	Before int `json:"before,omitempty"`
}

// FromClient reports whether our side wrote it; everybody else is the editor.
func (e Entry) FromClient() bool {
	return strings.EqualFold(strings.TrimSpace(e.From), "client")
}

// Status is where an order stands. A status the interface does not name is
// kept as the service wrote it.
type Status string

// The statuses that the interface names.
const (
	StatusEditing   Status = "editing"
	StatusRevising  Status = "revising"
	StatusPaused    Status = "paused"
	StatusReviewing Status = "reviewing"
	StatusClosed    Status = "closed"
	StatusCanceled  Status = "canceled"
)

// Final says that an order in this status changes no more.
func (s Status) Final() bool { return s == StatusClosed || s == StatusCanceled }

// Open says that something is still to come from the service: an order in this status neither
// waits for us nor is over.
func (s Status) Open() bool { return !s.Final() && s != StatusReviewing }

// Expected says that the service works towards a time of delivery: it is open, and not put aside.
func (s Status) Expected() bool { return s.Open() && s != StatusPaused }

// Works says that the editor works on an order in this status.
func (s Status) Works() bool { return s == StatusEditing || s == StatusRevising }

// Listed says that the service has a list of the orders in this status (interface: List).
func (s Status) Listed() bool { return s != StatusCanceled }

// ServiceType is how an ordered image is to be treated.
type ServiceType string

// The service types. A reference image is only looked at, not edited.
const (
	ServiceBasic     ServiceType = "basic"
	ServiceExtensive ServiceType = "extensive"
	ServiceReference ServiceType = "reference" // sent as ""
)

// Filter narrows a list of orders. Its zero value is the first page of all.
type Filter struct {
	Status     string // "all", or a status other than canceled; "": all
	CustomerID string
	Keywords   []string // each of six characters or more
	Page       int      // from 1; 0 = 1
}

// Page is one page of the account's orders, newest first. A number that the
// answer did not say is 0.
type Page struct {
	Orders     []Order
	PerPage    int
	Current    int
	TotalPages int
	Total      int // orders on all pages
}

// What the service takes at most (interface: Limits), in characters, not bytes.
const (
	MaxMessage    = 5000
	MaxCustomerID = 20
	MinKeyword    = 6 // a word to search for is that long at least
)

// MaxImages is how many images an order has at most: what the service would take more, no
// card could show.
const MaxImages = 50
