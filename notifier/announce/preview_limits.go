package announce

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// PreviewLimits bounds a process's concurrent work with previews over all workspaces: pictures are large.
type PreviewLimits struct{ copying, checking *semaphore.Weighted }

// NewPreviewLimits returns the limits of one process.
func NewPreviewLimits() *PreviewLimits {
	return &PreviewLimits{copying: semaphore.NewWeighted(mostCopying), checking: semaphore.NewWeighted(mostChecks)}
}

// previewSlots are the slots of one workspace: half of the process's, so that others get some.
type previewSlots struct{ own, all *semaphore.Weighted }

// copies returns one workspace's slots for copies in memory. A nil receiver shares them with nobody.
func (l *PreviewLimits) copies() previewSlots {
	if l == nil {
		return previewSlots{semaphore.NewWeighted(mostCopying), semaphore.NewWeighted(mostCopying)}
	}
	return previewSlots{semaphore.NewWeighted(mostCopying / 2), l.copying}
}

// checks returns one workspace's slots for checks of previews.
func (l *PreviewLimits) checks() previewSlots {
	if l == nil {
		return previewSlots{semaphore.NewWeighted(mostChecks), semaphore.NewWeighted(mostChecks)}
	}
	return previewSlots{semaphore.NewWeighted(mostChecks / 2), l.checking}
}

// acquire waits for a slot.
func (p previewSlots) acquire(ctx context.Context) error {
	if err := p.own.Acquire(ctx, 1); err != nil {
		return err
	}
	err := p.all.Acquire(ctx, 1)
	if err != nil {
		p.own.Release(1)
	}
	return err
}

// release frees a slot.
func (p previewSlots) release() {
	p.all.Release(1)
	p.own.Release(1)
}
