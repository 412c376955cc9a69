package cards_test

import (
	"slices"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/settings"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// deskAnswers adds the answers of lists, pickers and operators' verbs.
func deskAnswers(s cardstest.Scene, shown map[string]any) {
	t := s.Tracked(order.StatusReviewing)
	narrowed := cards.Listing{Channel: "C0PHOTOS", Status: "reviewing", Mine: true, Words: []string{s.Words}}
	full := narrowed
	full.Orders, full.Total, full.Page, full.Newer, full.Older = s.Many(10), 1000, 4, "3", "5"
	account := cards.AccountListing{Total: 1000, Page: 1, Pages: 50, Status: "all", Customer: s.Words, Keywords: []string{s.Words}, Newer: "1", Older: "3"}
	for i, o := range s.Many(20) {
		row := cards.AccountOrder{Order: o.Order}
		if i == 1 {
			row.Channel = "C0PHOTOS"
		}
		account.Orders = append(account.Orders, row)
	}
	for name, m := range map[string]kit.Message{
		"pick":              cards.Pick("approve", s.Many(2), s.Words, "words:x1"),
		"pick_none":         cards.Pick("approve", nil, s.Words, ""),
		"list_found":        cards.List(cards.Listing{Found: true, Channel: "C0PHOTOS", Words: []string{s.Words}, Orders: s.Many(3), Total: 3, Links: cardstest.Links, Now: cardstest.Now}),
		"list_found_none":   cards.List(cards.Listing{Found: true, Mine: true, Words: []string{s.Words}}),
		"find_what":         cards.FindWhat(),
		"list_none":         cards.List(cards.Listing{Channel: "C0PHOTOS"}),
		"list_none_own":     cards.List(cards.Listing{}),
		"list_none_fits":    cards.List(narrowed),
		"list_one":          cards.List(cards.Listing{Orders: s.Many(1), Total: 1}),
		"list_full":         cards.List(full),
		"list_account":      cards.AccountList(account),
		"list_account_none": cards.AccountList(cards.AccountListing{Keywords: []string{s.Words}}),
		"list_problem":      cards.ListProblem(s.Words+" is too short", "account "+s.Words),
		"show_no_thumbs":    cards.Show(t, nil, true, cards.Thumbs{}, cardstest.Now),
		"not_found_words":   kit.SayWith(cards.NotFound(s.Words), s.Words),
		"followed":          cards.NowTracked(t),
		"followed_already":  cards.TrackedAlready(t),
		"cannot_follow":     cards.CannotTrack(s.Words),
		"unfollowed":        cards.NowUntracked(t),
		"needs_id":          cards.NeedsID("track", "track 84521"),
		"operators_only":    cards.OperatorsOnly("track orders from elsewhere"),
		"admins_only":       cards.AdminsOnly(),
		"move_ask":          cards.MoveAsk(t, "C0PUBLIC", cards.WidensPublic),
		"moved_told":        kit.AsMessage(cards.Moved(t, "x1")),
		"move_told":         kit.AsMessage(cards.Move(t, cards.MoveTo{Channel: "C0PUBLIC", Widens: cards.WidensPublic}, "x1")),
		"move_denied":       kit.Say(cards.MoveDenied(t)),
		"move_kept":         kit.Say(cards.MoveKept(t, []string{"U0OLGA", "U0BEN"})),
		"moved_already":     kit.Say(cards.MovedAlready(t)),
		"help_operators":    cards.HelpFor(cards.HelpRow{Verb: "list", Usage: "list", Does: "lists", More: []string{s.Words}, Operators: true}),
		"settings_changed":  settings.Changed(store.SettingsJob{By: s.Words, Edit: "e1", Now: settingsAll().Settings}, func(user string) string { return kit.Inline(user, 80) }),
	} {
		shown[name] = m
	}
}

// deskModals adds the windows of settings, move and show.
func deskModals(s cardstest.Scene, shown map[string]any) {
	t := s.Tracked(order.StatusReviewing)
	events := []order.Event{s.Event("placed", order.StatusEditing), s.Event("message", order.StatusEditing)}
	for name, v := range map[string]slack.ModalViewRequest{
		"settings":          settings.Overview{Channel: "C0PHOTOS", Decides: true}.Window("x1"),
		"settings_all":      settings.Overview{Channel: "C0PHOTOS", Now: settingsAll(), Decides: true, Saved: true}.Window("x1"),
		"settings_operator": settings.Overview{Channel: "C0PHOTOS", Now: settings.Values{Account: &store.Account{Credits: store.CreditsOperators}}, Decides: true}.Window("x1"),
		"settings_denied":   settings.Overview{Channel: "C0PHOTOS", Now: settingsAll()}.Window("x1"),
		"settings_channel":  settings.WhichChannel("x1"),
		"settings_orders":   settingsForm(settings.Orders).Window(settings.Values{}, "x1"),
		"settings_approval": settingsForm(settings.Approval).Window(settings.Values{}, "x1"),
		"settings_messages": settingsForm(settings.Messages).Window(settings.Values{}, "x1"),
		"settings_photos":   settingsForm(settings.Photos).Window(settings.Values{}, "x1"),
		"settings_rules":    settingsForm(settings.Photos).Window(settingsAll(), "x1"),
		"settings_account":  settingsForm(settings.Account).Window(settings.Values{Account: &store.Account{MonthLimit: 500}}, "x1"),
		"settings_groups":   settingsForm(settings.Approval).Window(settingsAll(), "x1"),
		"settings_met":      settingsMet().Window("x1"),
		"approve_kept":      change.ApproveDenied(s.Tracked(order.StatusReviewing), s.Words, settings.NotApprover("C0PHOTOS", []string{"U0OLGA", "U0BEN", "U0TOM"}), "x1"),
		"held":              place.AwaitingApproval(s.OnHold(), "x1"),
		"move":              cards.Move(t, cards.MoveTo{}, "x1"),
		"move_problem":      cards.Move(t, cards.MoveTo{Channel: "C0FULL", Problem: cards.CannotPost("C0FULL", order.DeniedArchived)}, "x1"),
		"move_public":       cards.Move(t, cards.MoveTo{Channel: "C0PUBLIC", Widens: cards.WidensPublic}, "x1"),
		"moving":            cards.Moving("x1"),
		"moving_later":      cards.MoveLater("x1"),
		"moved":             cards.Moved(t, "x1"),
		"showing":           cards.Showing(t, events, true, cardstest.Previews, cardstest.Now, "x1"),
		"missing":           kit.NoticeWith(change.TitleRevise, cards.NotFound(s.Words), s.Words, "x1"),
	} {
		shown[name] = v
	}
}

// deskViews adds all of these with say() in every string.
func deskViews(shown map[string]any, say func() string, t store.Tracked) {
	words := []string{say(), say()}
	l := cards.Listing{Total: 12, Page: 1, Channel: say(), Status: say(), Words: words, Newer: say(), Older: say()}
	for range 10 {
		l.Orders = append(l.Orders, t)
	}
	shown["list"] = cards.List(l)
	l.Total = 0
	shown["list none"] = cards.List(l)
	a := cards.AccountListing{Total: 100, Pages: 5, Status: say(), Customer: say(), Keywords: words, Newer: say(), Older: say()}
	for range 20 {
		a.Orders = append(a.Orders, cards.AccountOrder{Order: t.Order, Channel: say()})
	}
	shown["account"] = cards.AccountList(a)
	a.Orders = nil
	shown["account none"] = cards.AccountList(a)
	shown["list problem"] = cards.ListProblem(say(), say())
	shown["pick"], shown["pick none"] = cards.Pick(say(), cardstest.Of("beach", 1).Many(2), say(), say()), cards.Pick(say(), nil, say(), "")
	shown["not found words"], shown["missing"] = kit.SayWith(cards.NotFound(say()), say()), kit.NoticeWith(say(), cards.NotFound(say()), say(), say())
	shown["followed"], shown["already tracked"], shown["unfollowed"] = cards.NowTracked(t), cards.TrackedAlready(t), cards.NowUntracked(t)
	shown["cannot track"], shown["needs id"], shown["operators"] = cards.CannotTrack(say()), cards.NeedsID(say(), say()), cards.OperatorsOnly(say())
	shown["move"], shown["moved"] = cards.Move(t, cards.MoveTo{Channel: say(), Widens: cards.WidensPublic}, say()), cards.Moved(t, say())
	shown["move public"] = cards.Move(t, cards.MoveTo{Channel: "C0PUBLIC", Problem: cards.CannotPost(say(), order.DeniedArchived), Widens: cards.WidensPublic}, say())
	shown["move ask"], shown["move denied"], shown["moved already"] = cards.MoveAsk(t, say(), cards.WidensOut), kit.Say(cards.MoveDenied(t)), kit.Say(cards.MovedAlready(t))
	set := settings.Values{Settings: cardstest.FilledWith[store.Settings](say), Account: &store.Account{Credits: store.Credits(say())}}
	shown["settings"] = settings.Overview{Channel: say(), Now: set}.Window(say())
	shown["settings form"] = settings.Form{Part: settings.Messages, Channel: say(), Root: say()}.Window(set, say())
	shown["showing"] = cards.Showing(t, []order.Event{cardstest.FilledWith[order.Event](say)}, true, cardstest.Previews, cardstest.Now, say())
	h := home.View{Totals: map[home.Section]int{home.Progress: 20, home.Recent: 20}, Orders: l.Orders, Page: 1}
	shown["home"] = home.Tab(h, cardstest.Previews, cardstest.Now)
}

func TestAChoiceKeepsTheReferenceAndFitsAnOption(t *testing.T) {
	for row, s := range cardstest.Scenes() {
		t.Run(row, func(t *testing.T) {
			order := s.Tracked(order.StatusRevising)
			option := cards.Choices([]store.Tracked{order})[0]
			require.LessOrEqual(t, kit.Units(option.Text.Text), 75)
			require.Contains(t, option.Text.Text, "[K7Q2XM] · Changes being made")
			require.Equal(t, cards.Value("1042", 0), option.Value)
		})
	}
}

func TestAPickerTakesWhatSlackTakes(t *testing.T) {
	long := store.Tracked{ID: strings.Repeat("9", 150)}
	require.Empty(t, cards.Choices([]store.Tracked{long}), "a cut value would be another order")
	require.Len(t, cards.Choices(cardstest.Of("beach", 1).Many(101)), 100)
	odd := store.Tracked{ID: "1", Reference: strings.Repeat("&", 90), Known: order.Known{Order: order.Order{Status: order.Status(strings.Repeat("x", 90))}}}
	require.LessOrEqual(t, kit.Units(cards.Choices([]store.Tracked{odd})[0].Text.Text), 75)
}

func TestAConfirmationIsGoodForOneChannel(t *testing.T) {
	view := slack.View{PrivateMetadata: kit.Meta{Order: "7"}.Encode(), State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
		"moveto:0":       {"moveto": {SelectedConversation: "C2"}},
		"widen:C0PUBLIC": {"widen": {SelectedOptions: []slack.OptionBlockObject{{Value: "C0PUBLIC"}}}},
	}}}
	form, problems := cards.DecodeMove(view)
	require.Empty(t, problems)
	require.Equal(t, cards.MoveForm{Order: "7", Channel: "C2"}, form, "the yes was for another channel")
	view.State.Values["moveto:0"]["moveto"] = slack.BlockAction{SelectedConversation: "C0PUBLIC"}
	form, _ = cards.DecodeMove(view)
	require.True(t, form.Confirmed)
	view.State.Values["moveto:0"]["moveto"] = slack.BlockAction{SelectedConversation: "D1"}
	_, problems = cards.DecodeMove(view)
	require.Contains(t, problems["moveto:0"], "direct message")
}

