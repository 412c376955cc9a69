package commands

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

var settingsHelp = cards.HelpRow{
	Verb: "settings", Usage: "settings", Does: "sets which thread replies of this channel reach the editor",
	Example: "settings",
}

// openSettings opens the settings of the channel, to those who may change them.
func (c *Commands) openSettings(ctx context.Context, r bot.Request) error {
	channel, window := standing(r), "settings:"+hash(r.ID)
	return c.modal(ctx, r, cards.TitleSettings, window, func(ctx context.Context) (thumbed, error) {
		if channel == "" {
			return c.notice(cards.TitleSettings, cards.SettingsNeedChannel(), window), nil
		}
		why, err := c.whyNotPost(ctx, r.Team, r.User, channel)
		if err != nil {
			return nil, err
		}
		if why != "" {
			return c.notice(cards.TitleSettings, cards.CannotPost(channel, why), window), nil
		}
		current, err := c.store.Settings(ctx, r.Team, channel)
		return func(bool) slack.ModalViewRequest { return cards.Settings(channel, current, window) }, err
	})
}

// submitSettings keeps what was chosen, on the ack path. Doing it twice is doing it once.
func (c *Commands) submitSettings(ctx context.Context, r bot.Request) (bot.Reply, error) {
	channel, chosen, ok := cards.DecodeSettings(*r.View)
	if !ok {
		return bot.Errors(cards.SettingsLost(*r.View)), nil
	}
	here := store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
	may, err := c.mayAct(ctx, r, here)
	if err != nil {
		return bot.Reply{}, err
	}
	if !may {
		notice := cards.Notice(cards.TitleSettings, cards.CannotPost(channel, cards.NotMember), r.View.ExternalID)
		return bot.Update(notice), nil
	}
	if err := c.store.SaveSettings(ctx, r.Team, channel, chosen); err != nil {
		return bot.Reply{}, err
	}
	return bot.Update(cards.SettingsSaved(channel, chosen, r.View.ExternalID)), nil
}
