package person

import (
	"fmt"
	"io"
	"time"
)

// step is one sentence of the story and what makes it true.
type step struct {
	says string
	do   func() error
}

// PlayOrder plays one order from the first command to approved and prints its story; it
// fails at the first step that is not seen.
func (p *Person) PlayOrder(photos []string, out io.Writer) error {
	began := time.Now()
	fmt.Fprintln(out, "One order, as Maria sees it in #shoots:")
	for _, step := range p.story(photos) {
		if err := step.do(); err != nil {
			fmt.Fprintf(out, "  ✗ %s\n", step.says)
			return fmt.Errorf("%s: %w", step.says, err)
		}
		fmt.Fprintf(out, "  ✓ %5.1fs  %s\n", time.Since(began).Seconds(), step.says)
	}
	if err := p.OpenThread("Summer <catalogue>"); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nWhat #shoots shows now:\n\n%s\n", p.Screen())
	return nil
}

// story is the order's story: command, modal, submit, placed, review, approved.
func (p *Person) story(photos []string) []step {
	return []step{
		{"Maria types /order new with two image URLs", func() error { return p.Type("/order new " + photos[0] + " " + photos[1]) }},
		{"the order form opens", func() error { return p.SeesModal("New photo order") }},
		{"she writes the instructions", func() error {
			return p.Fill("Instructions", "Brighten the sky.\nKeep the sand as it is.")
		}},
		{"she names the project", func() error { return p.Fill("Project name", "Summer <catalogue>") }},
		{"she submits", p.Submit},
		{"the form says that the order is placed", func() error { return p.Sees("Order placed") }},
		{"she closes it", p.CloseModal},
		{"the channel has the order's card", func() error { return p.Sees("Summer <catalogue>") }},
		{"its thread says Placed", func() error { return p.SeesInThread("Summer <catalogue>", "Placed") }},
		{"the channel sees Ready for review", func() error { return p.SeesBroadcast("Ready for review") }},
		{"with a thumbnail of each picture", func() error { return p.SeesThumbnails(2) }},
		{"she presses Approve", func() error { return p.PressOn("Ready for review", "Approve") }},
		{"Slack asks first", func() error { return p.Sees("This closes the order.") }},
		{"she confirms", func() error { return p.Press("Approve") }},
		{"the thread says Approved, by Maria", func() error { return p.SeesInThread("Summer <catalogue>", "Approved by Maria") }},
		{"the review says that it is over", func() error { return p.SeesInThread("Summer <catalogue>", "is over.") }},
		{"the Approve button is gone", func() error { return p.SeesNoButton("Approve") }},
	}
}
