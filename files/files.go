// Package files serves and fetches pictures: signed public addresses for photos in Slack, ZIPs of
// deliveries, contact sheets, and a fetcher that stays on the public network.
//
// A [Signer] makes an address, and verifies only its own. A [Handler] answers it and passes the photo
// on from Slack while it arrives, so no photo is held in memory or on disk. [Check] decides beforehand
// which files get an address. A [ZIPHandler] does the same for all images of a delivery. A [Fetcher]
// gets pictures from addresses that others chose.
//
// Where to look: signer.go makes addresses, handler.go answers them, limits.go bounds the readers,
// photo.go opens a photo at Slack. check.go judges a file by its name and type, formats.go by its first
// bytes. fetcher.go gets pictures from elsewhere; guard.go lists the networks it never connects to.
// zip.go and zip_run.go make ZIPs, sheet.go contact sheets.
//
// The package trusts neither the name nor the declared type of a file, only its first bytes. It knows
// no orders and no Slack; it sees Slack as a [Source].
package files

import "time"

// Life is how long a new address works. It is longer than any order is open.
const Life = 180 * 24 * time.Hour

// Path is the path of a [Handler].
const Path = "/files/"
