package announce

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// copyCounter counts the pictures in memory, over all workspaces.
type copyCounter struct {
	Slack
	mu        sync.Mutex
	now, most int
}

func (e *copyCounter) hold(by int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now += by
	e.most = max(e.most, e.now)
}

func (e *copyCounter) Fetch(context.Context, string) ([]byte, error) {
	e.hold(1)
	<-time.After(time.Second / 4)
	return nil, nil
}

func (e *copyCounter) UploadImage(context.Context, string, []byte) (string, error) {
	<-time.After(time.Second / 4)
	e.hold(-1)
	return "F1", nil
}

func (e *copyCounter) Look(context.Context, string) error {
	e.hold(1)
	defer e.hold(-1)
	<-time.After(time.Second / 10)
	return nil
}

// previewers copy and check previews for a number of workspaces.
func previewers(e *copyCounter, n int) (copying []*previewFill, checks []*imageChecks) {
	limits := NewPreviewLimits()
	for range n {
		copying = append(copying, &previewFill{slack: e, pictures: e, copying: limits.copies()})
		checks = append(checks, newImageChecks(e, checkTime, limits.checks()))
	}
	return copying, checks
}

// copies copies a number of previews in a workspace and returns the duration.
func copies(t *testing.T, f *previewFill, n int) time.Duration {
	t.Helper()
	began := time.Now()
	var copying sync.WaitGroup
	for range n {
		copying.Go(func() {
			_, err := f.copyPreview(t.Context(), t.Context(), order.EditedImage{Thumb: "a"})
			require.NoError(t, err)
		})
	}
	copying.Wait()
	return time.Since(began)
}

func TestTheMemoryOfPreviewsIsThatOfAllWorkspaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &copyCounter{}
		var all sync.WaitGroup
		copying, _ := previewers(e, 20)
		for _, f := range copying {
			all.Go(func() { copies(t, f, 5) })
		}
		all.Wait()
		require.Equal(t, mostCopying, e.most)
	})
}

func TestPreviewsAreLookedAtSoManyAtOnceOfAllWorkspaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &copyCounter{}
		var all sync.WaitGroup
		_, checks := previewers(e, 10)
		for i, c := range checks {
			all.Go(func() {
				_, err := c.judge(t.Context(), []string{fmt.Sprint(i), fmt.Sprint(i, "b"), fmt.Sprint(i, "c"), fmt.Sprint(i, "d"), fmt.Sprint(i, "e"), fmt.Sprint(i, "f")})
				require.NoError(t, err)
			})
		}
		all.Wait()
		require.Equal(t, mostChecks, e.most)
	})
}

// A workspace with a thousand previews leaves slots to others; the only workspace gets all.
func TestAWorkspaceWithManyPreviewsLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		both, _ := previewers(&copyCounter{}, 2)
		var noisy sync.WaitGroup
		noisy.Go(func() { copies(t, both[0], 100) })
		<-time.After(time.Millisecond)
		require.Equal(t, time.Second/2, copies(t, both[1], 1))
		noisy.Wait()

		e := &copyCounter{}
		copies(t, &previewFill{slack: e, pictures: e, copying: (*PreviewLimits)(nil).copies()}, 100)
		require.Equal(t, mostCopying, e.most)
	})
}
