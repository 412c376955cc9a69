package workspace

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
	"darkroom/review"
	"darkroom/store/queue"
)

// App handles the requests and jobs of one Slack workspace.
type App struct {
	*Tenant
	deliveries    deliveries
	Commands      *commands.Commands
	Jobs          *jobs.Jobs
	Announcements queue.Registry // the announcer's kinds of job
	Router        *bot.Router
}

// New wires the app of a workspace. connecting is nil unless its admins connect the account.
func New(t *Tenant, connecting *accounts.Connecting) (*App, error) {
	w := &App{Tenant: t, deliveries: deliveries{t.Store.Orders, t.Background}}
	if err := w.wireCommands(connecting); err != nil {
		return nil, err
	}
	return w, w.wireAnnouncer()
}

func (w *App) wireCommands(connecting *accounts.Connecting) (err error) {
	s, who := w.Shared, w.access()
	says, err := s.Config.ServiceDescriptions()
	if err != nil {
		return err
	}
	w.Jobs, err = jobs.New(jobs.Config{
		Slack: askedOf(w.Slack), Service: w.People, Store: w.Store, Queue: w.Queue,
		Access: who, Files: w.signer(), Ops: w.TellOps, Log: w.Log, Services: says, Connecting: connecting, Account: s.Config.Account(),
		Mark: signed(w.signer(), review.MarkAddress), Crops: s.Sheets.From(w.ID, photos{w.Slack.Files}),
		GivenUp: s.Metrics.Jobs.GivenUp, Retention: s.Config.Retention, Waits: s.Waits.Jobs,
	})
	if err != nil {
		return err
	}
	if w.Notices != nil {
		if err := w.Jobs.Kinds().Add(w.Notices.Kind()); err != nil {
			return err
		}
	}
	w.Commands, err = commands.New(commands.Config{
		Slack: askedOf(w.Slack), Service: w.People, Store: w.Store,
		Jobs: w.Jobs, Access: who, Files: w.signer(), ZIP: signed(w.signer(), zipAddress), Log: w.Log, Services: says, Running: &s.Looks,
	})
	if err != nil {
		return err
	}
	w.Router = bot.NewRouter(w.Log)
	w.Router.Unconfirmed(w.Unconfirmed)
	w.Router.Trace(s.Tracer)
	w.Commands.Routes(w.Router)
	return nil
}

// The limits of a preview.
const (
	maxPreview  = 4 << 20 // bytes
	previewTime = 10 * time.Second
)

// photos serves files in Slack at our signed addresses.
type photos struct{ slack *client.Files }

// Open implements [files.Source].
func (p photos) Open(ctx context.Context, file, rng string) (*http.Response, error) {
	resp, err := p.slack.OpenFile(ctx, file, rng)
	if errors.Is(err, client.ErrGone) {
		err = fmt.Errorf("%w: %w", files.ErrGone, err)
	}
	return resp, err
}

func (w *App) wireAnnouncer() error {
	s := w.Shared
	previews := files.NewFetcher(files.FetcherConfig{AllowPrivate: s.Config.AllowPrivateURLs, MaxBytes: maxPreview, Timeout: previewTime})
	announcer := announce.New(announce.Config{
		Slack: announcedBy(w.Slack), Store: announce.StoreOf(w.Store), Queue: w.Queue, Pictures: previews, Previews: s.Previews, Log: w.Log,
		Sheets: s.Sheets.From(w.ID, photos{w.Slack.Files}), Inspector: s.Inspector,
		ZIP: signed(w.signer(), zipAddress), Compare: signed(w.signer(), review.Address),
		Finals: &announce.Finals{Deliveries: w.deliveries, Fetcher: s.Originals()}, Access: w.access(),
		Observe: s.Metrics.Announcements.Observe, Ops: w.TellOps, OutcomeAfter: s.Waits.Outcome,
	})
	return w.Announcements.Add(announcer.Kinds()...)
}

// Work does one job of the queue.
func (w *App) Work(ctx context.Context, d *queue.Delivery) error {
	ctx = w.Shared.Failpoints.During(ctx, d.Kind)
	if _, ok := w.Jobs.Kinds().Kind(d.Kind); ok {
		return w.Jobs.Work(ctx, d)
	}
	if k, ok := w.Announcements.Kind(d.Kind); ok {
		return k.Work(ctx, d)
	}
	// A newer version beside this one puts new kinds: the job waits for it.
	w.Log.WarnContext(ctx, "job of an unknown kind", "job", d.ID, "kind", d.Kind)
	return queue.Wait(5 * time.Second)
}

// Died notifies the person whose job cannot succeed, and the operations channel. In an app for many workspaces only the
// log has the dead letter: nobody in the workspace can read it.
func (w *App) Died(ctx context.Context, letter queue.DeadLetter) error {
	w.Log.ErrorContext(ctx, "job is dead", "ref", job.ShortRef(letter.ID), "job", letter.ID, "kind", letter.Kind, "reason", letter.Reason)
	if _, ok := w.Jobs.Kinds().Kind(letter.Kind); ok {
		if err := w.Jobs.Died(ctx, letter); err != nil {
			return err
		}
	}
	if w.ID != "" {
		return nil
	}
	if _, err := w.TellOps(ctx, ops.Dead(job.ShortRef(letter.ID))); err != nil {
		w.Log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	return nil
}

// Unconfirmed notifies the person whose click could not be taken.
func (w *App) Unconfirmed(ctx context.Context, r bot.Request, sentence string) {
	where := client.Recipient{Channel: r.Channel, User: r.User, Thread: r.Thread, ResponseURL: r.ResponseURL}
	if err := w.Slack.Messages.Notify(ctx, where, sentence); err != nil {
		w.Log.WarnContext(ctx, "person not told", "user", r.User, "err", err)
	}
}

// RedisAway notifies the operations channel of an outage of Redis, or with nil of its end.
func (w *App) RedisAway(ctx context.Context, why error) {
	says := ops.RedisAway
	switch {
	case why == nil:
		says = ops.RedisBack
	case queue.Full(why):
		says = ops.RedisFull
	case errors.Is(why, queue.ErrUnconfirmed):
		says = ops.RedisUnconfirmed
	}
	if _, err := w.TellOps(ctx, says); err != nil {
		w.Log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}

// SlackWasAway notifies the operations channel of an outage of Slack that is over.
func (w *App) SlackWasAway(ctx context.Context, from, to time.Time) {
	if err := w.Jobs.SlackBack(ctx, from, to); err != nil {
		w.Log.WarnContext(ctx, "operations channel not told", "err", err)
	}
}
