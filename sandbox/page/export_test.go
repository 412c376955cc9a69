package page

import "io/fs"

// MaxStreams is how many tabs there may be.
const MaxStreams = maxStreams

// Static is what is built in.
func Static() fs.FS {
	static, _ := fs.Sub(embedded, "static")
	return static
}
