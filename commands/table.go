package commands

import (
	"context"
	"slices"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/batch"
	"darkroom/cards/change"
	cardshome "darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	cardspresets "darkroom/cards/presets"
	cardssettings "darkroom/cards/settings"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/account"
	"darkroom/commands/list"
	"darkroom/commands/presets"
	"darkroom/commands/report"
	"darkroom/commands/resolve"
	"darkroom/commands/settings"
)

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
	verbs := new(features).verbs()
	rows := make([]cards.HelpRow, 0, len(verbs))
	for _, v := range verbs {
		rows = append(rows, v.HelpRow)
	}
	return rows
}

// opened is for a button that is a link: the browser opens it, and Slack wants an acknowledgement only.
func opened(context.Context, bot.Request) error { return nil }

func shows(bot.Request) bool { return false }

func acts(bot.Request) bool { return true }

// actsWithWords is a line that has more than the name of an order: whatever else it has is sent.
func actsWithWords(r bot.Request) bool {
	first, rest := resolve.FirstWord(r.Args)
	return r.Kind == bot.KindCommand && (rest != "" || first != "" && !resolve.LooksLikeID(strings.Trim(first, resolve.NameMarks)))
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

// verbs is every verb, in the order in which help shows them.
func (f *features) verbs() []verb {
	return []verb{
		{newHelp, action{f.newOrder.openNew, shows}},
		{list.Help, action{f.lists.List, shows}},
		{list.FindHelp, action{f.lists.Find, shows}},
		{againHelp, action{f.again.openAgain, shows}},
		{showHelp, action{f.details.show, shows}},
		{historyHelp, action{f.details.history, shows}},
		{report.Help, action{f.report.Open, shows}},
		{approveHelp, action{f.review.openApprove, shows}},
		{reviseHelp, action{f.revise.openRevise, shows}},
		{cancelHelp, action{f.review.openCancel, shows}},
		{messageHelp, action{f.talk.message, actsWithWords}},
		{referenceHelp, action{f.reference.reference, actsWithWords}},
		{trackHelp, action{f.tracking.track, acts}},
		{untrackHelp, action{f.tracking.untrack, acts}},
		{moveHelp, action{f.tracking.move, actsToChannel}},
		{account.BalanceHelp, action{f.account.Balance, shows}},
		{presets.Help, action{f.presets.Open, shows}},
		{settings.Help, action{f.settings.Open, shows}},
		{helpHelp, action{f.help.help, shows}},
	}
}

// buttons is every button, select and shortcut but those in [Commands.action]; an id that ends
// in a colon stands for all that begin with it.
func (f *features) buttons() map[string]action {
	return map[string]action{
		ShortcutNew:             {f.newOrder.openNew, shows},
		ShortcutPhotos:          {f.photoOrder.openPhotos, shows},
		ShortcutSend:            {f.talk.sendToEditor, acts},
		ShortcutReference:       {f.reference.addReference, shows},
		place.ActionOpen:        {f.newOrder.reopenDraft, inForm},
		place.ActionRetry:       {f.draftForm.retryDraft, acts},
		place.ActionDiscard:     {f.draftForm.discardDraft, acts},
		place.ActionRemove:      {f.draftForm.removePhoto, acts},
		place.ActionMore:        {f.draftForm.reshape, shows},
		place.ActionEach:        {f.draftForm.reshape, shows},
		cardstalk.ActionRefEach: {f.reference.reshapeReference, shows},
		place.ActionAddresses:   {f.draftForm.reshape, shows},
		place.ActionOptions:     {f.draftForm.reshape, shows},
		place.ActionPreset:      {f.draftForm.choosePreset, inForm},
		place.ActionPostTo:      {f.draftForm.postTo, shows},
		cards.ActionSavePreset:  {f.presets.OpenSave, shows},
		cardspresets.Action:     {f.presets.Change, acts},
		cards.ActionApprove:     {f.review.openApprove, shows},
		cards.ActionRevise:      {f.revise.openRevise, shows},
		cards.ActionCancel:      {f.review.openCancel, shows},
		cards.ActionMessage:     {f.talk.message, shows},
		cards.ActionAsk:         {f.talk.askEditor, acts},
		cards.ActionSnooze:      {f.reminders.snooze, acts},
		cards.ActionMove:        {f.tracking.move, shows},
		cards.ActionTakeOver:    {f.tracking.takeOver, acts},
		cards.ActionShow:        {f.details.show, shows},
		cards.ActionDownload:    {opened, shows},
		cards.ActionFollow:      {f.details.follow, acts},
		cards.ActionUnfollow:    {f.details.unfollow, acts},
		cards.ActionTrack:       {f.tracking.track, acts},
		cards.ActionList:        {f.lists.Page, shows},
		cards.ActionHistory:     {f.details.history, shows},
		cardstalk.ActionCorrect: {f.talk.correct, shows},
		cardstalk.ActionAttach:  {f.reference.attach, shows},
		place.ActionBack:        {f.openForms.pageBack, acts},
		kit.ActionClear:         {f.openForms.beginAnew, acts},
		cardshome.ActionNew:     {f.newOrder.openNew, shows},
		cardshome.ActionFilter:  {f.home.homeFilter, shows},
		cardshome.ActionPage:    {f.home.homePage, shows},
		cardshome.ActionSelect:  {f.review.openSelect, shows},

		place.ActionAllow:       {f.holds.decideHold, acts},
		place.ActionDecline:     {f.holds.decideHold, acts},
		place.ActionHoldCredits: {f.holds.showHoldCredits, shows},
	}
}

// Routes registers everything a person can do.
func (c *Commands) Routes(router *bot.Router) {
	f := c.features
	r := gate{router, c.jobs, c.answers, c.readOnly}
	r.Command(Slash, c.accept)
	r.Instant(Slash, f.help.instant)
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
	r.Action(kit.ActionTyped+"*", f.openForms.saveTyped)
	r.Action(change.ActionWhich, f.revise.chooseImages)
	r.Options(cards.ActionPick+"*", f.finder.Suggest)
	r.Submit(place.CallbackNew, f.placing.submitNew)
	r.Submit(place.CallbackImages, f.placing.submitImages)
	r.Close(place.CallbackNew, f.openForms.saveTyped)
	r.Close(place.CallbackImages, f.openForms.saveTyped)
	for _, form := range kit.SavedForms() {
		r.Close(form, f.openForms.saveClosed)
	}
	r.Submit(kit.CallbackApprove, f.review.submitApprove)
	r.Submit(change.CallbackSelect, f.review.submitSelected)
	r.Submit(kit.CallbackRevise, f.revise.submitRevise)
	r.Submit(kit.CallbackCancel, f.review.submitCancel)
	r.Submit(kit.CallbackMessage, f.talk.submitMessage)
	r.Submit(kit.CallbackReference, f.reference.submitReference)
	r.Submit(cards.CallbackMove, f.tracking.submitMove)
	r.Submit(cardssettings.Callback, f.settings.Submit)
	r.Submit(cardspresets.Callback, f.presets.Save)
	r.Submit(batch.Callback, f.batch.Place)
	r.Submit(place.CallbackThread, f.photoThreads.submitThread)
	if c.jobs.Account.Connectable() {
		r.Submit(cardsaccount.CallbackConnect, f.account.Connect)
		r.Submit(cardsaccount.CallbackDisconnect, f.account.Disconnect)
	}
	r.Event("app_home_opened", f.home.homeOpened)
	r.Event("app_mention", f.channelMessages.Mention)
	r.Event("message", f.channelMessages.Message)
	r.Event("member_joined_channel", f.members.Joined)
	r.Event("member_left_channel", f.members.Left)
	r.Event("message_metadata_posted", f.ownPosts.Posted)
	r.Event("message_metadata_deleted", f.ownPosts.Deleted)
}
