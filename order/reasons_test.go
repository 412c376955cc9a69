package order_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/order"
	"darkroom/order/ordertest"
)

var operations = []string{"balance", "list", "create", "cancel", "fetch", "revise", "approve", "message", "reference", ""}

func TestAReasonIsTheWholeMessageAndTheOperationsOwn(t *testing.T) {
	for kind, refusal := range ordertest.Refusals {
		for _, said := range refusal.Said {
			for _, op := range operations {
				var want error
				if slices.Contains(refusal.Ops, op) {
					want = kind
				}
				assert.Equal(t, want, order.ReasonOf(op, said), "%s: %s", op, said)
				assert.NoError(t, order.ReasonOf(op, said+" in the outbox of the billing daemon"), "%s: %s, and more", op, said)
				assert.NoError(t, order.ReasonOf(op, "outbox worker "+said), "%s: more, and %s", op, said)
			}
		}
	}
	for of, all := range ordertest.Duplicates {
		for _, said := range all {
			for _, op := range operations {
				assert.Equal(t, op == of, errors.Is(order.ReasonOf(op, said), order.ErrDuplicate), "%s: %s", op, said)
			}
		}
	}
}

func TestWhatOnlySoundsLikeARefusalIsNone(t *testing.T) {
	for _, said := range ordertest.NearMisses {
		for _, op := range operations {
			assert.NoError(t, order.ReasonOf(op, said), "%s: %s", op, said)
		}
	}
}

func TestMessagesAreRecognisedWhenEachIsAReason(t *testing.T) {
	const known, other = "Invalid order id.", "unknown error"
	assert.True(t, order.Recognised("cancel", []string{known, "15 min deadline passed"}))
	assert.False(t, order.Recognised("cancel", []string{known, other}))
	assert.False(t, order.Recognised("create", []string{known}), "of another operation")
	assert.False(t, order.Recognised("cancel", nil))
}
