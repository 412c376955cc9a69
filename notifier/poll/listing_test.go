package poll_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
)

func TestWhatAPageShowsIsRecordedWhileOthersAreStillRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(400)
		s.meeting = make(chan struct{})
		n := following(s, upTo(400)...)
		s.set("o25", order.StatusReviewing, 0)
		s.set("o45", order.StatusReviewing, 0)
		done := make(chan error)
		go func() { done <- newPoller(t, poll.Config{Service: s, Store: n.parts()}).Poll(t.Context()) }()
		for range 2 { // page 1, and then one of the next two
			synctest.Wait()
			s.meeting <- struct{}{}
		}
		synctest.Wait()
		require.Len(t, n.recorded, 1)
		close(s.meeting)
		require.NoError(t, <-done)
		require.ElementsMatch(t, []string{"o25 reviewing", "o45 reviewing"}, n.recorded)
	})
}

// A slow page delays neither other pages nor the orders on them.
func TestASlowPageHoldsNothingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(400)
		n := following(s, upTo(400)...)
		s.set("o150", order.StatusReviewing, 0)
		s.set("o399", order.StatusReviewing, 0)
		slow := slowPageService{fakeService: s, number: 3, release: make(chan struct{})}
		done := make(chan error)
		go func() { done <- newPoller(t, poll.Config{Service: slow, Store: n.parts()}).Poll(t.Context()) }()
		synctest.Wait()
		require.Contains(t, s.asked(), "list 8", "read as far as it is sure to be needed")
		require.Equal(t, []string{"o150 reviewing"}, n.recorded)
		close(slow.release)
		require.NoError(t, <-done)
		require.Equal(t, []string{"o150 reviewing", "o399 reviewing"}, n.recorded)
	})
}

// slowPageService is a service with one slow page.
type slowPageService struct {
	*fakeService
	number  int
	release chan struct{}
}

func (s slowPageService) List(ctx context.Context, f order.Filter) (order.Page, error) {
	if f.Page == s.number {
		<-s.release
	}
	return s.fakeService.List(ctx, f)
}
