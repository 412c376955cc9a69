// Package order defines an order: its types, the limits of the service, and its rules. [Merge] applies an answer
// to the known order, [Diff] finds the events in between, and [Known.WhyNot] says why a verb is not possible now.
// Everything is pure: nothing here calls the service or saves data.
//
// Where to look: order.go has the types and limits, policy.go the possible verbs, event.go the kinds of events;
// merge.go and diff.go read an answer, conversation.go and entries.go the conversation in it; brief.go has the
// request, match.go matches its images with edited ones; errors.go and reasons.go say what went wrong, and name.go
// names projects.
//
// The package knows the service by its interface alone. It also defines the outcome of a request ([Error]) and the
// meaning of a refusal ([ReasonOf]), because every package branches on them.
package order

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Order is the content of one answer about an order. Each operation returns other fields: nil, "", an invalid
// price or a zero time means that the answer lacks the field, never that it is zero.
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

	EditedImages []EditedImage `json:"edited_images,omitzero"` // nil: unknown; empty: none
	Conversation []Entry       `json:"conversation,omitzero"`  // oldest first; nil: unknown

	// Cut says that the answer has more images than are kept, CutEntries that it has more entries. Neither is
	// saved.
	Cut        bool `json:"-"`
	CutEntries bool `json:"-"`
}

// Rev returns the revision, 0 if it is unknown.
func (o Order) Rev() int {
	if o.Revision == nil {
		return 0
	}
	return *o.Revision
}

// Canceled reports whether the order was canceled.
func (o Order) Canceled() bool { return o.Status == StatusCanceled }

// WhenPlaced returns the order as it was before a cancellation. Other orders are unchanged.
func (o Order) WhenPlaced() Order {
	if o.Canceled() {
		o.Status, o.CanceledAt = StatusEditing, time.Time{}
	}
	return o
}

// AtFirst returns the order as it was when placed, as far as a later answer shows. [Diff] from there finds the
// events since.
func (o Order) AtFirst() Order {
	return Order{
		ID: o.ID, ProjectName: o.ProjectName, CustomerID: o.CustomerID, Price: o.Price, OrderedAt: o.OrderedAt,
		Status: StatusEditing, Revision: new(int),
	}
}

// EndedAt returns the time of approval or cancellation; zero if the order is open or the time is unknown.
func (o Order) EndedAt() time.Time {
	switch o.Status {
	case StatusClosed:
		return o.ClosedAt
	case StatusCanceled:
		return o.CanceledAt
	}
	return time.Time{}
}

// EditedImage is one delivered image.
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
	Revision  *int      `json:"revision,omitempty"` // that the entry belongs to; nil: unknown
	CreatedAt time.Time `json:"created_at,omitzero"`
	// Before is the number of dropped entries before this one. Only the oldest kept entry has it.
	Before int `json:"before,omitempty"`
}

// FromClient reports whether our side wrote the entry. The editor wrote all others.
func (e Entry) FromClient() bool {
	return strings.EqualFold(strings.TrimSpace(e.From), "client")
}

// Status is the status of an order. A status unknown to the interface stays as the service wrote it.
type Status string

// The statuses of the interface (States and transitions).
const (
	StatusEditing   Status = "editing"
	StatusRevising  Status = "revising"
	StatusPaused    Status = "paused"
	StatusReviewing Status = "reviewing"
	StatusClosed    Status = "closed"
	StatusCanceled  Status = "canceled"
)

// Final reports whether the order can no longer change.
func (s Status) Final() bool { return s == StatusClosed || s == StatusCanceled }

// Open reports whether the service still owes something: the order is neither in review nor final.
func (s Status) Open() bool { return !s.Final() && s != StatusReviewing }

// Expected reports whether the service works towards a delivery time: the order is open and not paused.
func (s Status) Expected() bool { return s.Open() && s != StatusPaused }

// Works reports whether the editor works on the order.
func (s Status) Works() bool { return s == StatusEditing || s == StatusRevising }

// Listed reports whether the service can list orders of this status (interface: List orders).
func (s Status) Listed() bool { return s != StatusCanceled }

// ServiceType is the treatment of an ordered image.
type ServiceType string

// The service types. The editor looks at a reference image and does not edit it.
const (
	ServiceBasic     ServiceType = "basic"
	ServiceExtensive ServiceType = "extensive"
	ServiceReference ServiceType = "reference" // sent as ""
)

// Filter narrows a list of orders. Its zero value is the first page of all orders.
type Filter struct {
	Status     string // "all", or a status other than canceled; "": all
	CustomerID string
	Keywords   []string // each of six characters or more
	Page       int      // from 1; 0 = 1
}

// Page is one page of the account's orders, newest first. A number missing from the answer is 0.
type Page struct {
	Orders     []Order
	PerPage    int
	Current    int
	TotalPages int
	Total      int // orders on all pages
}

// Limits of the service (interface: Limits), in characters, not bytes.
const (
	MaxMessage    = 5000
	MaxCustomerID = 20
	MinKeyword    = 6 // shortest keyword of a search
)

// MaxImages is the most images of an order. The service has no limit, but a card cannot show more.
const MaxImages = 50
