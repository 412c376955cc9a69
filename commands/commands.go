// Package commands is what a person can ask: one file per verb with its line, its form and its
// submit.
//
// It decides who may, opens windows, shows, and puts jobs for what changes something; what is done
// about those is in package jobs. Looks are not deeds: what only shows is answered at once by the
// process that heard it, and may be asked again. What changes something becomes a job before it
// is acknowledged, under an identity of its own: Slack's retries, replays and double clicks end as
// one job.
//
// Where to look: commands.go is the table that routes and renders help, and tells looks from deeds.
// help.go answers at once, look.go answers looks, click.go makes jobs of deeds, resolve.go finds the order that a line means,
// modal.go opens windows, ack.go answers forms.
package commands

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/semaphore"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slash is the one slash command.
const Slash = "/order"

// Config is what the commands work with; all but Files and ZIP is required.
type Config struct {
	Slack   answers.Slack
	Service Service
	Store   *store.Store
	Jobs    *jobs.Jobs
	Access  *access.Control
	Files   *files.Signer // makes Slack's photos public for the service; nil: there is no PUBLIC_URL
	ZIP     cards.ZIPs    // nil: images cannot be had as a ZIP
	Log     *slog.Logger

	Services cards.Descriptions // the operator's words for the service types
	Looks    *Looks             // those under way in all rooms of the process; nil: these commands count their own
}

// Service is what the commands read of the order service; only jobs change anything there.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Commands are the verbs, ready to be routed.
type Commands struct {
	slack   answers.Slack
	service Service
	store   *store.Store
	jobs    *jobs.Jobs
	access  *access.Control
	files   *files.Signer
	zip     cards.ZIPs
	log     *slog.Logger
	says    cards.Descriptions
	looks   *semaphore.Weighted // one of the places taken by each look
	all     *Looks              // of the process
	verbs   []verb
	buttons map[string]action
	helps   func() map[string]bot.Reply // see [Commands.encodedHelp]

	connects *semaphore.Weighted // one of the places taken by each account that is being connected
}

// handler is the work behind a command line, a button or a shortcut.
type handler func(ctx context.Context, r bot.Request) error

// action is that work, and whether a request for it is a deed: one that changes something, or
// moves on what somebody typed. Anything else only shows.
type action struct {
	run  handler
	deed func(r bot.Request) bool
}

// verb is one row of the table that routes and renders help.
type verb struct {
	cards.HelpRow
	action
}

func shows(bot.Request) bool { return false }

func acts(bot.Request) bool { return true }

// actsWithWords is a line that has more than the name of an order: whatever else it has is sent.
func actsWithWords(r bot.Request) bool {
	first, rest := firstWord(r.Args)
	return r.Kind == bot.KindCommand && (rest != "" || first != "" && !looksLikeID(strings.Trim(first, nameMarks)))
}

// actsToChannel is a line that names a channel, and the picker below one that may.
func actsToChannel(r bot.Request) bool {
	if r.Kind != bot.KindCommand {
		return strings.HasPrefix(r.BlockID, cards.PickBlock) && r.BlockID != cards.PickBlock
	}
	return slices.ContainsFunc(strings.Fields(r.Args), func(word string) bool {
		_, named := cards.ChannelName(word)
		return named
	})
}

// New makes the commands, and declares the kind of job that does clicks.
func New(cfg Config) (*Commands, error) {
	c := &Commands{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store,
		jobs: cfg.Jobs, access: cfg.Access, files: cfg.Files, zip: cfg.ZIP, log: cfg.Log, says: cfg.Services,
		looks: semaphore.NewWeighted(looksAtOnce), all: cmp.Or(cfg.Looks, &Looks{}), connects: semaphore.NewWeighted(connectsAtOnce),
	}
	c.verbs, c.buttons = c.verbTable(), c.buttonTable()
	if c.jobs.Account.Connectable() {
		maps.Copy(c.buttons, c.connectButtons())
	}
	c.helps = sync.OnceValue(c.encodedHelp)
	return c, c.jobs.Kinds().Add(queue.Kind[bot.Request]{
		Name: clickJob, Work: c.click, Typed: typedLine,
		Asked: "opening a form or answering a command", Truth: job.Always(job.NothingSent),
	}.Declare())
}

// Verbs are the verbs that a line may begin with.
func (c *Commands) Verbs() []string {
	all := make([]string, len(c.verbs))
	for i, v := range c.verbs {
		all[i] = v.Verb
	}
	return all
}

// verbTable is every verb, in the order in which help shows them.
func (c *Commands) verbTable() []verb {
	return []verb{
		{newHelp, action{c.openNew, shows}},
		{listHelp, action{c.list, shows}},
		{findHelp, action{c.find, shows}},
		{againHelp, action{c.openAgain, shows}},
		{showHelp, action{c.show, shows}},
		{historyHelp, action{c.history, shows}},
		{reportHelp, action{c.report, shows}},
		{approveHelp, action{c.openApprove, shows}},
		{reviseHelp, action{c.openRevise, shows}},
		{cancelHelp, action{c.openCancel, shows}},
		{messageHelp, action{c.message, actsWithWords}},
		{referenceHelp, action{c.reference, actsWithWords}},
		{trackHelp, action{c.track, acts}},
		{untrackHelp, action{c.untrack, acts}},
		{moveHelp, action{c.move, actsToChannel}},
		{balanceHelp, action{c.balance, shows}},
		{presetsHelp, action{c.openPresets, shows}},
		{settingsHelp, action{c.openSettings, shows}},
		{helpHelp, action{c.help, shows}},
	}
}

