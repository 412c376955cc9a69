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

// Rows returns the verbs as help shows them.
func Rows() []cards.HelpRow {
	verbs := new(features).verbs()
	rows := make([]cards.HelpRow, 0, len(verbs))
	for _, v := range verbs {
		rows = append(rows, v.HelpRow)
	}
	return rows
}

// acknowledge does nothing: the button is a link that the browser opens.
func acknowledge(context.Context, bot.Request) (bot.Reply, error) { return bot.Ack(), nil }

func reads(bot.Request) bool { return false }

func writes(bot.Request) bool { return true }

// writesWithText reports whether a line has more than an order's name: the rest is sent.
func writesWithText(r bot.Request) bool {
	first, rest := resolve.FirstWord(r.Args)
	return r.Kind == bot.KindCommand && (rest != "" || first != "" && !resolve.LooksLikeID(strings.Trim(first, resolve.NameMarks)))
}

// writesToChannel reports whether a line names a channel, or whether the picker belongs to such a line.
func writesToChannel(r bot.Request) bool {
	if r.Kind != bot.KindCommand {
		return strings.HasPrefix(r.BlockID, cards.PickBlock) && r.BlockID != cards.PickBlock
	}
	return slices.ContainsFunc(strings.Fields(r.Args), func(word string) bool {
		_, named := cards.ChannelName(word)
		return named
	})
}

// verbs returns the table of verbs, in the order of help.
func (f *features) verbs() []verb {
	return []verb{
		{newHelp, action{f.newOrder.openNew, reads}},
		{list.Help, action{f.lists.List, reads}},
		{list.FindHelp, action{f.lists.Find, reads}},
		{againHelp, action{f.again.openAgain, reads}},
		{showHelp, action{f.details.show, reads}},
		{historyHelp, action{f.details.history, reads}},
		{report.Help, action{f.report.Open, reads}},
		{approveHelp, action{f.review.openApprove, reads}},
		{reviseHelp, action{f.revise.openRevise, reads}},
		{cancelHelp, action{f.review.openCancel, reads}},
		{messageHelp, action{f.talk.message, writesWithText}},
		{referenceHelp, action{f.reference.reference, writesWithText}},
		{trackHelp, action{f.tracking.track, writes}},
		{untrackHelp, action{f.tracking.untrack, writes}},
		{moveHelp, action{f.tracking.move, writesToChannel}},
		{account.BalanceHelp, action{f.account.Balance, reads}},
		{presets.Help, action{f.presets.Open, reads}},
		{settings.Help, action{f.settings.Open, reads}},
		{helpHelp, action{f.help.help, reads}},
	}
}

// buttons returns the buttons, selects and shortcuts, but those in [Commands.action]. An id that ends in a colon is a
// prefix.
func (f *features) buttons() map[string]action {
	return map[string]action{
		ShortcutNew:               {f.newOrder.openNew, reads},
		ShortcutPhotos:            {f.photoOrder.openPhotos, reads},
		ShortcutSend:              {f.talk.sendToEditor, writes},
		ShortcutReference:         {f.reference.addReference, reads},
		place.ActionMentioned:     {f.photoOrder.openMentioned, reads},
		place.ActionOpen:          {f.newOrder.reopenDraft, inForm},
		place.ActionRetry:         {f.draftForm.retryDraft, writes},
		place.ActionDiscard:       {f.draftForm.discardDraft, writes},
		place.ActionRemove:        {f.draftForm.removePhoto, writes},
		place.ActionMore:          {f.draftForm.reshape, reads},
		place.ActionEach:          {f.draftForm.reshape, reads},
		cardstalk.ActionRefEach:   {f.reference.reshapeReference, reads},
		place.ActionOptions:       {f.draftForm.reshape, reads},
		place.ActionAdd:           {f.draftForm.reshape, reads},
		place.ActionTable:         {f.draftForm.reshape, reads},
		place.ActionPreset:        {f.draftForm.choosePreset, inForm},
		place.ActionPostTo:        {f.draftForm.postTo, reads},
		cards.ActionSavePreset:    {f.presets.OpenSave, reads},
		cardspresets.Action:       {f.presets.Change, writes},
		cardspresets.ActionPhotos: {f.presets.OpenPhotos, reads},
		cards.ActionApprove:       {f.review.openApprove, reads},
		cards.ActionRevise:        {f.revise.openRevise, reads},
		cards.ActionCancel:        {f.review.openCancel, reads},
		cards.ActionMessage:       {f.talk.message, reads},
		cards.ActionAsk:           {f.talk.askEditor, writes},
		cards.ActionAskPause:      {f.talk.askPause, reads},
		cards.ActionSnooze:        {f.reminders.snooze, writes},
		cards.ActionMove:          {f.tracking.move, reads},
		cards.ActionTakeOver:      {f.tracking.takeOver, writes},
		cards.ActionShow:          {f.details.show, reads},
		cards.ActionFollow:        {f.details.follow, writes},
		cards.ActionUnfollow:      {f.details.unfollow, writes},
		cards.ActionTrack:         {f.tracking.track, writes},
		cards.ActionList:          {f.lists.Page, reads},
		cards.ActionHistory:       {f.details.history, reads},
		cardstalk.ActionCorrect:   {f.talk.correct, reads},
		cardstalk.ActionTakeBack:  {f.talk.takeBack, writes},
		cardstalk.ActionAttach:    {f.reference.attach, reads},
		place.ActionBack:          {f.draftForm.imagesBack, writes},
		kit.ActionClear:           {f.openForms.clear, writes},
		cardshome.ActionNew:       {f.newOrder.openNew, reads},
		cardshome.ActionFilter:    {f.home.homeFilter, reads},
		cardshome.ActionPage:      {f.home.homePage, reads},
		cardshome.ActionSelect:    {f.review.openSelect, reads},

		batch.ActionOrders:             {f.batch.Orders, reads},
		batch.ActionOrdersPage:         {f.batch.Orders, reads},
		cardssettings.ActionSettings:   {f.settings.Open, reads},
		cardssettings.ActionSettingsOf: {f.settings.Choose, reads},
		cardssettings.ActionChangePart: {f.settings.Change, reads},

		place.ActionAllow:       {f.holds.decideHold, writes},
		place.ActionDecline:     {f.holds.decideHold, writes},
		place.ActionHoldCredits: {f.holds.showHoldCredits, reads},
	}
}

// Routes registers all handlers of people's requests.
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
	for _, link := range []string{cards.ActionDownload, cards.ActionReview, cards.ActionCompare, change.ActionMark} {
		r.Action(link, acknowledge)
	}
	r.Action(cards.ActionMenu, c.accept)
	r.Action(cards.ActionPick+"*", c.accept)
	r.Action(cards.ActionApproveShown, f.review.approveShown)
	r.Action(cards.ActionCancelNow, f.review.cancelNow)
	r.Action(kit.ActionTyped+"*", f.openForms.saveTyped)
	r.Action(change.ActionChanges, f.revise.redraw)
	r.Action(change.ActionPart+"*", f.revise.redraw)
	r.Action(change.ActionDone, f.revise.redraw)
	r.Options(cards.ActionPick+"*", f.finder.Suggest)
	r.Submit(place.CallbackNew, f.placing.submitNew)
	r.Submit(place.CallbackImages, f.placing.submitImages)
	r.Close(place.CallbackNew, f.openForms.saveTyped)
	r.Close(place.CallbackImages, f.openForms.saveTyped)
	for _, form := range kit.SavedForms() {
		r.Close(form, f.openForms.saveTyped)
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
	r.Submit(cardspresets.CallbackPhotos, f.presets.SavePhotos)
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
