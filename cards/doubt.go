package cards

import "fmt"

// OrdersUnknown is said once in the operations channel when the service answers and does
// not know our orders: none of those it was asked for, or so many out of all.
func OrdersUnknown(unknown, all int) string {
	which := "any of our orders"
	if unknown < all {
		which = fmt.Sprintf("%d of our %d orders", unknown, all)
	}
	return "The service no longer knows " + which + "; is the key right? It answers, but to `UPSTREAM_API_KEY` it says *invalid order id*. Nothing is lost and no order is given up: I go on asking, and say when this is over."
}

// OrdersKnown ends what [OrdersUnknown] began.
func OrdersKnown() string {
	return "The service knows our orders again. None was given up, and what happened meanwhile is told in their channels."
}

// OrdersGivenUp ends it otherwise: so many orders are taken to be gone.
func OrdersGivenUp(orders int) string {
	which, gone := "one of our orders", "it to be gone. Its channel is told"
	if orders > 1 {
		which, gone = fmt.Sprintf("%d of our orders", orders), "them to be gone. Their channels are told"
	}
	return "The service has not known " + which + " for so long, while it knows others, that I take " + gone + "; an order that it knows again comes back by itself."
}
