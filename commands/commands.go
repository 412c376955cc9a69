// Package commands is what a person can ask: one file per verb with its line, its form and its
// submit.
//
// It decides who may, opens windows, shows, and puts jobs for what changes something; what is done
// about those is in package jobs. A click, a command or a submitted form becomes a job before it
// is acknowledged, under an identity of its own: Slack's retries, replays and double clicks end as
// one job.
//
// Where to look: commands.go is the table that routes and renders help. click.go makes jobs of
// clicks, meant.go finds the order that a line means, modal.go opens windows, ack.go answers forms.
package commands

import (
	"context"
	"log/slog"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slash is the one slash command.
const Slash = "/order"

// Config is what the commands work with; all but Files and Log is required.
type Config struct {
	Slack   Slack
	Service Service
	Store   *store.Store
	Queue   *queue.Queue
	Jobs    *jobs.Jobs
	Access  *access.Control
	Files   *files.Signer // makes Slack's photos public for the service; nil: there is no PUBLIC_URL
	Log     *slog.Logger
}

// Slack is what the commands need of the one Slack client.
type Slack interface {
	OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error)
	PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error)
	UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) (*slack.View, error)
	Respond(ctx context.Context, responseURL, text string, replace bool, blocks ...slack.Block) error
	Forget(channel, user string)
	User(ctx context.Context, id string) (slack.User, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Identity(ctx context.Context) (bot.Identity, error)
}

// Service is what the commands read of the order service; only jobs change anything there.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Commands are the verbs, ready to be routed.
type Commands struct {
	slack   Slack
	service Service
	store   *store.Store
	queue   *queue.Queue
	jobs    *jobs.Jobs
	access  *access.Control
	files   *files.Signer
	log     *slog.Logger
	verbs   []verb
	buttons map[string]clicked
}

// clicked is the work behind a command line, a button or a shortcut.
type clicked func(ctx context.Context, r bot.Request) error

// verb is one row of the table that routes and renders help.
type verb struct {
	cards.HelpRow
	run clicked
}

// New makes the commands, and declares the kind of job that does clicks.
func New(cfg Config) (*Commands, error) {
	c := &Commands{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, queue: cfg.Queue,
		jobs: cfg.Jobs, access: cfg.Access, files: cfg.Files, log: cfg.Log,
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.verbs, c.buttons = c.verbTable(), c.buttonTable()
	return c, c.jobs.Add(queue.Kind[bot.Request]{
		Name: clickJob, Work: c.click, Typed: typedLine,
		Asked: "opening a form or answering a command", Truth: jobs.Always(jobs.NothingSent),
	}.Declare())
}

// verbTable is every verb, in the order in which help shows them.
func (c *Commands) verbTable() []verb {
	return []verb{
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

// Hints is the usage hint of the slash command in the manifest, from the table that
// routes.
func Hints() string {
	hint := ""
	for _, v := range new(Commands).verbTable() {
		if hint != "" {
			hint += " | "
		}
		hint += v.Usage
	}
	return hint
}

// Rows are the verbs as help shows them, from the table that routes.
func Rows() []cards.HelpRow {
	verbs := new(Commands).verbTable()
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
