// Package commands is what a person can do: one file per verb with its slash form,
// its modal and its work.
//
// A click, a command or a submitted form becomes a job before it is acknowledged,
// under an identity of its own: Slack's retries, replays and double clicks end as one
// job. The job calls the service, hands what came back to the store and answers the
// person who acted. A write to the service leaves its mark before it is sent, so that
// whoever runs the job after a crash looks before sending again: credits are never
// spent twice and words never reach an editor twice.
//
// It never posts to a channel: the announcer makes the channel match.
//
// Where to look: a verb's own file has its slash form and its window, and VERB_work.go,
// where there is one, its job. change.go is what approve, revise and cancel share, and
// errand.go what message, reference and relay share: all that reaches an editor. click.go
// makes jobs of requests, meant.go finds the order that a line means, may.go decides who
// may, modal.go opens windows and answer.go answers.
package commands

import (
	"context"
	"log/slog"
	"strings"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slash is the one slash command.
const Slash = "/order"

// Config is what the commands work with; all but Files, Operators, Ops and Log is required.
type Config struct {
	Slack     Slack
	Service   Service
	Store     *store.Store
	Queue     *queue.Queue
	Files     *files.Signer // makes Slack's photos public for the service; nil: there is no PUBLIC_URL
	Operators []string      // user ids; none: the workspace's admins
	// Ops says a sentence in the operations channel, and tells whether it was said; it fails
	// when saying it later makes sense. nil: there is no such channel.
	Ops func(ctx context.Context, sentence string) (said bool, err error)
	Log *slog.Logger
}

// Commands are the verbs, ready to be routed and to do their jobs.
type Commands struct {
	slack   Slack
	service Service
	store   *store.Store
	queue   *queue.Queue
	files   *files.Signer
	access  *access.Control
	ops     func(ctx context.Context, sentence string) (bool, error)
	log     *slog.Logger
	verbs   []verb
	buttons map[string]clicked
	kinds   map[string]kind
}

// clicked is the work behind a command line, a button or a shortcut.
type clicked func(ctx context.Context, r bot.Request) error

// verb is one row of the table that routes and renders help.
type verb struct {
	cards.HelpRow
	run clicked
}

// New makes the commands.
func New(cfg Config) *Commands {
	c := &Commands{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, queue: cfg.Queue,
		files: cfg.Files, ops: cfg.Ops, log: cfg.Log,
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.access = access.New(access.Config{Slack: c.slack, Store: c.store, Operators: cfg.Operators, Log: c.log})
	c.verbs = []verb{
		{newHelp, c.openNew},
		{listHelp, c.list},
		{showHelp, c.show},
		{approveHelp, c.openApprove},
		{reviseHelp, c.openRevise},
		{cancelHelp, c.openCancel},
		{messageHelp, c.message},
		{referenceHelp, c.reference},
		{trackHelp, c.track},
		{untrackHelp, c.untrack},
		{moveHelp, c.move},
		{balanceHelp, c.balance},
		{settingsHelp, c.openSettings},
		{helpHelp, c.help},
	}
	c.buttons = c.buttonTable()
	c.kinds = c.kindTable()
	c.addKind(clickJob, kind{
		work: c.click, asked: "opening a form or answering a command", truth: always(nothingSent), typed: deadLine,
	})
	return c
}

// buttonTable is every button, select and shortcut that becomes a job; an id that ends
// in a colon stands for all that begin with it.
func (c *Commands) buttonTable() map[string]clicked {
	return map[string]clicked{
		ShortcutNew:            c.openNew,
		ShortcutPhotos:         c.openPhotos,
		ShortcutSend:           c.sendToEditor,
		ShortcutReference:      c.addReference,
		cards.ActionOpen:       c.reopenDraft,
		cards.ActionRetry:      c.retryDraft,
		cards.ActionDiscard:    c.discardDraft,
		cards.ActionRemove:     c.removePhoto,
		cards.ActionApprove:    c.openApprove,
		cards.ActionRevise:     c.openRevise,
		cards.ActionCancel:     c.openCancel,
		cards.ActionMessage:    c.message,
		cards.ActionMove:       c.move,
		cards.ActionMenu:       c.menu,
		cards.ActionShow:       c.show,
		cards.ActionPick:       c.picked,
		cards.ActionList:       c.listPage,
		cards.ActionCorrect:    c.correct,
		cards.ActionAttach:     c.attach,
		cards.ActionBack:       c.pageBack,
		cards.ActionHomeNew:    c.openNew,
		cards.ActionHomeFilter: c.homeFilter,
		cards.ActionHomePage:   c.homePage,
	}
}

// Verbs lists what exists, for the cards: only verbs that exist get buttons.
func Verbs() cards.Verbs {
	return cards.Verbs{
		"new", "list", "show", "approve", "revise", "cancel", "message", "reference",
		"track", "untrack", "move", "balance", "settings", "help", "reopen",
	}
}

// Hints is the usage hint of the slash command in the manifest, from the table that
// routes.
func Hints() string {
	hint := ""
	for _, v := range New(Config{}).verbs {
		if hint != "" {
			hint += " | "
		}
		hint += v.Usage
	}
	return hint
}

// Rows are the verbs as help shows them, from the table that routes.
func Rows() []cards.HelpRow {
	verbs := New(Config{}).verbs
	rows := make([]cards.HelpRow, 0, len(verbs))
	for _, v := range verbs {
		rows = append(rows, v.HelpRow)
	}
	return rows
}

// Routes registers everything a person can do.
func (c *Commands) Routes(r *bot.Router) {
	r.Command(Slash, c.accept)
	for _, id := range []string{ShortcutNew, ShortcutPhotos, ShortcutSend, ShortcutReference} {
		r.Shortcut(id, c.accept)
	}
	for id := range c.buttons {
		if strings.HasSuffix(id, ":") {
			id += "*"
		}
		r.Action(id, c.accept)
	}
	r.Action(cards.ActionTyped+"*", c.keepTyped)
	r.Options(cards.ActionPick+"*", c.suggestOrders)
	r.Submit(cards.CallbackNew, c.submitNew)
	r.Submit(cards.CallbackNewImages, c.submitImages)
	r.Close(cards.CallbackNew, c.closeNew)
	r.Close(cards.CallbackNewImages, c.closeNew)
	r.Submit(cards.CallbackApprove, c.submitApprove)
	r.Submit(cards.CallbackRevise, c.submitRevise)
	r.Submit(cards.CallbackCancel, c.submitCancel)
	r.Submit(cards.CallbackMessage, c.submitMessage)
	r.Submit(cards.CallbackReference, c.submitReference)
	r.Submit(cards.CallbackMove, c.submitMove)
	r.Submit(cards.CallbackSettings, c.submitSettings)
	r.Event("app_home_opened", c.homeOpened)
	r.Event("app_mention", c.mentioned)
	r.Event("message", c.heard)
	r.Event("member_joined_channel", c.joined)
	r.Event("member_left_channel", c.left)
}

// Handles tells whether jobs of this kind are done here.
func (c *Commands) Handles(kind string) bool {
	_, ok := c.kinds[kind]
	return ok
}

// Work does one job; it is a [queue.Handler]. An outage of Slack, Redis or the service
// uses up nobody's attempt: the job waits for its end.
func (c *Commands) Work(ctx context.Context, d *queue.Delivery) error {
	err := c.kinds[d.Kind].work(ctx, d)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if bot.Mendable(err) {
		return c.waitForMend(ctx, d, err)
	}
	if !outage(err) {
		return err
	}
	c.log.WarnContext(ctx, "job waits for an outage to end", "job", d.ID, "kind", d.Kind, "err", err)
	return queue.Wait(outageWait(err))
}
