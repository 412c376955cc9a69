// Package settings shows and changes a channel's settings.
package settings

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// Handler shows and changes a channel's settings.
type Handler struct {
	settings *store.ChannelSettings
	access   *access.Control
	log      *slog.Logger
	answers  *answer.Messages
	windows  *answer.Windows
}

// New returns the handler.
func New(store *store.Store, access *access.Control, log *slog.Logger, answers *answer.Messages, windows *answer.Windows) *Handler {
	return &Handler{settings: store.Settings, access: access, log: log, answers: answers, windows: windows}
}

// Help is the help on `settings`.
var Help = cards.HelpRow{
	Verb: "settings", Usage: "settings", Does: "changes this channel's settings",
	Example: "settings",
}

// Open opens the channel's settings to people who may change them.
func (c *Handler) Open(ctx context.Context, r bot.Request) error {
	channel := answer.OriginChannel(r)
	return c.windows.Open(ctx, r, "settings", cardssettings.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if channel == "" {
			return nil, answer.Refuse(cardssettings.NeedChannel, "")
		}
		why, err := c.access.WhyNotPost(ctx, r.User, channel)
		if err := answer.CannotPost(channel, why, "", err); err != nil {
			return nil, err
		}
		account, err := c.accountSettings(ctx, r)
		if err != nil {
			return nil, err
		}
		current, err := c.settings.Of(ctx, r.Team, channel)
		if zone, known := c.answers.Zone(ctx, r.User); current.Zone == "" && known {
			current.Zone = zone.String() // default until somebody chooses one
		}
		return answer.Static(cardssettings.Window(channel, current, account, window, c.userGroups(ctx)...)), err
	})
}

// userGroups returns the workspace's user groups. Without them, the form changes everything else and leaves named
// groups as they are.
func (c *Handler) userGroups(ctx context.Context) []cardssettings.UserGroup {
	found, err := c.access.UserGroups(ctx)
	if err != nil {
		c.log.WarnContext(ctx, "settings offer no user groups", "err", err)
	}
	groups := make([]cardssettings.UserGroup, len(found))
	for i, g := range found {
		groups[i] = cardssettings.UserGroup(g)
	}
	return groups
}

// accountSettings returns the settings of all channels for operators, nil for other people.
func (c *Handler) accountSettings(ctx context.Context, r bot.Request) (*store.Account, error) {
	operator, err := c.access.IsOperator(ctx, r)
	if err != nil || !operator {
		return nil, err
	}
	account, err := c.settings.Account(ctx, r.Team)
	return &account, err
}

// Submit saves the settings, on the ack path. It is idempotent.
func (c *Handler) Submit(ctx context.Context, r bot.Request) (bot.Reply, error) {
	channel := cardssettings.Channel(*r.View)
	if channel == "" {
		return bot.Errors(cardssettings.LostChannel(*r.View)), nil
	}
	here := store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
	permit, err := c.access.Authorize(ctx, r, here)
	if err != nil {
		return bot.Reply{}, err
	}
	if !permit.Acts() {
		why := permit.Denial
		if !permit.Sees {
			why = order.DeniedNotMember
		}
		return bot.Update(kit.Notice(cardssettings.Title, cards.CannotPost(channel, why), r.View.ExternalID)), nil
	}
	return c.saveSettings(ctx, r, channel)
}

// errUnsaved ends an edit without saving, because the reply asks the person something first.
var errUnsaved = errors.New("settings not saved")

// saveSettings writes the person's changes, unless the form has problems or conflicts.
func (c *Handler) saveSettings(ctx context.Context, r bot.Request, channel string) (reply bot.Reply, err error) {
	operator, err := c.access.IsOperator(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	err = c.settings.EditSettings(ctx, r.Team, channel, func(now *store.Settings, all *store.Account) error {
		if !operator {
			all = nil
		}
		edit := cardssettings.ReadEdit(*r.View, *now, all)
		if reply, err = c.settingsReply(ctx, r, *now, edit); err != nil {
			return err
		}
		*now = edit.Settings
		if operator {
			*all = *edit.Account
		}
		return nil
	})
	if errors.Is(err, errUnsaved) {
		err = nil
	}
	return reply, err
}

// settingsReply returns the reply to the form, with errUnsaved if it must not be saved.
func (c *Handler) settingsReply(ctx context.Context, r bot.Request, now store.Settings, edit cardssettings.Edit) (bot.Reply, error) {
	if edit.Problems != nil {
		return bot.Errors(edit.Problems), errUnsaved
	}
	if !edit.Settings.Decides.Equal(now.Decides) {
		may, err := c.access.MaySetDecisions(ctx, r, now.Decides)
		if err != nil {
			return bot.Reply{}, err
		}
		if !may {
			return bot.Errors(cardssettings.NotDecider(*r.View)), errUnsaved
		}
	}
	if edit.Conflicts() {
		reply, err := c.windows.Reply(ctx, r, edit.Form(r.View.ExternalID, c.userGroups(ctx)...))
		return reply, cmp.Or(err, errUnsaved)
	}
	return bot.Update(cardssettings.Saved(cardssettings.Channel(*r.View), edit.Settings, r.View.ExternalID)), nil
}
