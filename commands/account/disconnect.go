package account

import (
	"context"

	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/commands/answer"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
)

// OpenDisconnect asks what happens to the workspace's data when its account is removed.
func (c *Handler) OpenDisconnect(ctx context.Context, r bot.Request) error {
	return c.windows.Open(ctx, r, "disconnect", cardsaccount.TitleDisconnect, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.guard.AdminsOnly(ctx, r); err != nil {
			return nil, inWindow(err)
		}
		connection, err := c.jobs.Account.Connection(ctx, r)
		if err != nil {
			return nil, err
		}
		now, err := c.connection.Read(ctx)
		return answer.Static(cardsaccount.DisconnectWindow(*connection, now.Leaving, window)), err
	})
}

// Disconnect puts the job that disconnects the account. The job checks who may.
func (c *Handler) Disconnect(ctx context.Context, r bot.Request) (bot.Reply, error) {
	chosen, problems := cardsaccount.DecodeDisconnect(*r.View)
	if problems != nil {
		return bot.Errors(problems), nil
	}
	now, err := c.connection.Read(ctx)
	if err != nil {
		return bot.Reply{}, err
	}
	if chosen.Conflicts(now.Leaving) {
		return bot.Errors(cardsaccount.LeavingConflict(*r.View, now.Leaving)), nil
	}
	body := accounts.DisconnectArgs{Asker: answers.AskerOf(r), Data: chosen.Data, Leaving: chosen.LeavingNow(now.Leaving), Connected: chosen.Connected}
	return bot.Update(cardsaccount.DisconnectingNow(r.View.ExternalID)), c.jobs.Disconnect.Put(ctx, body)
}
