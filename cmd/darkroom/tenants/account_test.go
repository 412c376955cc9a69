package tenants

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// accountNow is the account of a workspace, or what reading it meets.
type accountNow struct {
	now tenants.ServiceAccount
	err error
}

func (a *accountNow) Account(context.Context) (tenants.ServiceAccount, error) { return a.now, a.err }

func (a *accountNow) Connect(context.Context, tenants.ServiceAccount) error { return nil }

func (a *accountNow) Disconnect(context.Context) error { return nil }

// A workspace's service is that of its account at each call: connected anew, it is another; without one, nothing leaves.
func TestAWorkspacesServiceIsThatOfItsAccountNow(t *testing.T) {
	t.Parallel()
	answer := `{"errors":[],"data":{"credits":42.5}}`
	photos := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(photos.Close)
	dialled, seen := []string{}, []string{}
	a := &accountNow{now: tenants.ServiceAccount{URL: photos.URL, Key: "first", Secret: "s"}}
	c := &connected{
		account: a,
		dial: func(a tenants.ServiceAccount) (*upstream.Client, error) {
			dialled = append(dialled, a.Key)
			return upstream.New(accountConfig(a, nil, nil))
		},
		seen: func(_ context.Context, left decimal.Decimal) { seen = append(seen, left.String()) },
	}
	require.Equal(t, upstream.DefaultTimeout, c.Timeout())
	for _, key := range []string{"first", "first", "second"} {
		a.now.Key = key
		_, err := c.Balance(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, []string{"first", "second"}, dialled, "a client for each account, not for each call")
	require.Equal(t, []string{"42.5", "42.5", "42.5"}, seen)

	answer = `{"errors":["invalid signature"]}`
	_, err := c.Balance(t.Context())
	require.Error(t, err)
	require.Len(t, seen, 3, "no balance was read")

	for _, none := range []error{tenants.ErrNotConnected, tenants.ErrUnreadable} {
		a.err = none
		_, err = c.Balance(t.Context())
		require.ErrorIs(t, err, order.ErrUnavailable, "it waits for an account")
	}
	a.err = io.EOF
	_, err = c.Fetch(t.Context(), "order1")
	require.ErrorIs(t, err, io.EOF)
	broken := errors.New("no such dialect")
	a.err, a.now.Key, c.dial = nil, "third", func(tenants.ServiceAccount) (*upstream.Client, error) { return nil, broken }
	_, err = c.Fetch(t.Context(), "order1")
	require.ErrorIs(t, err, broken)
	require.Len(t, dialled, 2)
}
