// Package review serves the page *Compare*: the photos of a review, one at a time at full size, with a slider between
// the versions of each.
//
// Whoever has the link sees the page, for 14 days, while the round waits for its decision in the channel of the link.
// So the page names no person and no credits, and it changes nothing. A link that shows nothing gets one answer,
// whatever is wrong with it.
//
// The package reads an order with one call and asks nobody for pictures: the browser gets them from where they are.
//
// Where to look: link.go signs, handler.go answers, limits.go bounds the readers; photos.go chooses what a page shows,
// page.go writes it.
package review

import (
	"time"

	"darkroom/files"
	"darkroom/store"
)

const (
	// Path is the path of a [Handler].
	Path = "/review/"
	// Life is how long a link works at most. An updated message has a new link.
	Life = 14 * 24 * time.Hour

	purpose = "darkroom review token\x00"
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

// verify returns what a token of [Address] names. The error is [files.ErrForged] or [files.ErrExpired].
func verify(s *files.Signer, token string, now time.Time) (files.Bundle, error) {
	workspace, content, err := s.Open(purpose, token, now)
	if err != nil {
		return files.Bundle{}, err
	}
	return files.DecodeBundle(workspace, content)
}
