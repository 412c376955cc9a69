package commands

import (
	"context"
	"strings"

	"darkroom/bot"
	"darkroom/cards/account"
	cardshome "darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/answer"
	"darkroom/commands/events"
	"darkroom/commands/settings"
	"darkroom/jobs"
)

// gate registers handlers that run only in a workspace with an account: see [gate.whenConnected].
type gate struct {
	*bot.Router
	jobs     *jobs.Jobs
	answers  *answer.Messages
	readOnly *answer.ReadOnly
}

// Command registers a slash command behind the gate.
func (g gate) Command(name string, h bot.HandlerFunc) { g.Router.Command(name, g.whenConnected(h)) }

// Shortcut registers a shortcut behind the gate.
func (g gate) Shortcut(id string, h bot.HandlerFunc) { g.Router.Shortcut(id, g.whenConnected(h)) }

// Action registers an action behind the gate.
func (g gate) Action(id string, h bot.HandlerFunc) { g.Router.Action(id, g.whenConnected(h)) }

// Submit registers a form's submission behind the gate.
func (g gate) Submit(form string, h bot.HandlerFunc) { g.Router.Submit(form, g.whenConnected(h)) }

// Event registers an event behind the gate.
func (g gate) Event(kind string, h bot.HandlerFunc) { g.Router.Event(kind, g.whenConnected(h)) }

// whenConnected wraps a handler. In a workspace without an account, a request that needs the order service is answered
// with who can connect one. If Redis fails, the handler runs and reports it.
func (g gate) whenConnected(h bot.HandlerFunc) bot.HandlerFunc {
	if !g.jobs.Account.Connectable() {
		return h
	}
	return func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		if needsNoService(r) {
			return h(ctx, r)
		}
		if connected, err := g.jobs.Account.Connected(ctx); err != nil || connected {
			return h(ctx, r)
		}
		if r.Kind == bot.KindSubmit {
			return g.unconnectedForm(ctx, r)
		}
		return g.readOnly.Answer(ctx, r, g.answerUnconnected)
	}
}

// needsNoService reports whether a request works without the order service: help, settings, and saving open forms.
// Messages in threads go to jobs, which wait for the account.
func needsNoService(r bot.Request) bool {
	switch r.Kind {
	case bot.KindCommand:
		return r.Verb == helpHelp.Verb || r.Verb == settings.Help.Verb
	case bot.KindAction:
		for _, id := range []string{
			account.ActionConnect, account.ActionDisconnect, cardshome.ActionFilter, cardshome.ActionPage, place.ActionDiscard, kit.ActionTyped,
			cardssettings.ActionSettings, cardssettings.ActionSettingsOf, cardssettings.ActionChangePart,
		} {
			if r.Name == id || strings.HasSuffix(id, ":") && strings.HasPrefix(r.Name, id) {
				return true
			}
		}
	case bot.KindSubmit:
		return r.Name == account.CallbackConnect || r.Name == account.CallbackDisconnect || r.Name == cardssettings.Callback
	case bot.KindEvent:
		return r.Name != "app_mention"
	}
	return false
}

// answerUnconnected tells the person that the workspace has no account yet.
func (g gate) answerUnconnected(ctx context.Context, r bot.Request) error {
	if m, ok := events.MessageIn(r); r.Kind == bot.KindEvent && (!ok || !m.ByPerson()) {
		return nil
	}
	connection, err := g.jobs.Account.Connection(ctx, r)
	if err != nil {
		return err
	}
	return g.answers.Send(ctx, r, account.NotConnected(*connection))
}

// unconnectedForm answers a submitted form. A form with an input field stays open, with the notice below that field.
func (g gate) unconnectedForm(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.ViewSummary.Input != "" {
		return bot.Errors(map[string]string{r.ViewSummary.Input: account.NotConnectedPlain}), nil
	}
	connection, err := g.jobs.Account.Connection(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Update(kit.Notice(account.TitleConnect, account.NotConnectedYet(*connection), r.View.ExternalID)), nil
}
