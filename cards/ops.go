package cards

import "fmt"

// What is said once each in the operations channel; of Redis, by each process that notices.
const (
	ServiceDown = "The photo editing service cannot be reached. Orders are safe; news of them waits until it is back."
	ServiceBack = "The photo editing service is back. News of orders comes again."

	RedisAway = "Redis does not answer, where I keep what people ask for. Until it does I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits."
	// RedisFull is said in place of RedisAway when nothing but memory is missing.
	RedisFull = "The memory of Redis is full (maxmemory), where I keep what people ask for. Until it has room I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits. Please raise maxmemory, or shorten RETENTION."
	// RedisUnconfirmed is said in place of RedisAway when replicas are missing that must have
	// what is written.
	RedisUnconfirmed = "Too few replicas of Redis confirm what I write there (wait_replicas in REDIS_URL). Until they do I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits."
	RedisBack        = "Redis answers again. What waited goes on by itself."

	// OrdersKnown ends what [OrdersUnknown] began.
	OrdersKnown = "The service knows our orders again. None was given up, and what happened meanwhile is told in their channels."
)

// OrdersUnknown is said once in the operations channel when the service answers and does
// not know our orders: none of those it was asked for, or so many out of all.
func OrdersUnknown(unknown, all int) string {
	which := "any of our orders"
	if unknown < all {
		which = fmt.Sprintf("%d of our %d orders", unknown, all)
	}
	return "The service no longer knows " + which + "; is the key right? It answers, but to `UPSTREAM_API_KEY` it says *invalid order id*. Nothing is lost and no order is given up: I go on asking, and say when this is over."
}

// OrdersGivenUp ends it otherwise: so many orders are taken to be gone.
func OrdersGivenUp(orders int) string {
	which, gone := "one of our orders", "it to be gone. Its channel is told"
	if orders > 1 {
		which, gone = fmt.Sprintf("%d of our orders", orders), "them to be gone. Their channels are told"
	}
	return "The service has not known " + which + " for so long, while it knows others, that I take " + gone + "; an order that it knows again comes back by itself."
}
