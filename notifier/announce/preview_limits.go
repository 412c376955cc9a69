package announce

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// PreviewLimits bound what a process does with previews at once, of all workspaces: pictures are large.
type PreviewLimits struct{ copying, checking *semaphore.Weighted }

// NewPreviewLimits returns limits, of which a process has one.
func NewPreviewLimits() *PreviewLimits {
	return &PreviewLimits{copying: semaphore.NewWeighted(mostCopying), checking: semaphore.NewWeighted(mostChecks)}
}

// places are what a workspace may do at once, of what all may: half of it, so that something is left for the others.
type places struct{ own, all *semaphore.Weighted }

// copies are the places of one workspace for copies in memory. Without limits it shares them with nobody.
func (l *PreviewLimits) copies() places {
	if l == nil {
		return places{all: semaphore.NewWeighted(mostCopying)}
	}
	return places{own: semaphore.NewWeighted(mostCopying / 2), all: l.copying}
}

// checks are the places of one workspace for checks of previews.
func (l *PreviewLimits) checks() places {
	if l == nil {
		return places{all: semaphore.NewWeighted(mostChecks)}
	}
	return places{own: semaphore.NewWeighted(mostChecks / 2), all: l.checking}
}

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
