// Package settings shows and changes a channel's settings.
package settings

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

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

// Open opens the overview of the channel's settings. Outside a channel it asks for one.
func (c *Handler) Open(ctx context.Context, r bot.Request) error {
	channel := answer.OriginChannel(r)
	return c.windows.Open(ctx, r, "settings", cardssettings.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if channel == "" {
			return answer.Static(cardssettings.WhichChannel(window)), nil
		}
		view, err := c.overview(ctx, r, channel, window)
		return answer.Static(view), err
	})
}

// Choose shows the overview of the chosen channel in the window that asked for one.
func (c *Handler) Choose(ctx context.Context, r bot.Request) error {
	if r.View == nil {
		return nil
	}
	view, err := c.overview(ctx, r, r.Value, r.View.ExternalID)
	if refusal, ok := errors.AsType[answer.Refusal](err); ok {
		view, err = kit.Notice(cardssettings.Title, refusal.Sentence, r.View.ExternalID), nil
	}
	if err != nil {
		return err
	}
	return c.windows.Fill(ctx, r.View.ExternalID, r.View.Hash, answer.Static(view))
}

// overview returns the overview for somebody who may post in the channel.
func (c *Handler) overview(ctx context.Context, r bot.Request, channel, window string) (slack.ModalViewRequest, error) {
	now, err := c.current(ctx, r, channel)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	return c.overviewOf(ctx, r, cardssettings.Overview{Channel: channel, Now: now}).Window(window), nil
}

// overviewOf adds whether the person may change who decides. If Slack does not answer, the form decides that.
func (c *Handler) overviewOf(ctx context.Context, r bot.Request, o cardssettings.Overview) cardssettings.Overview {
	may, err := c.access.MaySetDecisions(ctx, r, o.Now.Decides)
	if err != nil {
		c.log.WarnContext(ctx, "not told who may change approvers", "user", r.User, "err", err)
	}
	o.Decides = may || err != nil
	return o
}

// current returns the channel's settings, and an operator's, for somebody who may post there.
func (c *Handler) current(ctx context.Context, r bot.Request, channel string) (now cardssettings.Values, err error) {
	why, err := c.access.WhyNotPost(ctx, r.User, channel)
	if err := answer.CannotPost(channel, why, "", err); err != nil {
		return now, err
	}
	if now.Account, err = c.accountSettings(ctx, r); err != nil {
		return now, err
	}
	now.Settings, err = c.settings.Of(ctx, r.Team, channel)
	if zone, known := c.answers.Zone(ctx, r.User); now.Zone == "" && known {
		now.Zone = zone.String() // default until somebody chooses one
	}
	return now, err
}

// Change opens the form of one part.
func (c *Handler) Change(ctx context.Context, r bot.Request) error {
	form := cardssettings.Form{Part: cardssettings.PartOf(r.Value), Channel: answer.OriginChannel(r)}
	if r.View != nil {
		form.Root = r.View.ExternalID
	}
	return c.windows.Open(ctx, r, "set", form.Part.Title(), func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if form.Channel == "" {
			return nil, answer.Refuse(cardssettings.LostWindow, "")
		}
		now, err := c.current(ctx, r, form.Channel)
		if err != nil {
			return nil, err
		}
		if form.Part == 0 || form.Part == cardssettings.Account && now.Account == nil {
			return nil, answer.Refuse(cardssettings.LostWindow, "")
		}
		form.Groups = c.userGroups(ctx)
		return answer.Static(form.Window(now, window)), nil
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

// Submit saves a part of the settings, on the ack path. It is idempotent.
func (c *Handler) Submit(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form := cardssettings.FormIn(*r.View)
	if form.Channel == "" || form.Part == 0 {
		return bot.Update(kit.Notice(cardssettings.Title, cardssettings.LostWindow, r.View.ExternalID)), nil
	}
	here := store.Tracked{Owner: store.Owner{Team: r.Team, Channel: form.Channel}}
	permit, err := c.access.Authorize(ctx, r, here)
	if err != nil {
		return bot.Reply{}, err
	}
	if !permit.Acts() {
		why := permit.Denial
		if !permit.Sees {
			why = order.DeniedNotMember
		}
		return bot.Update(kit.Notice(cardssettings.Title, cards.CannotPost(form.Channel, why), r.View.ExternalID)), nil
	}
	return c.save(ctx, r, form)
}

// errUnsaved ends an edit without saving: it changes nothing, or the reply asks the person something first.
var errUnsaved = errors.New("settings not saved")

// save writes the person's changes, unless the form has problems or conflicts, and returns to the overview.
func (c *Handler) save(ctx context.Context, r bot.Request, form cardssettings.Form) (reply bot.Reply, err error) {
	operator, err := c.access.IsOperator(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	shown, asks := cardssettings.Overview{Channel: form.Channel}, false
	by := store.Saver{By: r.User, At: time.Now().UTC()}
	err = c.settings.EditSettings(ctx, store.SettingsEdit{Team: r.Team, Channel: form.Channel, By: r.User, ID: r.ID}, func(now *store.Settings, all *store.Account) error {
		was := cardssettings.Values{Settings: *now}
		if operator {
			was.Account = all
		}
		edit := cardssettings.ReadEdit(*r.View, was)
		if reply, asks, err = c.asks(ctx, r, *now, edit); asks || err != nil {
			return cmp.Or(err, errUnsaved)
		}
		shown.Now = edit.Values
		if !edit.Changes() {
			return errUnsaved
		}
		shown.Now, shown.Saved = edit.SavedBy(by), true
		*now = shown.Now.Settings
		if operator {
			*all = *shown.Now.Account
		}
		return nil
	})
	if err != nil && !errors.Is(err, errUnsaved) {
		return bot.Reply{}, err
	}
	if asks {
		return reply, nil
	}
	return c.back(ctx, r, form, c.overviewOf(ctx, r, shown)), nil
}

// asks returns the reply to a form that cannot be saved yet: problems, or a question about a conflict. asks is false if the
// form can be saved.
func (c *Handler) asks(ctx context.Context, r bot.Request, now store.Settings, edit cardssettings.Edit) (reply bot.Reply, asks bool, err error) {
	if edit.Problems != nil {
		return bot.Errors(edit.Problems), true, nil
	}
	if !edit.Values.Decides.Equal(now.Decides) {
		may, err := c.access.MaySetDecisions(ctx, r, now.Decides)
		if err != nil {
			return bot.Reply{}, false, err
		}
		if !may {
			return bot.Errors(cardssettings.NotDecider(*r.View)), true, nil
		}
	}
	if !edit.Conflicts() {
		return bot.Reply{}, false, nil
	}
	edit.Groups = c.userGroups(ctx)
	reply, err = c.windows.Reply(ctx, r, edit.Window(r.View.ExternalID))
	return reply, true, err
}

// backTime bounds the update of the overview behind a saved form, so that the form is answered in time.
const backTime = time.Second

// back closes the form over the overview with the new words. If the overview is not there, it takes the form's place.
func (c *Handler) back(ctx context.Context, r bot.Request, form cardssettings.Form, o cardssettings.Overview) bot.Reply {
	if form.Root != "" {
		quick, cancel := context.WithTimeout(ctx, backTime)
		defer cancel()
		err := c.windows.Update(quick, form.Root, "", o.Window(form.Root))
		if err == nil {
			return bot.Ack()
		}
		c.log.InfoContext(ctx, "settings shown in place of their form", "user", r.User, "err", err)
	}
	return bot.Update(o.Window(r.View.ExternalID))
}
