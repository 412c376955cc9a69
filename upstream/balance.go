package upstream

import (
	"context"
	"errors"
	"net/http"

	"github.com/shopspring/decimal"
)

// Balance reads the credits that the account has left.
func (c *Client) Balance(ctx context.Context) (decimal.Decimal, error) {
	r := request{op: "balance", method: http.MethodGet, path: "/account/balance"}
	a, err := c.call(ctx, r)
	if err != nil {
		return decimal.Decimal{}, err
	}
	var account struct {
		Credits amount `json:"credits"`
	}
	if !single(a.form.Data, &account) || !account.Credits.Valid {
		return decimal.Decimal{}, a.unclear(r, errors.New("an answer without credits"))
	}
	return account.Credits.Decimal, nil
}
