// Package presets handles a channel's presets, from which the order form can be filled.
package presets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	cardspresets "darkroom/cards/presets"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// Handler lists, saves, pins and removes a channel's presets.
type Handler struct {
	orders       *store.Orders
	presets      *store.Presets
	access       *access.Control
	answers      *answer.Messages
	orderWindows *resolve.Windows
	windows      *answer.Windows
}

// New returns the handler.
func New(store *store.Store, access *access.Control, answers *answer.Messages, orderWindows *resolve.Windows, windows *answer.Windows) *Handler {
	return &Handler{orders: store.Orders, presets: store.Presets, access: access, answers: answers, orderWindows: orderWindows, windows: windows}
}

// Help is the help on `presets`.
var Help = cards.HelpRow{
	Verb: "presets", Usage: "presets", Does: "lists this channel's presets",
	Example: "presets",
	More: []string{
		"“Save as Preset” is offered when an order is placed, and in its details. It saves the service type, instructions, customer ID and links of reference photos under a name. Every member of the channel can use and remove it.",
		"Operators pin one as the house style. The order form then opens with it. Only operators can remove or replace a house style.",
	},
}

// Open shows the channel's presets to people who may order there.
func (c *Handler) Open(ctx context.Context, r bot.Request) error {
	channel := answer.OriginChannel(r)
	return c.windows.Open(ctx, r, Help.Verb, cardspresets.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if channel == "" {
			return nil, answer.Refuse(cardspresets.NeedChannel, "")
		}
		if err := c.actsIn(ctx, r, channel); err != nil {
			return nil, err
		}
		view, err := c.presetList(ctx, r, channel, "", window)
		return answer.Static(view), err
	})
}

// actsIn refuses a person who may not order in the channel now.
func (c *Handler) actsIn(ctx context.Context, r bot.Request, channel string) error {
	permit, err := c.access.Authorize(ctx, r, store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}})
	return answer.CannotPost(channel, kit.Either(permit.Sees, permit.Denial, order.DeniedNotMember), "", err)
}

func (c *Handler) presetList(ctx context.Context, r bot.Request, channel, notice, window string) (slack.ModalViewRequest, error) {
	operator, err := c.access.IsOperator(ctx, r)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	all, err := c.presets.In(ctx, r.Team, channel)
	return cardspresets.Window(channel, all, operator, notice, window), err
}

// Change handles a button of the list: every member of the channel removes presets, operators pin them. It is
// idempotent.
func (c *Handler) Change(ctx context.Context, r bot.Request) error {
	do, channel, id, ok := cardspresets.Parse(r.Value)
	if !ok {
		return fmt.Errorf("no preset is called %q", r.Value)
	}
	if err := c.actsIn(ctx, r, channel); err != nil {
		return err
	}
	operator, err := c.access.IsOperatorNow(ctx, r)
	if err == nil && !operator && do != cardspresets.Remove {
		return answer.Refusal{Message: cards.OperatorsOnly(cardspresets.PinRight)}
	}
	if err != nil {
		return err
	}
	notice, err := c.apply(ctx, r, do, channel, id, operator)
	if err != nil {
		return err
	}
	if r.View == nil {
		return c.answers.Send(ctx, r, kit.Say(notice))
	}
	view, err := c.presetList(ctx, r, channel, notice, r.View.ExternalID)
	if err != nil {
		return err
	}
	return c.windows.Fill(ctx, r.View.ExternalID, "", answer.Static(view))
}

// apply changes a preset and returns the sentence about the result.
func (c *Handler) apply(ctx context.Context, r bot.Request, do, channel, id string, operator bool) (string, error) {
	preset, err := c.presets.ByID(ctx, r.Team, channel, id)
	if err != nil || preset == nil {
		return cardspresets.NotDone(false), err
	}
	if do == cardspresets.Remove {
		err = c.presets.RemovePreset(ctx, r.Team, channel, id, operator)
	} else {
		err = c.presets.PinPreset(ctx, r.Team, channel, id, do == cardspresets.Pin)
	}
	if house := errors.Is(err, store.ErrPresetPinned); house || errors.Is(err, store.ErrNoPreset) {
		return cardspresets.NotDone(house), nil
	}
	return cardspresets.Done(do, *preset), err
}

// OpenSave opens the form that saves an order's brief as a preset.
func (c *Handler) OpenSave(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, Help.Verb, cards.TitlePreset, func(_ context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if f.Order.Brief == nil {
			return nil, answer.Refuse(cardspresets.Briefless, "")
		}
		return answer.Static(cardspresets.SaveWindow(f.Order, "", nil, f.Window)), nil
	})
}

// Save saves the preset, on the ack path. It is idempotent.
func (c *Handler) Save(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cardspresets.Decode(*r.View)
	if problems != nil {
		return bot.Errors(problems), nil
	}
	t, err := c.orders.Order(ctx, form.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return notice(r, cards.TitlePreset, cards.NotFound(form.Order)), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	permit, err := c.access.Authorize(ctx, r, t)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !permit.Sees:
		return notice(r, cards.TitlePreset, cards.NotFound(form.Order)), nil
	case !permit.Acts():
		return notice(r, cards.TitlePreset, cards.CannotPost(t.Owner.Channel, permit.Denial)), nil
	case t.Brief == nil:
		return notice(r, cards.TitlePreset, cardspresets.Briefless), nil
	}
	return c.savePreset(ctx, r, t, form)
}

// notice answers a form with a sentence in its place.
func notice(r bot.Request, title, sentence string) bot.Reply {
	return bot.Update(kit.Notice(title, sentence, r.View.ExternalID))
}

// savePreset saves the order's brief, or asks whether to replace the preset of that name.
func (c *Handler) savePreset(ctx context.Context, r bot.Request, t store.Tracked, form cardspresets.Form) (bot.Reply, error) {
	channel, p := t.Owner.Channel, store.Preset{Name: form.Name, SavedBy: r.User, SavedAt: time.Now().UTC()}
	p.Brief, _ = t.Brief.Repeatable()
	p.Brief.Instructions, p.Brief.CustomerID = cards.ShortLines(p.Brief.Instructions), t.CustomerID()
	err := c.presets.SavePreset(ctx, r.Team, channel, p, form.Over, false)
	if errors.Is(err, store.ErrPresetPinned) {
		operator, failed := c.access.IsOperatorNow(ctx, r)
		if failed != nil {
			return bot.Reply{}, failed
		}
		if operator { // they may replace a pinned one
			err = c.presets.SavePreset(ctx, r.Team, channel, p, form.Over, true)
		}
	}
	switch {
	case err == nil:
		return bot.Update(cardspresets.Saved(channel, p.Name, r.View.ExternalID)), nil
	case errors.Is(err, store.ErrPresetExists):
		return c.askReplace(ctx, r, t, p)
	}
	for known, says := range map[error]string{
		store.ErrPresetsFull: cardspresets.Full, store.ErrPresetLarge: cardspresets.TooLarge, store.ErrPresetPinned: cardspresets.IsHouse,
	} {
		if errors.Is(err, known) {
			return bot.Errors(cardspresets.Problem(*r.View, says)), nil
		}
	}
	return bot.Reply{}, err
}

// askReplace asks whether to replace the preset of that name.
func (c *Handler) askReplace(ctx context.Context, r bot.Request, t store.Tracked, p store.Preset) (bot.Reply, error) {
	over, err := c.presets.ByID(ctx, r.Team, t.Owner.Channel, p.ID())
	if err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, cardspresets.SaveWindow(t, p.Name, over, r.View.ExternalID))
}
