package upstream

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"darkroom/order"
)

// RefImage is an image that shows the editor what is meant.
type RefImage struct {
	URL         string // publicly accessible
	Instruction string // may be empty
}

// AddReferences adds reference images to an existing order. Not every service
// offers it: ErrNoSuchPath.
func (c *Client) AddReferences(ctx context.Context, id string, images []RefImage) (order.Order, error) {
	rows, err := referenceRows(images)
	if err != nil {
		return order.Order{}, err
	}
	p := params{}
	p.rows("images", rows)
	return c.order(ctx, request{op: "reference", method: http.MethodPost, id: id, verb: "/refimages/create", params: p, optional: true})
}

func referenceRows(images []RefImage) ([][]string, error) {
	if len(images) == 0 {
		return nil, &order.InputError{Field: order.FieldImages, Problem: "Add at least one image.", Kind: order.ErrNoImages}
	}
	rows := make([][]string, 0, len(images))
	for i, image := range images {
		if strings.TrimSpace(image.URL) == "" {
			return nil, &order.InputError{Field: order.FieldImages, Problem: fmt.Sprintf("Image %d has no address.", i+1)}
		}
		rows = append(rows, []string{image.URL, image.Instruction})
	}
	return rows, nil
}
