package accounts

import (
	"context"
	"log/slog"
	"strings"

	"darkroom/cards/ops"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/tenants"
)

// Names learns how an account's service stores project names. A search by the reference in the name proves the absence
// of an order only if the service keeps the given names. Every answer adds evidence, which is saved with the account.
type Names struct {
	Account      *Account
	Operators    *answers.Operators
	AccountNames *tenants.AccountNames
	Log          *slog.Logger
}

// Note learns from the name that an account's service returns for an order of the app.
func (j *Names) Note(ctx context.Context, to store.SentTo, name, reference string) (tenants.Names, error) {
	if strings.TrimSpace(name) == "" || reference == "" { // no evidence
		return tenants.Names{}, nil
	}
	return j.AccountNames.NoteNames(ctx, to.Account, tenants.Names{Own: !order.Carries(name, reference), Kept: order.ProvenLength(name)})
}

// Notify tells the operations channel, once an account, that its service replaces the given names.
func (j *Names) Notify(ctx context.Context, job string) error {
	to, err := j.Account.SendsTo(ctx)
	if err != nil {
		return err
	}
	tells, err := j.AccountNames.TellNames(ctx, to.Account, job)
	if err != nil || !tells {
		return err
	}
	j.Log.WarnContext(ctx, "the service keeps names of its own: what is not found by its name may be there", "account", to.Account)
	if _, err = j.Operators.Notify(ctx, j.Operators.Text(ops.OwnNames, ops.OwnNamesHere)); err != nil {
		j.Log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	return j.AccountNames.NamesTold(ctx, err == nil)
}

// Learn learns from the name that the service returned for the order of a draft.
func (j *Names) Learn(ctx context.Context, d store.Draft, name, job string) error {
	to := d.SentTo // another account may be connected by now
	if to == (store.SentTo{}) {
		var err error
		if to, err = j.Account.SendsTo(ctx); err != nil {
			return err
		}
	}
	names, err := j.Note(ctx, to, name, d.Reference)
	if err == nil && names.Own {
		err = j.Notify(ctx, job)
	}
	return err
}

// Prove reports whether the draft's order would have been found by its name, had it been there. seen is the evidence of
// the orders that the search read, the only one for a new account.
func (j *Names) Prove(ctx context.Context, d store.Draft, seen order.NameLength) (bool, error) {
	to, err := j.Account.SendsTo(ctx)
	if err != nil {
		return false, err
	}
	names, err := j.AccountNames.Of(ctx, to.Account)
	names.Kept = names.Kept.And(seen)
	return names.Prove(order.NeededLength(order.FullName(d.ProjectName, d.Reference), d.Reference)), err
}
