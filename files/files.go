// Package files is pictures in and out: signed public addresses for photos in Slack,
// and a fetcher that cannot be led to private addresses.
package files

import "time"

// Life is how long an address made now works: longer than any order is open.
const Life = 180 * 24 * time.Hour

// Path is where a [Handler] is served.
const Path = "/files/"

// Signer makes addresses of photos in Slack that anyone can open until they expire.
type Signer struct{}

// NewSigner makes one for a public base URL; the first key signs, the others are still
// believed.
func NewSigner(publicURL string, keys []string) (*Signer, error) { return &Signer{}, nil }

// URL is the address of a file of Slack's; name is what the service sees.
func (s *Signer) URL(file, name string, now time.Time) string { return "" }
