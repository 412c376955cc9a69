package photos

import "fmt"

// Forget makes the service know nothing of these orders until [Service.Remember], as a
// replica that lags behind does: by their ids they are *invalid order id*, whatever is
// asked, and no list shows them. Without ids it forgets all that the client has placed
// so far, and nothing of the [Crowd]: what is placed afterwards it knows.
func (s *Service) Forget(ids ...string) {
	defer s.change()()
	for _, o := range s.orders {
		o.forgotten = o.forgotten || len(ids) == 0
	}
	for _, id := range ids {
		if o, ok := s.byID[id]; ok {
			o.forgotten = true
		}
	}
}

// Remember ends what Forget began, for these orders or, without ids, for all.
func (s *Service) Remember(ids ...string) {
	defer s.change()()
	for _, id := range ids {
		if o, ok := s.byID[id]; ok {
			o.forgotten = false
		}
	}
	if len(ids) > 0 {
		return
	}
	for _, o := range s.byID {
		o.forgotten = false
	}
}

// Undate makes every answer about an order leave `ordered_at` empty. Lists keep it in
// its place: the service itself knows when it was placed.
func (s *Service) Undate(orderID string) error {
	defer s.change()()
	o, ok := s.byID[orderID]
	if !ok {
		return fmt.Errorf("order %s: unknown", orderID)
	}
	o.undated = true
	return nil
}
