package jobs

import (
	"context"

	"darkroom/store"
)

// A workspace may be connected to another account while an order of unknown outcome is out. Whatever account is asked: an
// order that carries our reference is the one. That it is missing counts only at the account it was sent to.

// sendsTo is the account that an order is sent to now; the zero value while there is none.
func (j *Jobs) sendsTo(ctx context.Context) (store.SentTo, error) {
	account := j.own
	if j.connecting != nil {
		var err error
		if account, err = j.connecting.Accounts.Account(ctx); store.NoAccount(err) {
			return store.SentTo{}, nil
		} else if err != nil {
			return store.SentTo{}, err
		}
	}
	return store.SentTo{Account: account.ID(), Host: account.Host()}, nil
}

// sentElsewhere reports whether the order may be at an account that is not asked any more.
func (p *placeRun) sentElsewhere(ctx context.Context) (bool, error) {
	if p.draft.SentTo == (store.SentTo{}) {
		return false, nil
	}
	now, err := p.sendsTo(ctx)
	return err == nil && now.Account != p.draft.SentTo.Account, err
}

// leaveAccount ends the looking at an account. Who is told that the order may be there decides alone from then on.
func (p *placeRun) leaveAccount(ctx context.Context) error {
	away, err := p.sentElsewhere(ctx)
	missing := p.draft.Search.Readings >= scansNeeded
	if away && !missing {
		p.draft.Search.Elsewhere = p.draft.SentTo.Host
	}
	if away || missing {
		p.draft.SentTo = store.SentTo{}
	}
	return err
}
