package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Unfinished returns the draft that a person filled in last and neither placed nor
// discarded, or [ErrNoDraft]. A draft whose order was refused counts; a form in which
// nothing was filled in does not.
func (s *Drafts) Unfinished(ctx context.Context, team, user string) (Draft, error) {
	ids, err := s.db.Redis.ZRevRange(ctx, s.db.Key("unfinished", team, user), 0, -1).Result()
	if err != nil {
		return Draft{}, draftError("of "+user, err)
	}
	for _, id := range ids {
		d, err := s.Draft(ctx, id)
		if errors.Is(err, ErrNoDraft) || err == nil && !d.unfinished() {
			continue // expired, or moved on, since the index was read
		}
		return d, err
	}
	return Draft{}, draftError("of "+user, ErrNoDraft)
}

// unfinished says that there is something in the form that would be lost, and that
// nothing is being done about it.
func (d Draft) unfinished() bool {
	return (d.State == DraftOpen || d.State == DraftRefused) && d.filled()
}

// filled says that a person put something in: where it is posted and the service type
// have answers of their own, and what a preset put in is not lost.
func (d Draft) filled() bool {
	own := d.own()
	typed := append([]string{d.ProjectName, own.CustomerID}, own.Instructions...)
	typed = append(typed, d.ownURLs()...)
	return len(d.Files) > 0 || slices.ContainsFunc(typed, func(s string) bool { return strings.TrimSpace(s) != "" })
}
