package order

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of pins. They hold for one draft of a person.
const (
	MaxPinWords    = 500 // characters of a pin's words
	MaxPinsOfImage = 20
	MaxPins        = 100

	maxPinID = 40 // bytes
)

// The reasons that a pin cannot be set.
var (
	ErrPinPlace = errors.New("not a pin on a photo")
	ErrPinWords = errors.New("no words, or too many")
	ErrManyPins = errors.New("too many pins")
)

// Pin points at a place of a delivered photo and says what to change there.
type Pin struct {
	ID    string `json:"id"`    // chosen by the page that sets it
	Edit  string `json:"edit"`  // see [EditedImage.Edit]
	Image string `json:"image"` // ID of the image
	Name  string `json:"name,omitempty"`
	X     int    `json:"x"` // thousandths of the width, from the left
	Y     int    `json:"y"` // thousandths of the height, from the top
	Words string `json:"words"`
}

// Pins are a person's pins on the photos of an order, the oldest first.
type Pins []Pin

// On returns the pins on one edit. Their numbers are their places in it, from 1.
func (p Pins) On(image EditedImage) Pins {
	return p.onEdit(image.Edit())
}

func (p Pins) onEdit(edit string) Pins {
	return slices.DeleteFunc(slices.Clone(p), func(pin Pin) bool { return pin.Edit != edit })
}

// Lines returns an instruction for each pin: "1: (left, upper third) Remove the stain."
func (p Pins) Lines() []string {
	lines := make([]string, len(p))
	for i, pin := range p {
		lines[i] = strconv.Itoa(i+1) + ": (" + pin.Place() + ") " + strings.Join(Lines(pin.Words), " · ")
	}
	return lines
}

// Place says in words where a pin is: "left, upper third".
func (p Pin) Place() string {
	return []string{"left", "middle", "right"}[third(p.X)] + []string{", upper third", "", ", lower third"}[third(p.Y)]
}

// third returns in which third a place is: 0, 1 or 2.
func third(thousandths int) int { return min(2, max(0, thousandths*3/1000)) }

// With returns the pins with one set: it is new, or changes the one with its ID. It returns the pins unchanged, and why
// this one cannot be set: [ErrPinPlace], [ErrPinWords] or [ErrManyPins].
func (p Pins) With(pin Pin) (Pins, error) {
	pin.Words = strings.TrimSpace(pin.Words)
	switch {
	case pin.ID == "" || len(pin.ID) > maxPinID || pin.X < 0 || pin.X > 1000 || pin.Y < 0 || pin.Y > 1000:
		return p, ErrPinPlace
	case pin.Words == "" || utf8.RuneCountInString(pin.Words) > MaxPinWords:
		return p, ErrPinWords
	}
	all := slices.Clone(p)
	if at := slices.IndexFunc(all, pin.same); at >= 0 {
		all[at] = pin
		return all, nil
	}
	if len(all) >= MaxPins || len(all.onEdit(pin.Edit)) >= MaxPinsOfImage {
		return p, ErrManyPins
	}
	return append(all, pin), nil
}

// Without returns the pins but these.
func (p Pins) Without(gone ...Pin) Pins {
	return slices.DeleteFunc(slices.Clone(p), func(pin Pin) bool { return slices.ContainsFunc(gone, pin.same) })
}

// same reports whether two are one pin: its ID counts on its photo alone.
func (p Pin) same(other Pin) bool { return p.ID == other.ID && p.Edit == other.Edit }
