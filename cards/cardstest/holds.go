package cardstest

import (
	"darkroom/store"

	"github.com/shopspring/decimal"
)

// Limits returns settings that require approval often.
func Limits() store.Decides {
	return store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}, Spenders: []string{"U0TOM"}, OrderLimit: 50, MonthLimit: 1}
}

// Hold returns a question about one of the scene's orders.
func (s Scene) Hold(why store.HoldWhy) store.Hold {
	return store.Hold{
		Draft: "d1", Attempt: 2, Team: "T1", Channel: "C0PHOTOS", User: "U0MARIA", Why: why, Name: s.Words, Images: s.Images,
		Cost: decimal.NewFromInt(int64(s.Images)), Guessed: why == store.HoldOrder, Spent: decimal.RequireFromString("990.5"), Limit: 1000,
		Asks: []string{"U0OLGA", "U0BEN"}, At: Now, Names: s.Names,
	}
}

// OnHold returns a draft that waits for an approver.
func (s Scene) OnHold() store.Draft {
	h := s.Hold(store.HoldMonth)
	return store.Draft{ID: h.Draft, Attempt: h.Attempt, State: store.DraftRefused, Hold: &h, Channel: h.Channel, User: h.User}
}
