package upstream

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxMessage is the length of a message in characters, not bytes.
const maxMessage = 5000

// Message posts a text to an order; the service forwards it to the editor. The
// answer holds the conversation.
func (c *Client) Message(ctx context.Context, id, text string) (Order, error) {
	if err := checkMessage(text); err != nil {
		return Order{}, err
	}
	p := params{}
	p.text("content_text", text)
	return c.order(ctx, request{op: "message", method: http.MethodPost, id: id, verb: "/message", params: p})
}

func checkMessage(text string) error {
	if strings.TrimSpace(text) == "" {
		return &InputError{Field: FieldMessage, Problem: "The message is empty."}
	}
	if n := utf8.RuneCountInString(text); n > maxMessage {
		return &InputError{FieldMessage, fmt.Sprintf("The message has %d characters; at most %d are possible.", n, maxMessage), ErrMessageTooLong}
	}
	return nil
}
