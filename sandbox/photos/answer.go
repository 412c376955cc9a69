package photos

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/shopspring/decimal"
)

// answer is what the service says to one call. A zero status is 200.
type answer struct {
	status int
	body   any // an envelope or a listing

	kind string // media type of raw
	raw  []byte // the bytes of a picture, in place of a body
}

const jsonKind = "application/json; charset=utf-8"

// envelope is the shape of every response but a list's.
type envelope struct {
	Errors []string `json:"errors"`
	Data   any      `json:"data,omitempty"`
}

func success(data any) answer {
	return answer{body: envelope{Errors: []string{}, Data: data}}
}

func refusal(messages ...string) answer {
	return answer{body: envelope{Errors: messages}}
}

func (a answer) encode() []byte {
	if a.raw != nil {
		return a.raw
	}
	body, err := json.Marshal(a.body)
	if err != nil {
		panic(err) // our own wire types always marshal
	}
	return body
}

func (a answer) write(w http.ResponseWriter) {
	writeJSON(w, a.status, a.encode())
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", jsonKind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// orderJSON is an order on the wire. Each operation fills its own subset.
type orderJSON struct {
	ID                  string          `json:"order_id"`
	ProjectName         string          `json:"project_name"`
	CustomerID          json.RawMessage `json:"customer_id,omitempty"` // a number, or null
	Price               json.Number     `json:"price,omitempty"`
	Status              status          `json:"status"`
	Revision            *int            `json:"revision,omitempty"`
	OrderedAt           string          `json:"ordered_at"`
	EstimatedDelivery   string          `json:"estimated_delivery,omitempty"`
	RevisionRequestedAt string          `json:"revision_requested_at,omitempty"`
	ClosedAt            string          `json:"closed_at,omitempty"`
	CanceledAt          string          `json:"canceled_at,omitempty"`
	EditedImages        *[]imageJSON    `json:"edited_images,omitempty"`
	Conversations       *[]entryJSON    `json:"conversations,omitempty"`
}

type imageJSON struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	Size       string `json:"size"`
	Revision   int    `json:"revision"`
	UploadedAt string `json:"uploaded_at"`
	Thumb      string `json:"thumb"`
	Origin     string `json:"origin"`
}

type entryJSON struct {
	From      string `json:"from"`
	Content   string `json:"content"`
	Revision  int    `json:"revision"`
	CreatedAt string `json:"created_at"`
}

// identity is what every answer about an order has.
func (o *order) identity() orderJSON {
	v := orderJSON{ID: o.id, ProjectName: o.project, Status: o.status, OrderedAt: timestamp(o.orderedAt)}
	if o.undated {
		v.OrderedAt = ""
	}
	return v
}

// priced is the identity with customer and price, as create answers it.
func (o *order) priced() orderJSON {
	v := o.identity()
	v.CustomerID = customerNumber(o.customer)
	v.Price = number(o.price)
	return v
}

// summary is the line of an order in a list, and the start of most answers.
func (o *order) summary() orderJSON {
	v := o.priced()
	revision := o.revision
	v.Revision = &revision
	return v
}

// timestamp writes a time as the service does: whole seconds, its own offset.
func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(time.FixedZone("", 4*60*60)).Format(time.RFC3339)
}

func number(d decimal.Decimal) json.Number {
	return json.Number(d.String())
}

// customerNumber writes a customer id as the service does: digits become a
// number, exactly; other words stay a string; none is null.
func customerNumber(id string) json.RawMessage {
	if id == "" {
		return json.RawMessage("null")
	}
	if number, ok := digits(id); ok {
		return json.RawMessage(number)
	}
	quoted, err := json.Marshal(id)
	if err != nil {
		panic(err) // a string always marshals
	}
	return quoted
}

// digits returns id without leading zeros when it is made of digits only.
func digits(id string) (string, bool) {
	for i := range len(id) {
		if id[i] < '0' || id[i] > '9' {
			return "", false
		}
	}
	for len(id) > 1 && id[0] == '0' {
		id = id[1:]
	}
	return id, id != ""
}
