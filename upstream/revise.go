package upstream

import (
	"context"
	"net/http"
	"strings"

	"darkroom/order"
)

// Revise asks for changes to an order in review: what to do, by the id of the
// edited image. Images without an instruction are left out.
func (c *Client) Revise(ctx context.Context, id string, instructions map[string][]string) (order.Order, error) {
	byImage, err := revisions(instructions)
	if err != nil {
		return order.Order{}, err
	}
	p := params{}
	p.byImage("instructions", byImage)
	return c.order(ctx, request{op: "revise", method: http.MethodPost, id: id, verb: "/revise", params: p, want: order.StatusRevising})
}

// revisions never returns an empty map: PHP would sign it as an array.
func revisions(instructions map[string][]string) (map[string][]string, error) {
	byImage := make(map[string][]string, len(instructions))
	for image, lines := range instructions {
		lines = order.NonBlank(lines)
		switch {
		case len(lines) == 0:
			continue
		case strings.TrimSpace(image) == "":
			return nil, &order.InputError{Field: order.FieldRevisions, Problem: "An instruction names no image."}
		}
		byImage[image] = lines
	}
	if len(byImage) == 0 {
		return nil, &order.InputError{Field: order.FieldRevisions, Problem: "Say for at least one image what should change.", Kind: order.ErrNoRevisions}
	}
	return byImage, nil
}
