// Package files is pictures in and out: signed public addresses for photos in Slack,
// and a fetcher that cannot be led to private addresses.
//
// A [Signer] makes an address and believes only its own; a [Handler] answers it by
// passing the photo on from Slack while it arrives, so that no picture is ever held in
// memory or on disk; [Check] says beforehand which files are worth an address. A
// [Fetcher] gets small pictures from addresses that others chose.
//
// Where to look: signer.go and handler.go are the two ends of such an address, places.go is how many
// may read at once, photo.go how a photo is opened at Slack; check.go is what is known of a file by its name and type, formats.go
// by its first bytes; fetcher.go gets pictures from elsewhere, and guard.go is the list of
// addresses that it never connects to.
//
// What a file says it is, its name or its type, is never believed: only its first bytes.
// The package knows no orders and no Slack; it sees Slack as a [Source].
package files

import "time"

// Life is how long an address made now works: longer than any order is open.
const Life = 180 * 24 * time.Hour

// Path is where a [Handler] is served.
const Path = "/files/"