// buttonTable is every button, select and shortcut but those in [Commands.action]; an id that ends
// in a colon stands for all that begin with it.
func (c *Commands) buttonTable() map[string]action {
	return map[string]action{
		ShortcutNew:            {c.openNew, shows},
		ShortcutPhotos:         {c.openPhotos, shows},
		ShortcutSend:           {c.sendToEditor, acts},
		ShortcutReference:      {c.addReference, shows},
		cards.ActionOpen:       {c.reopenDraft, inForm},
		cards.ActionRetry:      {c.retryDraft, acts},
		cards.ActionDiscard:    {c.discardDraft, acts},
		cards.ActionRemove:     {c.removePhoto, acts},
		cards.ActionMore:       {c.reshape, shows},
		cards.ActionEach:       {c.reshape, shows},
		cards.ActionRefEach:    {c.reshapeReference, shows},
		cards.ActionAddresses:  {c.reshape, shows},
		cards.ActionOptions:    {c.reshape, shows},
		cards.ActionPreset:     {c.choosePreset, inForm},
		cards.ActionPostTo:     {c.postTo, shows},
		cards.ActionSavePreset: {c.openSavePreset, shows},
		cards.ActionPresets:    {c.changePreset, acts},
		cards.ActionApprove:    {c.openApprove, shows},
		cards.ActionRevise:     {c.openRevise, shows},
		cards.ActionCancel:     {c.openCancel, shows},
		cards.ActionMessage:    {c.message, shows},
		cards.ActionAsk:        {c.askEditor, acts},
		cards.ActionSnooze:     {c.snooze, acts},
		cards.ActionMove:       {c.move, shows},
		cards.ActionTakeOver:   {c.inherit, acts},
		cards.ActionShow:       {c.show, shows},
		cards.ActionDownload:   {c.followed, shows},
		cards.ActionFollow:     {c.follow, acts},
		cards.ActionUnfollow:   {c.unfollow, acts},
		cards.ActionTrack:      {c.track, acts},
		cards.ActionList:       {c.listPage, shows},
		cards.ActionHistory:    {c.history, shows},
		cards.ActionCorrect:    {c.correct, shows},
		cards.ActionAttach:     {c.attach, shows},
		cards.ActionBack:       {c.pageBack, acts},
		cards.ActionAnew:       {c.beginAnew, acts},
		cards.ActionHomeNew:    {c.openNew, shows},
		cards.ActionHomeFilter: {c.homeFilter, shows},
		cards.ActionHomePage:   {c.homePage, shows},
		cards.ActionHomeSelect: {c.openSelect, shows},

		cards.ActionAllow:       {c.decideHold, acts},
		cards.ActionDecline:     {c.decideHold, acts},
		cards.ActionHoldCredits: {c.showHoldCredits, shows},
	}
}

// Hints is the usage hint of the slash command in the manifest, from the table that
// routes.
func Hints() string {
	rows := Rows()
	usages := make([]string, len(rows))
	for i, row := range rows {
		usages[i] = row.Usage
	}
	return strings.Join(usages, " | ")
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
func (c *Commands) Routes(router *bot.Router) {
	r := gate{router, c}
	r.Command(Slash, c.accept)
	r.Instant(Slash, c.instant)
	for _, id := range []string{ShortcutNew, ShortcutPhotos, ShortcutSend, ShortcutReference} {
		r.Shortcut(id, c.accept)
	}
	for id := range c.buttons {
		if strings.HasSuffix(id, ":") {
			id += "*"
		}
		r.Action(id, c.accept)
	}
	r.Action(cards.ActionMenu, c.accept)
	r.Action(cards.ActionPick+"*", c.accept)
	r.Action(cards.ActionTyped+"*", c.keepTyped)
	r.Action(cards.ActionWhich, c.chooseImages)
	r.Options(cards.ActionPick+"*", c.suggestOrders)
	r.Submit(cards.CallbackNew, c.submitNew)
	r.Submit(cards.CallbackNewImages, c.submitImages)
	r.Close(cards.CallbackNew, c.keepTyped)
	r.Close(cards.CallbackNewImages, c.keepTyped)
	for _, form := range cards.KeptForms() {
		r.Close(form, c.keepWords)
	}
	r.Submit(cards.CallbackApprove, c.submitApprove)
	r.Submit(cards.CallbackSelect, c.submitSelected)
	r.Submit(cards.CallbackRevise, c.submitRevise)
	r.Submit(cards.CallbackCancel, c.submitCancel)
	r.Submit(cards.CallbackMessage, c.submitMessage)
	r.Submit(cards.CallbackReference, c.submitReference)
	r.Submit(cards.CallbackMove, c.submitMove)
	r.Submit(cards.CallbackSettings, c.submitSettings)
	r.Submit(cards.CallbackPreset, c.submitPreset)
	r.Submit(cards.CallbackBatch, c.submitBatch)
	r.Submit(cards.CallbackThread, c.submitThread)
	if c.jobs.Account.Connectable() {
		r.Submit(cards.CallbackConnect, c.submitConnect)
		r.Submit(cards.CallbackDisconnect, c.submitDisconnect)
	}
	r.Event("app_home_opened", c.homeOpened)
	r.Event("app_mention", c.onMention)
	r.Event("message", c.onMessage)
	r.Event("member_joined_channel", c.joined)
	r.Event("member_left_channel", c.left)
	r.Event("message_metadata_posted", c.metadataPosted)
	r.Event("message_metadata_deleted", c.metadataDeleted)
}
