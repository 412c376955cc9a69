package photos

import (
	"net/http"
	"slices"
)

// Leave cancels that many of the other clients' orders, the latest first: a canceled order
// is in no list, so what lies below them moves up.
func (s *Service) Leave(orders int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range slices.Backward(s.crowd.orders) {
		if orders == 0 {
			return
		}
		if o.status != canceled {
			o.status, o.canceledAt = canceled, s.opts.Now()
			orders--
		}
	}
}

// Leaves has that many orders of other clients canceled right before the call is carried
// out: queued for [List], pages move up between one and the next.
func Leaves(orders int) Fault {
	return Fault{name: "leaves", before: func(s *Service, _ http.ResponseWriter) bool {
		s.Leave(orders)
		return false
	}}
}
