//go:build !shortwaits

package main

// newWaits returns the real waits: those that each package documents.
func newWaits() waits { return waits{} }
