package upstream

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// Message posts a text to an order; the service forwards it to the editor. The
// answer holds the conversation.
func (c *Client) Message(ctx context.Context, id, text string) (order.Order, error) {
	if err := checkMessage(text); err != nil {
		return order.Order{}, err
	}
	p := params{}
	p.text("content_text", text)
	return c.order(ctx, request{op: "message", method: http.MethodPost, id: id, verb: "/message", params: p})
}

func checkMessage(text string) error {
	if strings.TrimSpace(text) == "" {
		return &order.InputError{Field: order.FieldMessage, Problem: "The message is empty."}
	}
	if n := utf8.RuneCountInString(text); n > order.MaxMessage {
		return &order.InputError{Field: order.FieldMessage, Problem: fmt.Sprintf("The message has %d characters; at most %d are possible.", n, order.MaxMessage), Kind: order.ErrMessageTooLong}
	}
	return nil
}
