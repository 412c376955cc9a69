package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/ops"
	"darkroom/commands"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/accounts"
	"darkroom/jobs/job"
	"darkroom/notifier/announce"
	"darkroom/store/queue"
)

// rooms are those of one Slack workspace, in which everything that people ask is done. They know no other workspace.
type rooms struct {
	*tenant
	deliveries    deliveries
	commands      *commands.Commands
	jobs          *jobs.Jobs
	announcements queue.Registry // the kinds of job that the announcer does
	router        *bot.Router
}

// newRooms wires the rooms of a workspace. Where its admins connect it, connecting says how.
func newRooms(t *tenant, connecting *accounts.Connecting) (*rooms, error) {
	w := &rooms{tenant: t, deliveries: deliveries{t.store, t.background}}
	if err := w.wireCommands(connecting); err != nil {
		return nil, err
	}
	return w, w.wireAnnouncer()
}

func (w *rooms) wireCommands(connecting *accounts.Connecting) (err error) {
	a, who := w.app, w.access()
	says, err := a.cfg.ServiceDescriptions()
	if err != nil {
		return err
	}
	w.jobs, err = jobs.New(jobs.Config{
		Slack: asked{announced: announcedBy(w.slack), Views: w.slack.Views}, Service: w.people, Store: w.store, Queue: w.queue,
		Access: who, Files: w.signer(), Ops: w.tellOps, Log: w.log, Services: says, Connecting: connecting, Account: a.cfg.Account(),
		GivenUp: a.metrics.Jobs.GivenUp, Retention: a.cfg.Retention,
		Waits: a.waits.jobs,
	})
	if err != nil {
		return err
	}
	if w.notices != nil {
		if err := w.jobs.Kinds().Add(w.notices.Kind()); err != nil {
			return err
		}
	}
	w.commands, err = commands.New(commands.Config{
		Slack: asked{announced: announcedBy(w.slack), Views: w.slack.Views}, Service: w.people, Store: w.store,
		Jobs: w.jobs, Access: who, Files: w.signer(), ZIP: w.zips(), Log: w.log, Services: says, Running: &a.looks,
	})
	if err != nil {
		return err
	}
	w.router = bot.NewRouter(w.log)
	w.router.Unconfirmed(w.unconfirmed)
	w.router.Trace(a.traces.tracer())
	w.commands.Routes(w.router)
	return nil
}

// What a preview may weigh and take.
const (
	maxPreview  = 4 << 20
	previewTime = 10 * time.Second
)

// photos are the files in Slack, for whoever holds one of our addresses.
type photos struct{ slack *client.Files }

// Open implements [files.Source].
func (p photos) Open(ctx context.Context, file, rng string) (*http.Response, error) {
	resp, err := p.slack.OpenFile(ctx, file, rng)
	if errors.Is(err, client.ErrGone) {
		err = fmt.Errorf("%w: %w", files.ErrGone, err)
	}
	return resp, err
}

func (w *rooms) wireAnnouncer() error {
	a := w.app
	previews := files.NewFetcher(files.FetcherConfig{AllowPrivate: a.cfg.AllowPrivateURLs, MaxBytes: maxPreview, Timeout: previewTime})
	announcer := announce.New(announce.Config{
		Slack: announcedBy(w.slack), Store: w.store, Queue: w.queue, Pictures: previews, Previews: a.previews, Log: w.log,
		Sheets: a.sheets.From(w.id, photos{w.slack.Files}),
		ZIP:    w.zips(), Finals: &announce.Finals{Deliveries: w.deliveries, Fetcher: a.originals()},
		Access:  w.access(),
		Observe: a.metrics.Announcements.Observe, Ops: w.tellOps, OutcomeAfter: a.waits.outcome,
	})
	return w.announcements.Add(announcer.Kinds()...)
}

// work does one job of the queue, whichever room it belongs to.
func (w *rooms) work(ctx context.Context, d *queue.Delivery) error {
	ctx = w.app.failpoints.During(ctx, d.Kind)
	if _, ok := w.jobs.Kinds().Kind(d.Kind); ok {
		return w.jobs.Work(ctx, d)
	}
	if k, ok := w.announcements.Kind(d.Kind); ok {
		return k.Work(ctx, d)
	}
	// A newer version beside this one puts kinds of its own: it comes by again.
	w.log.WarnContext(ctx, "job of an unknown kind", "job", d.ID, "kind", d.Kind)
	return queue.Wait(5 * time.Second)
}

// died tells the person whose job cannot succeed, and the operations channel. Of one of many workspaces nobody there can look at
// dead letters: the log has it.
func (w *rooms) died(ctx context.Context, letter queue.DeadLetter) error {
	w.log.ErrorContext(ctx, "job is dead", "ref", job.ShortRef(letter.ID), "job", letter.ID, "kind", letter.Kind, "reason", letter.Reason)
	if _, ok := w.jobs.Kinds().Kind(letter.Kind); ok {
		if err := w.jobs.Died(ctx, letter); err != nil {
			return err
		}
	}
	if w.id != "" {
		return nil
	}
	if _, err := w.tellOps(ctx, ops.Dead(job.ShortRef(letter.ID))); err != nil {
		w.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	return nil
}

// unconfirmed tells the person whose button could not be taken.
func (w *rooms) unconfirmed(ctx context.Context, r bot.Request, sentence string) {
	where := client.Where{Channel: r.Channel, User: r.User, Thread: r.Thread, ResponseURL: r.ResponseURL}
	if err := w.slack.Tell(ctx, where, sentence); err != nil {
		w.log.WarnContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// redisAway tells the operations channel of an outage of Redis, or with nil of its end.
func (w *rooms) redisAway(ctx context.Context, why error) {
	says := ops.RedisAway
	switch {
	case why == nil:
		says = ops.RedisBack
	case queue.Full(why):
		says = ops.RedisFull
	case errors.Is(why, queue.ErrUnconfirmed):
		says = ops.RedisUnconfirmed
	}
	if _, err := w.tellOps(ctx, says); err != nil {
		w.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// slackWasAway has the operations channel told of an outage of Slack that is over.
func (w *rooms) slackWasAway(ctx context.Context, from, to time.Time) {
	if err := w.jobs.SlackBack(ctx, from, to); err != nil {
		w.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}
