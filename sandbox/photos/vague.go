package photos

import "net/http"

// VagueWords is what this service says of an inner failure of each kind of call, which it
// answers with 500 in its own form: sentences that only sound like its refusals.
func VagueWords() map[Op][]string {
	return map[Op][]string{
		Create:     {"The order could not be placed due to an unknown error.", "balance service not available: insufficient credits cache", "could not access the file store of image uploads"},
		Cancel:     {"deadline passed while waiting for the billing daemon", "order 1042 not found by the billing daemon"},
		Fetch:      {"order not found by the billing daemon"},
		Revise:     {"invalid order status received from the queue", "image processor not found"},
		Approve:    {"invalid order status received from the queue", "order ledger: unknown"},
		Message:    {"duplicate message key in the outbox", "Do not post duplicated message keys"},
		References: {"duplicate images entry for key 'PRIMARY'", "image index does not exist"},
	}
}

// Vague answers 500 in the service's form, in the words given; nothing happened.
func Vague(words ...string) Fault {
	return instead("vague", says(http.StatusInternalServerError, words))
}

// VagueAfterCommit carries the call out and answers like [Vague].
func VagueAfterCommit(words ...string) Fault {
	return afterwards("vague_after_commit", says(http.StatusInternalServerError, words))
}
