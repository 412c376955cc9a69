// Package review serves the page *Compare*: the photos of a review, one at a time at full size, with a slider between
// the versions of each.
//
// Whoever has the link sees the page, for 14 days, while the round waits for its decision in the channel of the link.
// So the page names no person and no credits, and it changes nothing. Another link is for one person, for two hours: its
// page also saves their pins. A link that shows nothing gets one answer, whatever is wrong with it.
//
// The package reads an order with one call and asks nobody for pictures: the browser gets them from where they are.
//
// Where to look: link.go signs, handler.go answers, limits.go bounds the readers; photos.go chooses what a page shows,
// page.go writes it; pins.go saves pins.
package review

import (
	"encoding/json"
	"errors"
	"time"

	"darkroom/files"
	"darkroom/store"
)

const (
	// Path is the path of a [Handler].
	Path = "/review/"
	// Life is how long a link works at most. An updated message has a new link.
	Life = 14 * 24 * time.Hour

	// MarkLife is how long a link to set pins works.
	MarkLife = 2 * time.Hour

	purpose     = "darkroom review token\x00"
	markPurpose = "darkroom marking token\x00"
	maxMarking  = 300 // bytes of a link's content; a token is bounded
)

// Address returns the link to the page of the order's present round, or "" for an order that does not fit into a link.
// The signer is that of the order's workspace.
func Address(s *files.Signer, t store.Tracked, now time.Time) string {
	content := files.Bundle{Order: t.ID, Round: t.Order.Rev(), Generation: t.Owner.Generation}.Encode()
	if content == nil {
		return ""
	}
	return s.Address(Path + s.Seal(purpose, content, now.Add(Life)))
}

// MarkAddress returns the link to the page on which one person sets pins, or "" for a form that does not fit into a link.
// The signer is that of the order's workspace.
func MarkAddress(s *files.Signer, m store.Marking, now time.Time) string {
	content, err := json.Marshal(m)
	if err != nil || len(content) > maxMarking {
		return ""
	}
	return s.Address(Path + s.Seal(markPurpose, content, now.Add(MarkLife)))
}

// link is what a token names.
type link struct {
	files.Bundle
	marking *store.Marking // nil: the page only compares
}

// verify returns what a token of [Address] or [MarkAddress] names. The error is [files.ErrForged] or [files.ErrExpired].
func verify(s *files.Signer, token string, now time.Time) (link, error) {
	workspace, content, err := s.Open(purpose, token, now)
	if errors.Is(err, files.ErrForged) {
		return verifyMarking(s, token, now)
	}
	if err != nil {
		return link{}, err
	}
	b, err := files.DecodeBundle(workspace, content)
	return link{Bundle: b}, err
}

func verifyMarking(s *files.Signer, token string, now time.Time) (link, error) {
	workspace, content, err := s.Open(markPurpose, token, now)
	if err != nil {
		return link{}, err
	}
	var m store.Marking
	if json.Unmarshal(content, &m) != nil || m.Order == "" || m.User == "" {
		return link{}, files.ErrForged
	}
	return link{files.Bundle{Order: m.Order, Round: m.Round, Generation: m.Generation, Workspace: workspace}, &m}, nil
}