func TestAChannelIsReadOffALine(t *testing.T) {
	for word, want := range map[string]string{"<#C0WEDDINGS|weddings>": "C0WEDDINGS", "<#C0WEDDINGS>": "C0WEDDINGS", "C0WEDDINGS": "C0WEDDINGS", "<#G1|>": "G1"} {
		got, ok := cards.ChannelName(word)
		require.True(t, ok, word)
		require.Equal(t, want, got)
	}
	for _, word := range []string{"#weddings", "weddings", "", "<#D1>", "<@U1>"} {
		_, ok := cards.ChannelName(word)
		require.False(t, ok, word)
	}
}

func TestOrdersOfAListCannotCrowdOutEachOther(t *testing.T) {
	for row, s := range cardstest.Scenes() {
		l := cards.Listing{Orders: s.Many(10), Total: 10, Channel: "C0PHOTOS"}
		rows := slices.DeleteFunc(cards.List(l).Blocks, func(b slack.Block) bool { return b.BlockType() != slack.MBTSection })
		require.Len(t, rows, 11, row)
	}
}

// settingsMet returns an edit that conflicts with the settings that hold now.
func settingsMet() settings.Edit {
	form := cardstest.Answered(map[string]string{"month-limit": ""})
	form.PrivateMetadata = settingsForm(settings.Approval).Window(settings.Values{}, "x1").PrivateMetadata
	form.State.Values[kit.BlockID("approvers", 0, 0)] = map[string]slack.BlockAction{"approvers": {SelectedUsers: []string{"U0BEN"}}}
	return settings.ReadEdit(form, settings.Values{Settings: store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA"}, ApproverGroups: []string{"S0LEADS"}}}})
}

// settingsForm returns the form of a part.
func settingsForm(part settings.Part) settings.Form {
	return settings.Form{Part: part, Channel: "C0PHOTOS", Root: "x0", Groups: []settings.UserGroup{{ID: "S0LEADS", Name: "Photo leads <!channel>", Handle: "photo-leads"}}}
}

// everyRule returns rules of every kind.
func everyRule() order.Requirements {
	return order.Requirements{
		LongEdge: 2000, RatioWide: 3, RatioHigh: 2, Formats: []string{"image/jpeg", "image/webp"}, Profile: order.ProfileAdobeRGB, MaxMB: 20,
		Backdrop: order.BackgroundWhite, Names: true,
	}
}

// settingsAll returns settings that all differ from the defaults.
func settingsAll() settings.Values {
	limits := cardstest.Limits()
	limits.ApproverGroups = []string{"S0GONE"}
	now := settings.Values{Settings: store.Settings{
		Relay: store.RelayReplies, News: store.NewsDirect, Sheets: store.SheetsLater, FinalImages: true, SayLate: true, Unfurl: true, RemindHours: 24,
		Digest: "08:00", Zone: "Europe/Berlin", Quiet: order.QuietHours{From: "20:00", Until: "07:00"}, Decides: limits, Requires: everyRule(),
	}}
	now.Saved.Orders = store.Saver{By: "U0MARIA", At: cardstest.Now}
	now.Saved.Messages = store.Saver{By: order.FormerPerson, At: cardstest.Now}
	return now
}
