package announce

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/settings"
	"darkroom/store"
	"darkroom/store/queue"
)

// settingsChange says in a channel what somebody changed in its settings.
type settingsChange struct {
	slack  joiner
	people *people
	cards  interface {
		RefreshCards(ctx context.Context, team, channel, change string) error
	}
	once  *postOnce
	later later
	log   *slog.Logger
}

// handle does a [store.SettingsKind] job: it posts one message. It must run in the channel's lane.
func (h *settingsChange) handle(ctx context.Context, d *queue.Delivery, job store.SettingsJob) error {
	p, err := h.once.message(d, job.Channel, "", func(m slack.Message) bool { return settings.EditOf(m) == job.Edit })
	if err != nil {
		return err
	}
	if job.Before.Relay != job.Now.Relay { // the cards of open orders say it, too
		if err := h.cards.RefreshCards(ctx, job.Team, job.Channel, job.Edit); err != nil {
			return err
		}
	}
	err = h.post(ctx, p, job)
	if errors.Is(err, client.ErrNotInChannel) && join(ctx, h.slack, h.log, job.Channel) {
		err = h.post(ctx, p, job)
	}
	if client.NeedsOperator(err) {
		return queue.Wait(newsWait)
	}
	if _, out := outOfReach(err); out || errors.Is(err, client.ErrPayload) {
		h.log.WarnContext(ctx, "changed settings not told", "channel", job.Channel, "user", job.By, "err", err)
		return nil
	}
	return h.later.awaitAlone(ctx, h.log, d, err)
}

// post posts the message, unless an earlier delivery did.
func (h *settingsChange) post(ctx context.Context, p *onePost, job store.SettingsJob) error {
	if ts, err := p.out(ctx); ts != "" || err != nil {
		return err
	}
	names := map[string]string{}
	for _, user := range settings.Named(job) {
		if who, err := h.people.slack.UserNow(ctx, user); err == nil {
			names[user] = cmp.Or(who.Profile.DisplayName, who.RealName, who.Profile.RealName, who.Name)
		}
	}
	_, err := p.post(ctx, settings.Changed(job, func(user string) string { return kit.Inline(cmp.Or(names[user], "A member"), 80) }))
	return err
}
