package announce

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/files"
)

// pictureSet is a set of slow pictures; any other picture is gone.
type pictureSet struct {
	takes map[string]time.Duration
	fails map[string]error

	mu    sync.Mutex // guards the rest
	looks []string
	now   int
	most  int // looks at once
}

func (s *pictureSet) Fetch(context.Context, string) ([]byte, error) { return nil, files.ErrGone }

func (s *pictureSet) Look(ctx context.Context, address string) error {
	s.mu.Lock()
	s.looks = append(s.looks, address)
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.now--
	}()
	took, there := s.takes[address]
	if !there {
		return errors.Join(files.ErrGone, s.fails[address])
	}
	select {
	case <-time.After(took):
		return s.fails[address]
	case <-ctx.Done():
		return fmt.Errorf("fetch: %w", ctx.Err())
	}
}

func TestPreviewsAreLookedAtAllAtOnceAndForASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &pictureSet{
			takes: map[string]time.Duration{"quick": 10 * time.Millisecond, "late": 5 * time.Second, "never": time.Hour, "private": 0, "ours": 0},
			fails: map[string]error{"private": files.ErrRefused, "ours": errors.New("no route to host"), "page": files.ErrNotPicture},
		}
		began := time.Now()
		found, err := newImageChecks(s, checkTime, (*PreviewLimits)(nil).checks()).judge(t.Context(), []string{"quick", "late", "never", "private", "ours", "gone"})
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(began))
		require.Equal(t, verdict{slow: []string{"late", "never"}, none: []string{"gone"}}, found,
			"what this process may not reach, or cannot, Slack may reach all the same")
	})
}

// A job that waited for its channel's slot finds the checks that ran meanwhile.
func TestALookOutlivesTheJobThatBeganIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &pictureSet{takes: map[string]time.Duration{"late": time.Hour, "quick": time.Millisecond}}
		g := newImageChecks(s, checkTime, (*PreviewLimits)(nil).checks())
		ctx, done := context.WithCancel(t.Context())
		g.begin(ctx, []string{"late", "quick"})
		done()
		<-time.After(1050 * time.Millisecond)
		began := time.Now()
		found, err := g.judge(t.Context(), []string{"late", "quick"})
		require.NoError(t, err)
		require.Zero(t, time.Since(began))
		require.Equal(t, []string{"late"}, found.slow)
		require.Len(t, s.looks, 2)
	})
}

func TestALookCountsForAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &pictureSet{takes: map[string]time.Duration{"late": time.Hour}}
		g := newImageChecks(s, checkTime, (*PreviewLimits)(nil).checks())
		for _, later := range []time.Duration{0, 30 * time.Second, 31 * time.Second} {
			<-time.After(later)
			_, err := g.judge(t.Context(), []string{"late"})
			require.NoError(t, err)
		}
		require.Len(t, s.looks, 2, "it may be quick by now")
	})
}

// Slack may fetch pictures one by one, so the sum is bounded.
func TestPicturesThatTakeTooLongTogetherAreLeftToAnEdit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, addresses := &pictureSet{takes: map[string]time.Duration{}}, []string(nil)
		for i := range 10 {
			addresses = append(addresses, fmt.Sprint("picture", i))
			s.takes[addresses[i]] = 900 * time.Millisecond
		}
		s.takes["picture7"] = time.Millisecond
		found, err := newImageChecks(s, checkTime, (*PreviewLimits)(nil).checks()).judge(t.Context(), addresses)
		require.NoError(t, err)
		require.Len(t, found.slow, 6, "the quick one, and three more")
		require.NotContains(t, found.slow, "picture7")
	})
}

func TestSoManyAreLookedAtAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, addresses := &pictureSet{takes: map[string]time.Duration{}}, []string(nil)
		for i := range 3 * mostChecks {
			addresses = append(addresses, fmt.Sprint("picture", i))
			s.takes[addresses[i]] = 400 * time.Millisecond
		}
		_, err := newImageChecks(s, checkTime, (*PreviewLimits)(nil).checks()).judge(t.Context(), addresses)
		require.NoError(t, err)
		require.Equal(t, mostChecks, s.most)
		require.LessOrEqual(t, len(s.looks), 3*mostChecks)
	})
}
