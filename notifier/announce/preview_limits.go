package announce

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// PreviewLimits bound what a process does with previews at once, of all workspaces: pictures are large.
type PreviewLimits struct{ copying, looking *semaphore.Weighted }

// NewPreviewLimits returns limits, of which a process has one.
func NewPreviewLimits() *PreviewLimits {
	return &PreviewLimits{copying: semaphore.NewWeighted(mostCopying), looking: semaphore.NewWeighted(mostGlances)}
}

// places are what a workspace may do at once, of what all may: half of it, so that something is left for the others.
type places struct{ own, all *semaphore.Weighted }

// someOf are places of a workspace that shares all of them with others.
func someOf(all *semaphore.Weighted, most int64) places {
	return places{own: semaphore.NewWeighted(most / 2), all: all}
}

// allOf are places of one that shares them with nobody.
func allOf(most int64) places { return places{all: semaphore.NewWeighted(most)} }

// take waits for a place.
func (p places) take(ctx context.Context) error {
	if p.own == nil {
		return p.all.Acquire(ctx, 1)
	}
	if err := p.own.Acquire(ctx, 1); err != nil {
		return err
	}
	err := p.all.Acquire(ctx, 1)
	if err != nil {
		p.own.Release(1)
	}
	return err
}

// leave gives it back.
func (p places) leave() {
	p.all.Release(1)
	if p.own != nil {
		p.own.Release(1)
	}
}
