package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// serviceEntries are what stands in the second position of an image entry.
var serviceEntries = map[order.ServiceType]string{
	order.ServiceBasic:     string(order.ServiceBasic),
	order.ServiceExtensive: string(order.ServiceExtensive),
	order.ServiceReference: "",
}

// Image is one picture of a new order.
type Image struct {
	URL         string            // publicly accessible
	Service     order.ServiceType // must be set: an unknown one would quietly become a reference
	Instruction string            // for this image only; may be empty
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
func (c *Client) Create(ctx context.Context, n NewOrder) (order.Order, error) {
	p, err := n.params()
	if err != nil {
		return order.Order{}, err
	}
	return c.answered(ctx, request{op: "create", method: http.MethodPost, path: "/orders/create", params: p})
}

// params checks the whole order, so that every problem is told at once.
func (n NewOrder) params() (params, error) {
	var problems []error
	instructions := order.NonBlank(n.Instructions)
	if len(instructions) == 0 {
		problems = append(problems, &order.InputError{Field: order.FieldInstructions, Problem: "Say what should be done: at least one instruction is needed.", Kind: order.ErrNoInstructions})
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
		return nil, &order.InputError{Field: order.FieldImages, Problem: "Add at least one image.", Kind: order.ErrNoImages}
	}
	rows := make([][]string, 0, len(images))
	for i, image := range images {
		service, ok := serviceEntries[image.Service]
		switch {
		case strings.TrimSpace(image.URL) == "":
			return nil, &order.InputError{Field: order.FieldImages, Problem: fmt.Sprintf("Image %d has no address.", i+1)}
		case !ok:
			return nil, &order.InputError{Field: order.FieldImages, Problem: fmt.Sprintf("Image %d has no service type.", i+1)}
		}
		rows = append(rows, []string{image.URL, service, image.Instruction})
	}
	return rows, nil
}

func checkCustomerID(id string) error {
	if utf8.RuneCountInString(id) > order.MaxCustomerID {
		return &order.InputError{Field: order.FieldCustomerID, Problem: fmt.Sprintf("A customer id has at most %d characters.", order.MaxCustomerID), Kind: order.ErrCustomerIDTooLong}
	}
	return nil
}
