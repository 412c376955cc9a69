package order_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/order"
)

// outcomes are all that a request can end in.
var outcomes = []error{order.ErrRefused, order.ErrUnknown, order.ErrUnavailable, order.ErrRateLimited, order.ErrNoSuchPath}

func TestAnErrorIsItsOutcomeAndNoOther(t *testing.T) {
	for outcome, want := range map[error][]error{
		nil:                  {order.ErrRefused}, // made by hand, of reasons alone
		order.ErrRefused:     {order.ErrRefused},
		order.ErrUnknown:     {order.ErrUnknown},
		order.ErrUnavailable: {order.ErrUnavailable},
		order.ErrRateLimited: {order.ErrUnavailable, order.ErrRateLimited},
		order.ErrNoSuchPath:  {order.ErrNoSuchPath},
	} {
		err := fmt.Errorf("order A1: %w", &order.Error{Op: "approve", Outcome: outcome, Cause: context.Canceled})
		var is []error
		for _, one := range outcomes {
			if errors.Is(err, one) {
				is = append(is, one)
			}
		}
		assert.Equal(t, want, is, "%v", outcome)
		assert.ErrorIs(t, err, context.Canceled, "what stopped it")
	}
}

func TestOnlyARefusalNamesItsReasons(t *testing.T) {
	said := []string{"invalid order status", "the moon is full"}
	assert.ErrorIs(t, &order.Error{Op: "approve", Messages: said}, order.ErrInvalidStatus)
	assert.NotErrorIs(t, &order.Error{Op: "message", Messages: said}, order.ErrInvalidStatus, "no reason of that operation")
	assert.NotErrorIs(t, &order.Error{Op: "approve", Messages: said, Outcome: order.ErrUnknown}, order.ErrInvalidStatus)
}

func TestWhatAnErrorSays(t *testing.T) {
	for want, e := range map[string]order.Error{
		"create: insufficient balance; the moon is full": {Op: "create", Messages: []string{"insufficient balance", "the moon is full"}, Status: 200},
		"create: refused by hand: HTTP status 422":       {Op: "create", Outcome: order.ErrRefused, Problem: "refused by hand", Status: 422},
		"fetch: service unavailable: context canceled":   {Op: "fetch", Outcome: order.ErrUnavailable, Cause: context.Canceled},
		"fetch: refused (this machine's clock is 2m1s ahead of the service's)": {
			Op: "fetch", Messages: []string{"refused"}, ClockSkew: 121*time.Second + 4*time.Millisecond,
		},
		"fetch: refused (this machine's clock is 1h0m0s behind the service's)": {Op: "fetch", Messages: []string{"refused"}, ClockSkew: -time.Hour},
	} {
		assert.Equal(t, want, e.Error())
	}
	assert.Equal(t, "An order has one image at least.", (&order.InputError{Problem: "An order has one image at least."}).Error())
}
