package commands

import (
	"sync"

	"darkroom/commands/account"
	"darkroom/commands/answer"
	"darkroom/commands/batch"
	"darkroom/commands/events"
	"darkroom/commands/list"
	"darkroom/commands/presets"
	"darkroom/commands/report"
	"darkroom/commands/resolve"
	"darkroom/commands/settings"
)

// features holds the handlers, one for each feature.
type features struct {
	// Placing orders.
	newOrder     *newOrder
	photoOrder   *photoOrder
	photoThreads *photoThreads
	again        *again
	draftForm    *draftForm
	placing      *placing
	batch        *batch.Handler
	presets      *presets.Handler
	holds        *holds

	// Placed orders.
	lists     *list.Handler
	details   *details
	review    *review
	revise    *revise
	reminders *reminders
	tracking  *tracking

	// Messages to editors.
	talk            *talk
	reference       *reference
	channelMessages *events.Messages

	finder    *resolve.Finder
	openForms *openForms
	members   *events.Members
	ownPosts  *events.OwnPosts
	home      *home
	report    *report.Handler
	settings  *settings.Handler
	account   *account.Handler
	help      *help
}

// newFeatures wires the handlers.
func newFeatures(cfg Config, answers *answer.Messages, readOnly *answer.ReadOnly) *features {
	guard := answer.NewGuard(cfg.Access)
	guests := &guests{access: cfg.Access, log: cfg.Log}
	windows := answer.NewWindows(cfg.Slack, cfg.Store, cfg.Jobs, cfg.Log)
	finder := resolve.NewFinder(cfg.Store, cfg.Jobs, cfg.Access, cfg.Log, answers)
	orderWindows := resolve.NewWindows(cfg.Slack, cfg.Access, finder, windows)
	submissions := &submissions{documents: cfg.Store.Documents, orders: cfg.Store.Orders, jobs: cfg.Jobs, windows: windows}
	saved := &savedForms{documents: cfg.Store.Documents, log: cfg.Log}
	photos := &photoFiles{files: cfg.Files}
	drafts := &drafts{drafts: cfg.Store.Drafts, server: cfg.Store.Server, log: cfg.Log, photos: photos}
	views := &draftViews{drafts: cfg.Store.Drafts, jobs: cfg.Jobs, files: cfg.Files, services: cfg.Services, log: cfg.Log}
	draftWindows := &draftWindows{slack: cfg.Slack, drafts: cfg.Store.Drafts, jobs: cfg.Jobs, files: cfg.Files, answers: answers, windows: windows, views: views}
	orderThreads := &orderThreads{slack: cfg.Slack, orders: cfg.Store.Orders, jobs: cfg.Jobs, log: cfg.Log}

	f := &features{finder: finder}
	f.batch = batch.New(cfg.Slack, cfg.Store, cfg.Jobs, cfg.Access, guests.rejectGuest, windows)
	f.newOrder = &newOrder{storedDrafts: cfg.Store.Drafts, jobs: cfg.Jobs, log: cfg.Log, guests: guests, answers: answers, readOnly: readOnly, windows: windows, drafts: drafts, views: views, draftWindows: draftWindows}
	f.photoThreads = &photoThreads{slack: cfg.Slack, drafts: cfg.Store.Drafts, photoThreads: cfg.Store.PhotoThreads, jobs: cfg.Jobs, files: cfg.Files, log: cfg.Log, windows: windows, photos: photos, views: views}
	f.photoOrder = &photoOrder{slack: cfg.Slack, answers: answers, drafts: cfg.Store.Drafts, jobs: cfg.Jobs, guests: guests, photos: photos, views: views, newOrder: f.newOrder, photoThreads: f.photoThreads, batch: f.batch}
	f.again = &again{drafts: cfg.Store.Drafts, finder: finder, guests: guests, answers: answers, views: views, newOrder: f.newOrder}
	f.draftForm = &draftForm{store: cfg.Store, jobs: cfg.Jobs, access: cfg.Access, files: cfg.Files, answers: answers, photos: photos, drafts: drafts, views: views, draftWindows: draftWindows}
	f.placing = &placing{storedDrafts: cfg.Store.Drafts, jobs: cfg.Jobs, log: cfg.Log, windows: windows, photos: photos, drafts: drafts, views: views, batch: f.batch}
	f.presets = presets.New(cfg.Store, cfg.Access, answers, orderWindows, windows)
	f.holds = &holds{holds: cfg.Store.Holds, ledgers: cfg.Store.Ledgers, jobs: cfg.Jobs, access: cfg.Access, answers: answers}

	f.lists = list.New(cfg.Service, cfg.Store, cfg.Jobs, cfg.Access, guard, answers)
	f.details = &details{service: cfg.Service, follows: cfg.Store.Follows, orders: cfg.Store.Orders, jobs: cfg.Jobs, access: cfg.Access, zip: cfg.ZIP, log: cfg.Log, finder: finder, answers: answers, windows: windows}
	f.review = &review{orders: cfg.Store.Orders, readOnly: readOnly, jobs: cfg.Jobs, access: cfg.Access, windows: windows, orderWindows: orderWindows, submissions: submissions, saved: saved}
	f.revise = &revise{store: cfg.Store, jobs: cfg.Jobs, access: cfg.Access, finder: finder, readOnly: readOnly, windows: windows, orderWindows: orderWindows, submissions: submissions, saved: saved}
	f.reminders = &reminders{reminders: cfg.Store.Reminders, settings: cfg.Store.Settings, access: cfg.Access, finder: finder, answers: answers}
	f.tracking = &tracking{service: cfg.Service, store: cfg.Store, jobs: cfg.Jobs, access: cfg.Access, finder: finder, guard: guard, answers: answers, windows: windows, submissions: submissions}

	f.reference = &reference{jobs: cfg.Jobs, access: cfg.Access, files: cfg.Files, finder: finder, answers: answers, windows: windows, orderWindows: orderWindows, orderThreads: orderThreads, photos: photos, submissions: submissions, saved: saved}
	f.talk = &talk{slack: cfg.Slack, documents: cfg.Store.Documents, orders: cfg.Store.Orders, jobs: cfg.Jobs, access: cfg.Access, finder: finder, answers: answers, windows: windows, orderWindows: orderWindows, orderThreads: orderThreads, submissions: submissions, saved: saved, reference: f.reference}
	f.channelMessages = events.NewMessages(cfg.Store, cfg.Jobs)

	f.openForms = &openForms{documents: cfg.Store.Documents, jobs: cfg.Jobs, log: cfg.Log, finder: finder, windows: windows, drafts: drafts, saved: saved, reference: f.reference, revise: f.revise}
	f.members = events.NewMembers(cfg.Slack, cfg.Jobs)
	f.ownPosts = events.NewOwnPosts(cfg.Slack, cfg.Store)
	f.home = &home{jobs: cfg.Jobs, readOnly: readOnly}
	f.report = report.New(cfg.Slack, cfg.Store, cfg.Access, cfg.Log, guard, answers, windows)
	f.settings = settings.New(cfg.Store, cfg.Access, cfg.Log, answers, windows)
	f.account = account.New(cfg.Service, cfg.Store, cfg.Jobs, cfg.Access, cfg.Log, guard, answers, readOnly, windows)
	f.help = &help{answers: answers, verbs: f.verbs()}
	f.help.helps = sync.OnceValue(f.help.encodedHelp)
	return f
}
