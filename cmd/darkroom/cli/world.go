// Package cli is what the commands of the binary share: the outside world, a connection to Redis, and the words of lists.
package cli

import "io"

// World is what a command sees of the outside.
type World struct {
	Environ        []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}
