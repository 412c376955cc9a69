package ordertest

import "darkroom/order"

// Refusals lists, for each reason, the operations that can have it and wordings of the service: those of the
// interface, of the public service, and variations.
var Refusals = map[error]struct {
	Ops  []string
	Said []string
}{
	order.ErrInvalidOrder: {
		[]string{"fetch", "cancel", "revise", "approve", "message", "reference"},
		[]string{
			"Invalid order id.", "invalid order ID: 77", "Invalid order id: d07cdvha", "INVALID_ORDER_ID", "Order not found", "Order not found: A1",
			"order id A1 does not exist", "Order 1042 was not found.", "Unknown order", "No such order!", "The order id is not valid",
		},
	},
	order.ErrInsufficientBalance: {
		[]string{"create"},
		[]string{
			"insufficient balance: 2 credits", "Insufficient balance.", "Not enough credits.", "Your balance is insufficient", "Insufficient credits: you have 2.5, the price is 10.00",
			"Insufficient balance (2 credits left)", "Insufficient balance, 2 credits", "You do not have enough credits. 8 more credits are needed.", "Insufficient balance: price 1,204.50; balance 3",
		},
	},
	order.ErrInaccessibleFile: {
		[]string{"create", "reference"},
		[]string{
			"one file is not accessible from our server: http://a/duplicate-image-not-found.jpg", "A file is not accessible.", "https://a/b.jpg is not accessible",
			"2 files are not accessible: http://a/b.jpg, http://a/c.jpg", "The image at http://a/b.jpg could not be downloaded", "Cannot access file: HTTP://A/b.jpg", "unable to fetch image from http://a/b.jpg?x=1:2",
		},
	},
	order.ErrDeadlinePassed: {
		[]string{"cancel"},
		[]string{"15 min deadline passed", "10 minutes deadline passed.", "The deadline for canceling has passed", "Cancellation window has expired", "The 10 minute deadline to cancel the order is over", "deadline already passed"},
	},
	order.ErrInvalidStatus: {
		[]string{"revise", "approve"},
		[]string{"Invalid order status.", "invalid order status: editing", "order status is not valid", "the order is not in reviewing", "Order 1042 is not under review"},
	},
	order.ErrImageNotFound: {
		[]string{"revise"},
		[]string{"image ID not found: sh38nsk", "Image id not found.", "image id sh38nsk does not exist", "Invalid image ID: shnsk", `Image id not found, "sh38nsk", "x2".`},
	},
}

// Duplicates lists wordings that refuse a repeated message or reference image.
var Duplicates = map[string][]string{
	"message":   {"Please do not post duplicated message", "Do not post duplicated message.", "Do not post the same message twice", "This message was already posted"},
	"reference": {"please do not post duplicated images", "Do not post duplicated image: http://a/b.jpg", "These images have been added before"},
}

// NearMisses are messages of internal failures that contain the words of a refusal but are not refusals.
var NearMisses = []string{
	"", "boom", "The order could not be placed due to an unknown error.", "order could not be found by the billing daemon",
	"order not found by the billing daemon", "order not found: connection refused", "order not found: timeout", "unknown order service", "unknown column in order clause", "invalid order",
	"invalid order id in cache entry", "Invalid order id. The cache was rebuilt.", "Invalid order id, the cache was rebuilt", "order, not found", "the order database does not exist", "order ledger not found", "invalid order id: no connection",
	"balance service not available", "insufficient balance service replicas", "insufficient funds of memory", "not enough credits to allocate buffer", "insufficient balance: the billing daemon is down",
	"file store is not accessible", "image server not accessible", "cannot access file system", "one file is not accessible from our server: the order was queued", "could not fetch image metadata from the queue",
	"context deadline exceeded", "deadline passed while waiting for the billing daemon", "query deadline passed", "request window closed", "deadline exceeded",
	"invalid status", "invalid status code", "invalid order status received from the queue", "invalid order status: timeout", "order status service is not valid", "order is not in review queue index", "unexpected status",
	"image not found", "image not found: registry/php:8", "image id not found in the shard map", "image id not found: no connection", "image id not found, naming it", "image processor not found", "image index does not exist",
	"duplicate", "Duplicate entry 'A1' for key 'PRIMARY'", "duplicate key", "duplicate message", "duplicate message key in the outbox", "Do not post duplicated message keys", "duplicate images entry for key 'PRIMARY'",
	"Please do not post duplicated message. The order was closed meanwhile.", "Maximum execution time of 30 seconds exceeded", "could not open the database",
}
