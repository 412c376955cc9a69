package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Unfinished returns the draft that a person last filled in and has not placed or
// discarded, or [ErrNoDraft]. A draft whose order was refused counts; an empty form
// does not.
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

// unfinished reports whether the form has input that would be lost, and is not being
// placed.
func (d Draft) unfinished() bool {
	return (d.State == DraftOpen || d.State == DraftRefused) && d.filled()
}

// filled reports whether a person put something in. The channel and the service type
// do not count: they have defaults. A preset's values do not count: they are not lost.
func (d Draft) filled() bool {
	own := d.own()
	typed := append([]string{d.ProjectName, own.CustomerID}, own.Instructions...)
	typed = append(typed, d.ownURLs()...)
	return len(d.Files) > 0 || slices.ContainsFunc(typed, func(s string) bool { return strings.TrimSpace(s) != "" })
}
