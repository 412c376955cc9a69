package cards_test

import (
	"errors"
	"fmt"
	"testing"

	"darkroom/cards"
	"darkroom/cards/ops"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestEveryErrorHasItsSentence(t *testing.T) {
	refused := func(op string, messages ...string) error {
		return fmt.Errorf("order 7: %w", &order.Error{Op: op, Messages: messages})
	}
	said := func(messages ...string) error { return refused("approve", messages...) }
	tests := map[string]struct {
		err  error
		want string
	}{
		"all reasons":     {refused("create", "insufficient balance: 2 credits", "one file is not accessible from our server: http://a/b.jpg"), "“insufficient balance: 2 credits.” “one file is not accessible from our server: http://a/b.jpg.”"},
		"balance":         {refused("create", "insufficient balance: 2 credits"), "Add credits"},
		"a file":          {refused("create", "one file is not accessible from our server: http://a/b.jpg"), "anyone can open the link"},
		"the deadline":    {refused("cancel", "15 min deadline passed"), "The time to cancel is over"},
		"the status":      {said("Invalid order status"), "The order has moved on"},
		"a duplicate":     {refused("message", "Please do not post duplicated message"), "It has this already"},
		"the order id":    {said("Invalid order id"), "Check the order code"},
		"an image":        {refused("revise", "image ID not found: sh38nsk"), "newest photos"},
		"not its own":     {said("15 min deadline passed"), "Change what it names"},
		"a new reason":    {said("the moon is full!"), "“the moon is full!” Nothing was lost"},
		"no reason":       {said(), "gave no reason"},
		"markup":          {said("<!channel>"), "“&lt;!channel&gt;.”"},
		"input":           {&order.InputError{Problem: "An order needs an image"}, "An order needs an image. Nothing was sent."},
		"not tracked":     {fmt.Errorf("order 7: %w", store.ErrNotTracked), "No order with that ID"},
		"stale":           {store.ErrStale, "The order changed just now"},
		"no draft":        {store.ErrNoDraft, "seven days"},
		"unknown":         {&order.Error{Op: "create", Outcome: order.ErrUnknown}, "I do not know yet if this worked"},
		"rate limited":    {&order.Error{Op: "fetch", Outcome: order.ErrRateLimited}, "slow down"},
		"unavailable":     {&order.Error{Op: "fetch", Outcome: order.ErrUnavailable}, "cannot be reached"},
		"no such path":    {&order.Error{Op: "reference", Outcome: order.ErrNoSuchPath}, "does not offer"},
		"anything else":   {errors.New("dial tcp: secret"), "give your Darkroom admin error code K3F9."},
		"words of a 502":  {&order.Error{Op: "create", Outcome: order.ErrUnknown, Messages: []string{"boom"}}, "I do not know yet if this worked"},
		"nothing at all":  {nil, ""},
		"the reference<>": {errors.New("x"), "K3F9"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := cards.Sentence(tt.err, "K3F9")
			require.Contains(t, got, tt.want)
			require.NotContains(t, got, "secret")
			require.NotContains(t, got, "boom")
			if tt.err == nil {
				require.Empty(t, got)
			}
		})
	}
	require.NotContains(t, cards.Sentence(errors.New("x"), ""), "ref", "there is none")
}

func TestEverySentenceSaysThatNothingWasLost(t *testing.T) {
	sayings := []string{cards.Sentence(errors.New("x"), "K3F9"), cards.Refusal(&order.Error{}, nil)}
	sayings = append(sayings, cards.Sentences()...)
	for _, why := range []order.Denial{order.DeniedNotInChannel, order.DeniedNoChannel, order.DeniedArchived, order.DeniedMissingScope, order.DeniedTokenRevoked, order.DeniedNotMember, order.DeniedGuest, order.DeniedByChannel, "?"} {
		sayings = append(sayings, cards.CannotPost("C0PHOTOS", why))
	}
	for _, s := range sayings {
		require.Regexp(t, "Nothing was (lost|changed|sent)", s)
	}
}

func TestHiddenAndNonexistentReadTheSame(t *testing.T) {
	require.Equal(t, "There is no order “7”. Check the order code on the order's card and try again.", cards.NotFound("7"))
	require.Equal(t, "There is no such order. The order code is on the order's card.", cards.NotFound(" "))
}

func TestWhyAnOrderCannotBeApproved(t *testing.T) {
	tr := func(s order.Status) store.Tracked {
		return store.Tracked{ID: "7", Known: order.Known{Order: order.Order{Status: s}}}
	}
	require.Contains(t, cards.CannotApprove(tr(order.StatusClosed)), "approved already")
	require.Contains(t, cards.CannotApprove(tr(order.StatusCanceled)), "was canceled")
	require.Contains(t, cards.CannotApprove(tr(order.StatusRevising)), "not ready for review (Changes being made)")
	require.Contains(t, cards.CannotApprove(store.Tracked{Known: order.Known{Gone: true}}), "cannot find")
}

func TestOutagesAreSaid(t *testing.T) {
	require.Contains(t, ops.ServiceDown, "cannot be reached")
	require.Contains(t, ops.ServiceBack, "is back")
}
