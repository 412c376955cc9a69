package upstream

import (
	"context"
	"errors"
	"net/http"

	"github.com/shopspring/decimal"
)

// Balance returns the credits left on the account.
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
