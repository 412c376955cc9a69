package main

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards/ops"
	"darkroom/store/tenants"
)

// responsible is somebody who hears of what concerns their workspace.
type responsible struct {
	user      string
	connected bool // they connected it to the order service; else they added the app
}

// tellResponsible says something to whoever connected the workspace or, when they are gone, to whoever added the app, by
// direct message. As for [tenant.tellOps] it tells whether it was said, and fails only when saying it later makes sense.
func (t *tenant) tellResponsible(ctx context.Context, sentence string) (bool, error) {
	all, err := t.app.many.responsibleIn(ctx, t.id)
	if err != nil {
		return false, err
	}
	for _, who := range all {
		err := t.tellOne(ctx, who, sentence)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, bot.ErrTryLater):
			return false, err
		case !errors.Is(err, bot.ErrNoUser):
			t.log.WarnContext(ctx, "person responsible not told", "user", who.user, "err", err)
			return false, nil
		}
	}
	return false, nil
}

// tellOne says it to one of them. Whose account is switched off is [bot.ErrNoUser], too.
func (t *tenant) tellOne(ctx context.Context, to responsible, sentence string) error {
	known, err := t.slack.UserNow(ctx, to.user)
	if err == nil && known.Deleted {
		err = bot.ErrNoUser
	}
	if err != nil {
		return err
	}
	_, _, err = t.slack.DM(ctx, to.user, bot.Post{Text: ops.ToResponsible(sentence, to.connected)})
	return err
}

// responsibleIn are those who are responsible in a workspace, the first of whom is there is to hear of things.
func (m *many) responsibleIn(ctx context.Context, workspace string) (all []responsible, err error) {
	a, err := m.directory.Accounts.Account(ctx, workspace)
	if err != nil && !tenants.NoAccount(err) {
		return nil, err
	}
	if a.By != "" {
		all = append(all, responsible{a.By, true})
	}
	i, err := m.directory.Installations.Installed(ctx, workspace)
	if err != nil && !errors.Is(err, tenants.ErrNotInstalled) {
		return nil, err
	}
	if i.By != "" && i.By != a.By {
		all = append(all, responsible{i.By, false})
	}
	return all, nil
}
