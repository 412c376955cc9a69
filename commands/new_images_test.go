package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/upstream"
)

func TestEachImageHasItsOwnServiceAndInstruction(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new " + strings.TrimSpace(strings.Join(manyURLs(11), " ")))
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Uploads("beach.jpg")
		form.Ticks("Per photo", true)
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "12 photos: 12 Basic")
		form.Chooses("1 · beach.jpg: Service type", "reference")
		form.Types("2 · 0.jpg: Instruction", "Remove the crane.")
		form.Chooses("3 · 1.jpg: Service type", "extensive")
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "11 photos · 1 reference: 10 Basic, 1 Extensive")
		form.Types("12 · 10.jpg: Instruction", "Warmer.")
		form.Presses(place.ActionBack, r.Draft().ID)
		require.Contains(r.T, form.Shown(), "Remove the crane.")
		form.Presses(place.ActionBack, r.Draft().ID)
		require.Contains(r.T, form.Shown(), "Service type", "the form itself")
		form.Closes()

		r.Types("new")
		form = r.Sheet()
		form.Presses(place.ActionOpen, r.Draft().ID)
		require.Contains(r.T, form.Shown(), "Chosen: 11 photos · 1 reference: 10 Basic, 1 Extensive")
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		for range 3 {
			require.Empty(r.T, form.Submits())
		}
		require.Contains(r.T, form.Shown(), "insufficient balance")
		for range 3 {
			require.Empty(r.T, form.Submits())
		}
		require.Contains(r.T, form.Shown(), "Order placed")
		images := r.Service.Placed[1].Images
		require.Equal(r.T, order.ServiceReference, images[0].Service)
		require.Equal(r.T, upstream.Image{URL: manyURLs(11)[0], Service: order.ServiceBasic, Instruction: "Remove the crane."}, images[1])
		require.Equal(r.T, order.ServiceExtensive, images[2].Service)
		require.Equal(r.T, "Warmer.", images[11].Instruction)
	})
}

func manyURLs(n int) []string {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://example.com/%d.jpg", i)
	}
	return urls
}

func TestAnOrderOfReferencesOnlyIsNotSent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Ticks("Per photo", true)
		form.Submits()
		form.Chooses("1 · a.jpg: Service type", "reference")
		require.Contains(r.T, form.Problem(form.Submits(), "1 · a.jpg: Instruction"), "at least one")
		require.Empty(r.T, r.Service.Placed)
		require.Equal(r.T, order.ServiceReference, r.Draft().Images()[0].Service, "kept all the same")
	})
}

func TestOfTwoWindowsInTheSecondStepOneOrders(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Ticks("Per photo", true)
		form.Submits()
		r.Presses(place.ActionOpen, r.Draft().ID)
		other := r.Sheet()
		other.Presses(place.ActionOptions, "")
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
		other.Ticks("Per photo", true)
		require.Empty(r.T, other.Submits())
		require.Contains(r.T, other.Shown(), "Order placed", "the second window follows")
		require.Len(r.T, r.Service.Placed, 1)
	})
}

func TestTheTickDecidesWhetherImagesDiffer(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Ticks("Per photo", true)
		form.Submits()
		form.Chooses("1 · a.jpg: Service type", "extensive")
		form.Presses(place.ActionBack, r.Draft().ID)
		form.Ticks("Per photo", false)
		require.Empty(r.T, form.Submits())
		require.Equal(r.T, order.ServiceBasic, ordered(r).Images[0].Service)
	})
}
