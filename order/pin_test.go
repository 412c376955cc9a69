package order_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestAPinSaysInWordsWhereItIs(t *testing.T) {
	for _, c := range []struct {
		x, y int
		says string
	}{
		{0, 0, "left, upper third"},
		{333, 333, "left, upper third"},
		{334, 333, "middle, upper third"},
		{500, 500, "middle"},
		{100, 400, "left"},
		{667, 666, "right"},
		{1000, 1000, "right, lower third"},
		{500, 667, "middle, lower third"},
		{1000, 0, "right, upper third"},
	} {
		assert.Equal(t, c.says, order.Pin{X: c.x, Y: c.y}.Place(), "%d, %d", c.x, c.y)
	}
}

func TestPinsAreNumberedForEachPhoto(t *testing.T) {
	beach, house := order.EditedImage{ID: "a", Name: "beach.jpg"}, order.EditedImage{ID: "b", Name: "house.jpg"}
	pins := order.Pins{
		{ID: "1", Edit: beach.Edit(), Words: "Remove the stain."},
		{ID: "2", Edit: house.Edit(), X: 900, Y: 900, Words: "Too\n dark \n"},
		{ID: "3", Edit: beach.Edit(), X: 500, Y: 500, Words: "Sharper."},
	}
	assert.Equal(t, []string{"1: (left, upper third) Remove the stain.", "2: (middle) Sharper."}, pins.On(beach).Lines())
	assert.Equal(t, []string{"1: (right, lower third) Too · dark"}, pins.On(house).Lines(), "a pin is one instruction")
	assert.Empty(t, pins.On(order.EditedImage{ID: "a", Name: "beach.jpg", Revision: 1}), "another edit of the photo")
}

func TestAPinIsSetChangedAndRemovedByItsID(t *testing.T) {
	pins, err := order.Pins(nil).With(order.Pin{ID: "1", Edit: "e", X: 1, Words: " Warmer. "})
	require.NoError(t, err)
	pins, err = pins.With(order.Pin{ID: "2", Edit: "e", Words: "Sharper."})
	require.NoError(t, err)
	changed, err := pins.With(order.Pin{ID: "1", Edit: "e", X: 9, Y: 8, Words: "Colder."})
	require.NoError(t, err)
	assert.Equal(t, order.Pins{{ID: "1", Edit: "e", X: 9, Y: 8, Words: "Colder."}, {ID: "2", Edit: "e", Words: "Sharper."}}, changed, "it keeps its number")
	assert.Equal(t, "Warmer.", pins[0].Words, "the pins before are as they were")
	assert.Equal(t, changed[:1], changed.Without(changed[1], order.Pin{ID: "unknown"}))
	other, err := pins.With(order.Pin{ID: "1", Edit: "another photo", Words: "Mine."})
	require.NoError(t, err)
	assert.Len(t, other, 3, "an id counts on its photo alone")
	assert.Equal(t, pins, other.Without(other[2]), "also when a pin goes")
}

func TestAPinThatCannotBeSetChangesNothing(t *testing.T) {
	full := order.Pins{}
	for n := range order.MaxPins {
		full = append(full, order.Pin{ID: strconv.Itoa(n), Edit: strconv.Itoa(n / order.MaxPinsOfImage), Words: "w"})
	}
	ofOne := full[:order.MaxPinsOfImage]
	for name, c := range map[string]struct {
		had order.Pins
		pin order.Pin
		err error
	}{
		"no id":                      {nil, order.Pin{Edit: "e", Words: "w"}, order.ErrPinPlace},
		"a long id":                  {nil, order.Pin{ID: strings.Repeat("i", 41), Edit: "e", Words: "w"}, order.ErrPinPlace},
		"left of the photo":          {nil, order.Pin{ID: "1", Edit: "e", X: -1, Words: "w"}, order.ErrPinPlace},
		"right of the photo":         {nil, order.Pin{ID: "1", Edit: "e", X: 1001, Words: "w"}, order.ErrPinPlace},
		"above it":                   {nil, order.Pin{ID: "1", Edit: "e", Y: -1, Words: "w"}, order.ErrPinPlace},
		"below it":                   {nil, order.Pin{ID: "1", Edit: "e", Y: 1001, Words: "w"}, order.ErrPinPlace},
		"no words":                   {nil, order.Pin{ID: "1", Edit: "e", Words: " \n"}, order.ErrPinWords},
		"many words":                 {nil, order.Pin{ID: "1", Edit: "e", Words: strings.Repeat("ü", order.MaxPinWords+1)}, order.ErrPinWords},
		"one more on a photo":        {ofOne, order.Pin{ID: "new", Edit: "0", Words: "w"}, order.ErrManyPins},
		"one more of all":            {full, order.Pin{ID: "new", Edit: "new", Words: "w"}, order.ErrManyPins},
		"as many words":              {nil, order.Pin{ID: strings.Repeat("i", 40), Edit: "e", X: 1000, Y: 1000, Words: strings.Repeat("ü", order.MaxPinWords)}, nil},
		"one of another photo":       {ofOne, order.Pin{ID: "new", Edit: "1", Words: "w"}, nil},
		"a change where all is full": {full, order.Pin{ID: "7", Edit: "0", Words: "new"}, nil},
	} {
		got, err := c.had.With(c.pin)
		require.ErrorIs(t, err, c.err, name)
		if c.err != nil {
			assert.Equal(t, c.had, got, name)
		}
	}
}
