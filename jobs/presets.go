package jobs

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// Presets is what an order form can be filled from in a channel, as far as whoever fills it in sees the
// channel. That it is not known costs nobody the form: then there is nothing.
func (j *Jobs) Presets(ctx context.Context, r bot.Request, channel string) *cards.PresetMenu {
	ctx, cancel := Brief(ctx)
	defer cancel()
	menu, err := j.presets(ctx, r, channel)
	if err != nil {
		j.log.InfoContext(ctx, "presets not offered", "user", r.User, "channel", channel, "err", err)
		return &cards.PresetMenu{}
	}
	return menu
}

func (j *Jobs) presets(ctx context.Context, r bot.Request, channel string) (*cards.PresetMenu, error) {
	menu := &cards.PresetMenu{}
	if channel == "" {
		return menu, nil
	}
	presets, err := j.store.Presets(ctx, r.Team, channel)
	if err != nil {
		return menu, err
	}
	last, err := j.store.LastBrief(ctx, r.Team, channel)
	if err != nil || len(presets) == 0 && last == nil {
		return menu, err
	}
	here := store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
	if sees, err := j.access.Viewer(r).Sees(ctx, here); err != nil || !sees {
		return menu, err
	}
	menu.Presets, menu.Last = presets, last != nil
	return menu, nil
}
