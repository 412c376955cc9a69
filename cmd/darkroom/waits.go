//go:build !shortwaits

package main

import "darkroom/cmd/darkroom/workspace"

// newWaits returns the real waits: those that each package documents.
func newWaits() workspace.Waits { return workspace.Waits{} }
