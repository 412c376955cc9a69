package upstream

import (
	"context"
	"errors"
	"net/http"

	"github.com/shopspring/decimal"
)

// Balance reads the credits that the account has left.
func (c *Client) Balance(ctx context.Context) (decimal.Decimal, error) {
	return ask(ctx, c, request{op: "balance", method: http.MethodGet, path: "/account/balance"}, form.credits)
}

func (f form) credits() (decimal.Decimal, error) {
	var account struct {
		Credits amount `json:"credits"`
	}
	if !single(f.Data, &account) || !account.Credits.Valid {
		return decimal.Decimal{}, errors.New("an answer without credits")
	}
	return account.Credits.Decimal, nil
}
