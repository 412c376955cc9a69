package upstream

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Status is where an order stands. A status the interface does not name is
// kept as the service wrote it.
type Status string

// The statuses that the interface names.
const (
	Editing   Status = "editing"
	Revising  Status = "revising"
	Paused    Status = "paused"
	Reviewing Status = "reviewing"
	Closed    Status = "closed"
	Canceled  Status = "canceled"
)

// Final says that an order in this status changes no more.
func (s Status) Final() bool { return s == Closed || s == Canceled }

// Open says that something is still to come from the service: an order in this status neither
// waits for us nor is over.
func (s Status) Open() bool { return !s.Final() && s != Reviewing }

// Works says that the editor works on an order in this status.
func (s Status) Works() bool { return s == Editing || s == Revising }

// Listed says that the service has a list of the orders in this status (interface: List).
func (s Status) Listed() bool { return s != Canceled }

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
}

// Rev is the revision, 0 when the answer did not say.
func (o Order) Rev() int {
	if o.Revision == nil {
		return 0
	}
	return *o.Revision
}

// Canceled says that there is no such order any more.
func (o Order) Canceled() bool { return o.Status == Canceled }

// EndedAt is when the order was approved or canceled; zero when it was not, or nobody told.
func (o Order) EndedAt() time.Time {
	switch o.Status {
	case Closed:
		return o.ClosedAt
	case Canceled:
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
	Revision  int       `json:"revision,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// FromClient reports whether our side wrote it; everybody else is the editor.
func (e Entry) FromClient() bool {
	return strings.EqualFold(strings.TrimSpace(e.From), "client")
}

// Fetch reads one order with its edited images.
func (c *Client) Fetch(ctx context.Context, id string) (Order, error) {
	return c.order(ctx, request{op: "fetch", method: http.MethodGet, id: id})
}

// order performs one operation on an existing order and checks that the answer
// is about that order and, after a write, that it says what was asked for.
func (c *Client) order(ctx context.Context, r request) (Order, error) {
	if err := checkID(r.id); err != nil {
		return Order{}, err
	}
	if r.path == "" {
		r.path = "/orders/" + url.PathEscape(r.id) + r.verb
	}
	a, err := c.call(ctx, r)
	if err != nil {
		return Order{}, err
	}
	o, err := a.order(r)
	if err != nil {
		return Order{}, a.unclear(r, err)
	}
	return o, nil
}

// checkID refuses what cannot be a path segment: servers resolve dots away
// even when they are escaped.
func checkID(id string) error {
	if strings.TrimSpace(id) == "" || id == "." || id == ".." {
		return &InputError{Field: FieldOrderID, Problem: "This is not an order id."}
	}
	return nil
}

// orderOf reads the one order in data: an object, or an array holding one.
// What it holds may be anything; told reports whether it says anything at all.
func orderOf(data json.RawMessage) (o Order, told bool) {
	var w one[wireOrder]
	if json.Unmarshal(data, &w) != nil || !w.found {
		return Order{}, false
	}
	o = w.value.order()
	return o, w.value.told()
}
