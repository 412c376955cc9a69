package photos

// Changed is closed at the next change of anything that can be seen. Take it
// before looking, then look, then wait for it.
func (s *Service) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watch
}

// change takes the mutex; the function it returns wakes everyone who watches
// and gives it back.
func (s *Service) change() func() {
	s.mu.Lock()
	return func() {
		close(s.watch)
		s.watch = make(chan struct{})
		s.mu.Unlock()
	}
}

// wake tells of a change that the mutex does not guard.
func (s *Service) wake() { s.change()() }
