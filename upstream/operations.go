package upstream

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// Message posts a text to an order. The service forwards it to the editor. The returned order has the
// conversation.
func (c *Client) Message(ctx context.Context, id, text string) (order.Order, error) {
	if err := checkMessage(text); err != nil {
		return order.Order{}, err
	}
	return c.order(ctx, request{op: "message", method: http.MethodPost, id: id, verb: "/message", params: params{"content_text": text}})
}

func checkMessage(text string) error {
	if strings.TrimSpace(text) == "" {
		return &order.InputError{Problem: "The message is empty."}
	}
	if n := utf8.RuneCountInString(text); n > order.MaxMessage {
		return &order.InputError{Problem: fmt.Sprintf("The message has %d characters; at most %d are possible.", n, order.MaxMessage)}
	}
	return nil
}

// Approve closes an order in review. The feedback is optional.
func (c *Client) Approve(ctx context.Context, id string, feedback []string) (order.Order, error) {
	p := params{"feedback": order.NonBlank(feedback)}
	return c.order(ctx, request{op: "approve", method: http.MethodPost, id: id, verb: "/approve", params: p, want: order.StatusClosed})
}

// Cancel cancels a new order, within the time that the service allows. The reason is optional.
func (c *Client) Cancel(ctx context.Context, id string, reason []string) (order.Order, error) {
	p := params{"order_id": id, "cancel_reason": order.NonBlank(reason)}
	return c.order(ctx, request{op: "cancel", method: http.MethodDelete, path: "/orders/cancel", id: id, params: p, want: order.StatusCanceled})
}

// Revise requests changes to an order in review: instructions by the ID of the edited image. Images without an
// instruction are left out.
func (c *Client) Revise(ctx context.Context, id string, instructions map[string][]string) (order.Order, error) {
	byImage, err := revisions(instructions)
	if err != nil {
		return order.Order{}, err
	}
	p := params{"instructions": byImage}
	return c.order(ctx, request{op: "revise", method: http.MethodPost, id: id, verb: "/revise", params: p, want: order.StatusRevising})
}

// revisions drops blank instructions. It never returns an empty map, which PHP would sign as an array.
func revisions(instructions map[string][]string) (map[string][]string, error) {
	byImage := make(map[string][]string, len(instructions))
	for image, lines := range instructions {
		lines = order.NonBlank(lines)
		switch {
		case len(lines) == 0:
			continue
		case strings.TrimSpace(image) == "":
			return nil, &order.InputError{Problem: "An instruction names no image."}
		}
		byImage[image] = lines
	}
	if len(byImage) == 0 {
		return nil, &order.InputError{Problem: "Say for at least one image what should change."}
	}
	return byImage, nil
}

// RefImage is a reference image: it shows the editor an idea.
type RefImage struct {
	URL         string // publicly accessible
	Instruction string // optional
}

// AddReferences adds reference images to an existing order. A service without this operation returns
// ErrNoSuchPath.
func (c *Client) AddReferences(ctx context.Context, id string, images []RefImage) (order.Order, error) {
	rows := make([][]string, len(images))
	for i, image := range images {
		rows[i] = []string{image.URL, image.Instruction}
	}
	if err := checkImages(rows); err != nil {
		return order.Order{}, err
	}
	p := params{"images": rows}
	return c.order(ctx, request{op: "reference", method: http.MethodPost, id: id, verb: "/refimages/create", params: p, optional: true})
}
