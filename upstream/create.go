package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxCustomerID is the length of a customer id in characters.
const maxCustomerID = 20

// ServiceType is how an ordered image is to be treated.
type ServiceType string

// The service types. A reference image is only looked at, not edited.
const (
	Basic     ServiceType = "basic"
	Extensive ServiceType = "extensive"
	Reference ServiceType = "reference" // sent as ""
)

// serviceEntry is the second position of an image entry.
func serviceEntry(s ServiceType) (string, bool) {
	switch s {
	case Basic, Extensive:
		return string(s), true
	case Reference:
		return "", true
	}
	return "", false
}

// Image is one picture of a new order.
type Image struct {
	URL         string      // publicly accessible
	Service     ServiceType // must be set: an unknown one would quietly become a reference
	Instruction string      // for this image only; may be empty
}

// NewOrder is what Create needs. Blank instructions are dropped.
type NewOrder struct {
	ProjectName  string   // "": the service makes one up
	Instructions []string // one sentence an element
	CustomerID   string   // the reseller's own; at most 20 characters; "": none
	Images       []Image
}

// Create places an order, which costs credits. The answer has an id, or the
// error says what became of the request.
func (c *Client) Create(ctx context.Context, n NewOrder) (Order, error) {
	p, err := n.params()
	if err != nil {
		return Order{}, err
	}
	r := request{op: "create", method: http.MethodPost, path: "/orders/create", params: p}
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

// params checks the whole order, so that every problem is told at once.
func (n NewOrder) params() (params, error) {
	var problems []error
	instructions := spoken(n.Instructions)
	if len(instructions) == 0 {
		problems = append(problems, &InputError{FieldInstructions, "Say what should be done: at least one instruction is needed.", ErrNoInstructions})
	}
	rows, err := imageRows(n.Images)
	if err = errors.Join(append(problems, checkCustomerID(n.CustomerID), err)...); err != nil {
		return nil, err
	}
	p := params{}
	p.text("project_name", strings.TrimSpace(n.ProjectName))
	p.text("customer_id", n.CustomerID)
	p.lines("instructions", instructions)
	p.rows("images", rows)
	return p, nil
}

func imageRows(images []Image) ([][]string, error) {
	if len(images) == 0 {
		return nil, &InputError{FieldImages, "Add at least one image.", ErrNoImages}
	}
	rows := make([][]string, 0, len(images))
	for i, image := range images {
		service, ok := serviceEntry(image.Service)
		switch {
		case strings.TrimSpace(image.URL) == "":
			return nil, &InputError{Field: FieldImages, Problem: fmt.Sprintf("Image %d has no address.", i+1)}
		case !ok:
			return nil, &InputError{Field: FieldImages, Problem: fmt.Sprintf("Image %d has no service type.", i+1)}
		}
		rows = append(rows, []string{image.URL, service, image.Instruction})
	}
	return rows, nil
}

func checkCustomerID(id string) error {
	if utf8.RuneCountInString(id) > maxCustomerID {
		return &InputError{FieldCustomerID, fmt.Sprintf("A customer id has at most %d characters.", maxCustomerID), ErrCustomerIDTooLong}
	}
	return nil
}
