package presets

import (
	"context"
	"errors"

	"darkroom/bot"
	cardspresets "darkroom/cards/presets"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// OpenPhotos opens the form that says what the photos of a preset's orders must be.
func (c *Handler) OpenPhotos(ctx context.Context, r bot.Request) error {
	channel, id, ok := cardspresets.ParsePhotos(r.Value)
	if !ok {
		return nil // the menu was cleared
	}
	return c.windows.Open(ctx, r, "preset-photos", cardspresets.TitlePhotos, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.actsIn(ctx, r, channel); err != nil {
			return nil, err
		}
		preset, err := c.presets.ByID(ctx, r.Team, channel, id)
		if err != nil {
			return nil, err
		}
		if preset == nil {
			return nil, answer.Refuse(cardspresets.NotDone(false), "")
		}
		return answer.Static(cardspresets.PhotosWindow(channel, *preset, window)), nil
	})
}

// SavePhotos saves what the photos of a preset's orders must be, on the ack path. It is idempotent.
func (c *Handler) SavePhotos(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cardspresets.DecodePhotos(*r.View)
	if form.Channel == "" || form.ID == "" {
		return notice(r, cardspresets.TitlePhotos, cardspresets.LostPhotos), nil
	}
	err := c.actsIn(ctx, r, form.Channel)
	if refusal, ok := errors.AsType[answer.Refusal](err); ok {
		return notice(r, cardspresets.TitlePhotos, refusal.Sentence), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if problems != nil {
		return bot.Errors(problems), nil
	}
	return c.requirePreset(ctx, r, form)
}

// requirePreset saves the form's rules and says so.
func (c *Handler) requirePreset(ctx context.Context, r bot.Request, form cardspresets.PhotosForm) (bot.Reply, error) {
	operator, err := c.access.IsOperatorNow(ctx, r)
	if err == nil {
		err = c.presets.RequirePreset(ctx, r.Team, form.Channel, form.ID, form.Requires, operator)
	}
	if house := errors.Is(err, store.ErrPresetPinned); house || errors.Is(err, store.ErrNoPreset) {
		return notice(r, cardspresets.TitlePhotos, cardspresets.NotDone(house)), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	preset, err := c.presets.ByID(ctx, r.Team, form.Channel, form.ID)
	if err != nil || preset == nil {
		return notice(r, cardspresets.TitlePhotos, cardspresets.NotDone(false)), err
	}
	return bot.Update(cardspresets.PhotosSaved(preset.Name, form.Requires, r.View.ExternalID)), nil
}
