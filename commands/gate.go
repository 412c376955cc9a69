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

// gate registers handlers that run only in a workspace that has an account: see [gate.whenConnected].
type gate struct {
	*bot.Router
	jobs     *jobs.Jobs
	answers  *answer.Messages
	readOnly *answer.ReadOnly
}

// Command is [bot.Router.Command] behind the gate.
func (g gate) Command(name string, h bot.HandlerFunc) { g.Router.Command(name, g.whenConnected(h)) }

// Shortcut is [bot.Router.Shortcut] behind the gate.
func (g gate) Shortcut(id string, h bot.HandlerFunc) { g.Router.Shortcut(id, g.whenConnected(h)) }

// Action is [bot.Router.Action] behind the gate.
func (g gate) Action(id string, h bot.HandlerFunc) { g.Router.Action(id, g.whenConnected(h)) }

// Submit is [bot.Router.Submit] behind the gate.
func (g gate) Submit(form string, h bot.HandlerFunc) { g.Router.Submit(form, g.whenConnected(h)) }

// Event is [bot.Router.Event] behind the gate.
func (g gate) Event(kind string, h bot.HandlerFunc) { g.Router.Event(kind, g.whenConnected(h)) }

// whenConnected is where requests are accepted: what needs the order service is answered, in a workspace that has no
// account there, with who can connect it. A Redis that does not answer is for the handler to meet.
func (g gate) whenConnected(h bot.HandlerFunc) bot.HandlerFunc {
	if !g.jobs.Account.Connectable() {
		return h
	}
	return func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		if worksAlone(r) {
			return h(ctx, r)
		}
		if connected, err := g.jobs.Account.Connected(ctx); err != nil || connected {
			return h(ctx, r)
		}
		if r.Kind == bot.KindSubmit {
			return g.unconnectedForm(ctx, r)
		}
		return g.readOnly.Answer(ctx, r, g.sayUnconnected)
	}
}

// worksAlone tells what needs no order service: help, what belongs to this workspace alone, and what people write
// while a form of theirs is open. What somebody says in a thread goes to a job, which waits.
func worksAlone(r bot.Request) bool {
	switch r.Kind {
	case bot.KindCommand:
		return r.Verb == helpHelp.Verb || r.Verb == settings.Help.Verb
	case bot.KindAction:
		for _, id := range []string{
			account.ActionConnect, account.ActionDisconnect, cardshome.ActionFilter, cardshome.ActionPage, place.ActionDiscard, kit.ActionTyped,
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

// sayUnconnected answers a request that needs the order service in a workspace without one.
func (g gate) sayUnconnected(ctx context.Context, r bot.Request) error {
	if m, ok := events.MessageIn(r); r.Kind == bot.KindEvent && (!ok || !m.ByPerson()) {
		return nil
	}
	connection, err := g.jobs.Account.Connection(ctx, r)
	if err != nil {
		return err
	}
	return g.answers.Send(ctx, r, account.NotConnected(*connection))
}

// unconnectedForm is the same for a form, which stays open with what was typed when it has a field to say so beside.
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
