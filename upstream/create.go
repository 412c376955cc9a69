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

// serviceEntries is the second element of an image entry (interface: Image entry).
var serviceEntries = map[order.ServiceType]string{
	order.ServiceBasic:     string(order.ServiceBasic),
	order.ServiceExtensive: string(order.ServiceExtensive),
	order.ServiceReference: "",
}

// Image is one image of a new order.
type Image struct {
	URL         string            // publicly accessible
	Service     order.ServiceType // required: the service takes an unknown type for a reference
	Instruction string            // for this image only; optional
}

// NewOrder is the input of Create. Blank instructions are dropped.
type NewOrder struct {
	ProjectName  string   // "": the service chooses a name
	Instructions []string // one sentence per element
	CustomerID   string   // the reseller's own, at most 20 characters; "": none
	Images       []Image
}

// Create places an order, which costs credits. The returned order has an ID, unless there is an error.
func (c *Client) Create(ctx context.Context, n NewOrder) (order.Order, error) {
	p, err := n.params()
	if err != nil {
		return order.Order{}, err
	}
	r := request{op: "create", method: http.MethodPost, path: "/orders/create", params: p}
	return ask(ctx, c, r, r.order)
}

// params checks the whole order and reports every problem at once.
func (n NewOrder) params() (params, error) {
	var missing error
	instructions := order.NonBlank(n.Instructions)
	if len(instructions) == 0 {
		missing = &order.InputError{Problem: "Say what should be done: at least one instruction is needed."}
	}
	rows, err := n.imageRows()
	return params{
		"project_name": strings.TrimSpace(n.ProjectName), "customer_id": n.CustomerID,
		"instructions": instructions, "images": rows,
	}, errors.Join(missing, checkCustomerID(n.CustomerID), err)
}

func (n NewOrder) imageRows() ([][]string, error) {
	rows := make([][]string, len(n.Images))
	for i, image := range n.Images {
		service, ok := serviceEntries[image.Service]
		if !ok {
			return nil, &order.InputError{Problem: fmt.Sprintf("Image %d has no service type.", i+1)}
		}
		rows[i] = []string{image.URL, service, image.Instruction}
	}
	return rows, checkImages(rows)
}

// checkImages checks image entries, which start with an address.
func checkImages(rows [][]string) error {
	if len(rows) == 0 {
		return &order.InputError{Problem: "Add at least one image."}
	}
	for i, row := range rows {
		if strings.TrimSpace(row[0]) == "" {
			return &order.InputError{Problem: fmt.Sprintf("Image %d has no address.", i+1)}
		}
	}
	return nil
}

func checkCustomerID(id string) error {
	if utf8.RuneCountInString(id) > order.MaxCustomerID {
		return &order.InputError{Problem: fmt.Sprintf("A customer id has at most %d characters.", order.MaxCustomerID)}
	}
	return nil
}
