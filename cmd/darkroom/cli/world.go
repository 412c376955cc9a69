// Package cli has the parts that the binary's commands share: their input and output, a connection to Redis, and words.
package cli

import "io"

// World is the environment, the input and the output of a command.
type World struct {
	Environ        []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}
