package upstream_test

import (
	"fmt"
	"slices"
	"testing"

	"darkroom/order"
	"darkroom/order/ordertest"

	"github.com/stretchr/testify/require"
)

// A 5xx is a refusal only when every message is wholly one of the operation's own.
func TestA5xxIsARefusalOnlyInTheOperationsOwnWords(t *testing.T) {
	answer := func(t *testing.T, op string, said ...string) error {
		t.Helper()
		body := `{"errors":[`
		for i, words := range said {
			if i > 0 {
				body += ","
			}
			body += fmt.Sprintf("%q", words)
		}
		c := client(t, reply(t, 503, body+`]}`))
		if call, ok := writes[op]; ok {
			return call.call(t.Context(), c)
		}
		return reads[op].call(t.Context(), c)
	}
	for op := range writes {
		for kind, refusal := range ordertest.Refusals {
			err := answer(t, op, refusal.Said[0])
			if slices.Contains(refusal.Ops, op) {
				requireOutcome(t, err, order.ErrRefused)
				require.ErrorIs(t, err, kind)
				err = answer(t, op, refusal.Said[0], "unknown error")
			}
			requireOutcome(t, err, order.ErrUnknown)
			require.NotErrorIs(t, err, kind)
		}
		requireOutcome(t, answer(t, op, ordertest.NearMisses[2]), order.ErrUnknown)
	}
	requireOutcome(t, answer(t, "fetch", "Invalid order id."), order.ErrRefused)
	requireOutcome(t, answer(t, "list", "Invalid order id."), order.ErrUnavailable)
	requireOutcome(t, answer(t, "fetch", "order could not be found by the billing daemon"), order.ErrUnavailable)
	c := client(t, reply(t, 500, `{"errors":["insufficient balance: 2 credits",null]}`))
	requireOutcome(t, writes["create"].call(t.Context(), c), order.ErrUnknown)
}

// On any other answer, too, a refusal names no reason that it does not wholly say.
func TestARefusalNamesOnlyWhatItWhollySays(t *testing.T) {
	for _, said := range ordertest.NearMisses[1:] {
		c := client(t, reply(t, 200, fmt.Sprintf(`{"errors":[%q]}`, said)))
		for _, call := range writes {
			err := call.call(t.Context(), c)
			requireOutcome(t, err, order.ErrRefused)
			for kind := range ordertest.Refusals {
				require.NotErrorIs(t, err, kind, said)
			}
			require.NotErrorIs(t, err, order.ErrDuplicate, said)
		}
	}
}
