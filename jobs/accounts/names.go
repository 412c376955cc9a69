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

// Names learns which names an account's service keeps.
type Names struct {
	Account      *Account
	Operators    *answers.Operators
	AccountNames *tenants.AccountNames
	Log          *slog.Logger
}

// An order is looked for by the reference in its name. So not finding it proves something only at a service that is
// known to keep the names which orders are given: that is learned from every answer, and kept with the account.

// Note learns from the name that an account's service gives to an order of ours.
func (j *Names) Note(ctx context.Context, to store.SentTo, name, reference string) (tenants.Names, error) {
	if strings.TrimSpace(name) == "" || reference == "" { // an answer without a name says nothing
		return tenants.Names{}, nil
	}
	return j.AccountNames.NoteNames(ctx, to.Account, tenants.Names{Own: !order.Carries(name, reference), Kept: order.ProvenLength(name)})
}

// Notify tells the operations channel, once for each account, that its service keeps names of its own.
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

// Learn learns from the name that the service gave to the order of a draft.
func (j *Names) Learn(ctx context.Context, d store.Draft, name, job string) error {
	to := d.SentTo // another may be connected by now
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

// Prove reports whether the draft's order would have been found by its name, had it been there. Orders of
// ours that the reading saw count, too: of an account that has not answered us yet nothing else is known.
func (j *Names) Prove(ctx context.Context, d store.Draft, seen order.NameLength) (bool, error) {
	to, err := j.Account.SendsTo(ctx)
	if err != nil {
		return false, err
	}
	names, err := j.AccountNames.Of(ctx, to.Account)
	names.Kept = names.Kept.And(seen)
	return names.Prove(order.NeededLength(order.FullName(d.ProjectName, d.Reference), d.Reference)), err
}
