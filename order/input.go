package order

import (
	"errors"
)

// What is wrong with an input, where a caller branches on it.
var (
	// ErrKeywordTooShort: the service searches words of six characters or more.
	ErrKeywordTooShort = errors.New("keyword too short")
	// ErrMessageTooLong: a message has at most 5,000 characters.
	ErrMessageTooLong = errors.New("message too long")
	// ErrNoInstructions: an order needs at least one instruction.
	ErrNoInstructions = errors.New("no instructions")
	// ErrNoImages: an order needs at least one image.
	ErrNoImages = errors.New("no images")
	// ErrCustomerIDTooLong: a customer id has at most 20 characters.
	ErrCustomerIDTooLong = errors.New("customer id too long")
	// ErrNoRevisions: a revision needs instructions for at least one image.
	ErrNoRevisions = errors.New("no revisions")
)

// Fields that an InputError names.
const (
	FieldKeywords     = "keywords"
	FieldMessage      = "message"
	FieldInstructions = "instructions"
	FieldImages       = "images"
	FieldCustomerID   = "customer_id"
	FieldRevisions    = "revisions"
	FieldOrderID      = "order_id"
)

// InputError says that an input cannot be sent. Nothing left this machine.
type InputError struct {
	Field   string // one of the Field constants
	Problem string // a sentence for the person who typed it
	Kind    error  // ErrMessageTooLong and its like; nil when there is no name for it
}

func (e *InputError) Error() string { return e.Field + ": " + e.Problem }

// Unwrap leads to the kind, so that errors.Is finds it.
func (e *InputError) Unwrap() error { return e.Kind }
