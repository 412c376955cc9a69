//go:build !production

package main

import (
	"fmt"
	"io"
	"time"

	"darkroom/sandbox/person"
)

// step is one sentence of the story and what makes it true.
type step struct {
	says string
	do   func() error
}

// play plays one order from the first command to approved, and fails at the first step
// that is not seen.
func play(s *stage, out io.Writer) error {
	maria := person.New(s.sandbox.Workspace, "maria", person.Options{Patience: patience})
	began := time.Now()
	fmt.Fprintln(out, "One order, as Maria sees it in #shoots:")
	for _, step := range story(maria, s.sandbox.Samples()) {
		if err := step.do(); err != nil {
			fmt.Fprintf(out, "  ✗ %s\n", step.says)
			return fmt.Errorf("%s: %w", step.says, err)
		}
		fmt.Fprintf(out, "  ✓ %5.1fs  %s\n", time.Since(began).Seconds(), step.says)
	}
	if err := s.sandbox.Strangers(); err != nil {
		return err
	}
	if err := maria.OpenThread("Summer <catalogue>"); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nWhat #shoots shows now:\n\n%s\n", maria.Screen())
	return nil
}

// story is the order's story: command, modal, submit, placed, review, approved.
func story(maria *person.Person, photos []string) []step {
	return []step{
		{"Maria types /order new with two image URLs", func() error { return maria.Type("/order new " + photos[0] + " " + photos[1]) }},
		{"the order form opens", func() error { return maria.SeesModal("New photo order") }},
		{"she writes the instructions", func() error {
			return maria.Fill("Instructions", "Brighten the sky.\nKeep the sand as it is.")
		}},
		{"she names the project", func() error { return maria.Fill("Project name", "Summer <catalogue>") }},
		{"she submits", maria.Submit},
		{"the form says that the order is placed", func() error { return maria.Sees("Order placed") }},
		{"she closes it", maria.CloseModal},
		{"the channel has the order's card", func() error { return maria.Sees("Summer <catalogue>") }},
		{"its thread says Placed", func() error { return maria.SeesInThread("Summer <catalogue>", "Placed") }},
		{"the channel sees Ready for review", func() error { return maria.SeesBroadcast("Ready for review") }},
		{"with a thumbnail of each picture", func() error { return maria.SeesThumbnails(2) }},
		{"she presses Approve", func() error { return maria.PressOn("Ready for review", "Approve") }},
		{"the approval opens", func() error { return maria.SeesModal("Approve order") }},
		{"she leaves feedback", func() error { return maria.Fill("Feedback", "Lovely light, thank you!") }},
		{"she submits", maria.Submit},
		{"the form says that the order is approved", func() error { return maria.Sees("The order is closed") }},
		{"she closes it", maria.CloseModal},
		{"the thread says Approved, by Maria", func() error { return maria.SeesInThread("Summer <catalogue>", "Approved by @Maria") }},
		{"the Approve button is gone", func() error { return maria.SeesNoButton("Approve") }},
	}
}
