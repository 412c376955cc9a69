package order

// What the service takes at most (interface: Limits), in characters, not bytes.
const (
	MaxMessage    = 5000
	MaxCustomerID = 20
	MinKeyword    = 6 // a word to search for is that long at least
)

// MaxImages is how many images an order has at most: what the service would take more, no
// card could show.
const MaxImages = 50
