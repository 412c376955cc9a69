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

// easel counts the pictures that it has at once, of whichever workspace.
type easel struct {
	Slack
	mu        sync.Mutex
	now, most int
}

func (e *easel) hold(by int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now += by
	e.most = max(e.most, e.now)
}

func (e *easel) Fetch(context.Context, string) ([]byte, error) {
	e.hold(1)
	<-time.After(time.Second / 4)
	return nil, nil
}

func (e *easel) UploadImage(context.Context, string, []byte) (string, error) {
	<-time.After(time.Second / 4)
	e.hold(-1)
	return "F1", nil
}

func (e *easel) Look(context.Context, string) error {
	e.hold(1)
	defer e.hold(-1)
	<-time.After(time.Second / 10)
	return nil
}

// previewers copy and check previews for so many workspaces.
func previewers(e *easel, n int) (copying []*previewFill, checks []*imageChecks) {
	limits := NewPreviewLimits()
	for range n {
		copying = append(copying, &previewFill{slack: e, pictures: e, copying: limits.copies()})
		checks = append(checks, newImageChecks(e, checkTime, limits.checks()))
	}
	return copying, checks
}

// copies copies so many previews in a workspace, and returns how long it took.
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
		e := &easel{}
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
		e := &easel{}
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

// One that has a thousand previews to copy leaves places to the others; who is alone has all.
func TestAWorkspaceWithManyPreviewsLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		both, _ := previewers(&easel{}, 2)
		var noisy sync.WaitGroup
		noisy.Go(func() { copies(t, both[0], 100) })
		<-time.After(time.Millisecond)
		require.Equal(t, time.Second/2, copies(t, both[1], 1))
		noisy.Wait()

		e := &easel{}
		copies(t, &previewFill{slack: e, pictures: e, copying: (*PreviewLimits)(nil).copies()}, 100)
		require.Equal(t, mostCopying, e.most)
	})
}
