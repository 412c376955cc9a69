package cards

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// many are orders in all the states that there are.
func (s scene) many(n int) []store.Tracked {
	states := []order.Status{order.StatusReviewing, order.StatusReviewing, order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusClosed, order.StatusCanceled}
	orders := make([]store.Tracked, n)
	for i := range orders {
		orders[i] = s.tracked(states[i*len(states)/n])
		orders[i].ID = fmt.Sprintf("10%d", i)
	}
	return orders
}

// deskAnswers are what lists, pickers and the verbs of operators say to one person.
func (s scene) deskAnswers(shown map[string]any) {
	t := s.tracked(order.StatusReviewing)
	narrowed := Listing{Channel: "C0PHOTOS", Status: "reviewing", Mine: true, Words: []string{s.words}}
	full := narrowed
	full.Orders, full.Total, full.Page, full.Newer, full.Older = s.many(10), 1000, 4, "3", "5"
	account := AccountListing{Total: 1000, Page: 1, Pages: 50, Status: "all", Customer: s.words, Keywords: []string{s.words}, Newer: "1", Older: "3"}
	for i, o := range s.many(20) {
		row := AccountOrder{Order: o.Order}
		if i == 1 {
			row.Channel = "C0PHOTOS"
		}
		account.Orders = append(account.Orders, row)
	}
	for name, m := range map[string]Message{
		"pick":               Pick("approve", s.many(2), s.words, "words:x1"),
		"pick_none":          Pick("approve", nil, s.words, ""),
		"list_found":         List(Listing{Found: true, Channel: "C0PHOTOS", Words: []string{s.words}, Orders: s.many(3), Total: 3, Links: links, Now: now}),
		"list_found_none":    List(Listing{Found: true, Mine: true, Words: []string{s.words}}),
		"find_what":          FindWhat(),
		"list_none":          List(Listing{Channel: "C0PHOTOS"}),
		"list_none_own":      List(Listing{}),
		"list_none_fits":     List(narrowed),
		"list_one":           List(Listing{Orders: s.many(1), Total: 1}),
		"list_full":          List(full),
		"list_account":       AccountList(account),
		"list_account_none":  AccountList(AccountListing{Keywords: []string{s.words}}),
		"list_problem":       ListProblem(s.words+" is too short", "account "+s.words),
		"show_no_thumbs":     Show(t, nil, true, Thumbs{}, now),
		"not_found_words":    SayWith(NotFound(s.words), s.words),
		"followed":           Followed(t),
		"followed_already":   FollowedAlready(t),
		"cannot_follow":      CannotFollow(s.words),
		"unfollowed":         Unfollowed(t),
		"needs_id":           NeedsID("track", "track 84521"),
		"operators_only":     OperatorsOnly("follow an order made elsewhere"),
		"admins_only":        AdminsOnly(),
		"move_ask":           MoveAsk(t, "C0PUBLIC", WidensPublic),
		"moved_told":         AsMessage(Moved(t, "x1")),
		"move_told":          AsMessage(Move(t, MoveTo{Channel: "C0PUBLIC", Widens: WidensPublic}, "x1")),
		"move_denied":        Say(MoveDenied(t)),
		"move_kept":          Say(MoveKept(t, []string{"U0OLGA", "U0BEN"})),
		"moved_already":      Say(MovedAlready(t)),
		"help_operators":     HelpFor(HelpRow{Verb: "list", Usage: "list", Does: "lists", More: []string{s.words}, Operators: true}),
		"settings_elsewhere": Say(SettingsNeedChannel),
	} {
		shown[name] = m
	}
}

// deskModals are the windows of settings, move and show.
func (s scene) deskModals(shown map[string]any) {
	t := s.tracked(order.StatusReviewing)
	events := []order.Event{s.event("placed", order.StatusEditing), s.event("message", order.StatusEditing)}
	for name, v := range map[string]slack.ModalViewRequest{
		"settings":           Settings("C0PHOTOS", store.Settings{}, nil, "x1"),
		"settings_all":       Settings("C0PHOTOS", store.Settings{Relay: store.RelayReplies}, nil, "x1"),
		"settings_operator":  Settings("C0PHOTOS", store.Settings{}, &store.Account{Credits: store.CreditsOperators}, "x1"),
		"settings_sheets":    Settings("C0PHOTOS", store.Settings{Sheets: store.SheetsLater}, nil, "x1"),
		"settings_met":       settingsMet().Form("x1"),
		"sheets_every":       SettingsSaved("C0PHOTOS", store.Settings{Sheets: store.SheetsEvery}, "x1"),
		"sheets_later":       SettingsSaved("C0PHOTOS", store.Settings{Sheets: store.SheetsLater}, "x1"),
		"settings_approvers": Settings("C0PHOTOS", store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}}}, nil, "x1"),
		"approvers_saved":    SettingsSaved("C0PHOTOS", store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}}}, "x1"),
		"approve_kept":       ApproveDenied(s.tracked(order.StatusReviewing), s.words, NotApprover("C0PHOTOS", []string{"U0OLGA", "U0BEN", "U0TOM"}), "x1"),
		"settings_groups": Settings("C0PHOTOS", store.Settings{Decides: store.Decides{ApproverGroups: []string{"S0GONE"}}}, nil, "x1",
			UserGroup{"S0LEADS", "Photo leads <!channel>", "photo-leads"}),
		"settings_limits": Settings("C0PHOTOS", store.Settings{Decides: limits()}, nil, "x1"),
		"limits_saved":    SettingsSaved("C0PHOTOS", store.Settings{Decides: limits()}, "x1"),
		"held":            Held(s.held(), "x1"),
		"settings_saved":  SettingsSaved("C0PHOTOS", store.Settings{Relay: store.RelayReplies}, "x1"),
		"move":            Move(t, MoveTo{}, "x1"),
		"move_problem":    Move(t, MoveTo{Channel: "C0FULL", Problem: CannotPost("C0FULL", order.DeniedArchived)}, "x1"),
		"move_public":     Move(t, MoveTo{Channel: "C0PUBLIC", Widens: WidensPublic}, "x1"),
		"moving":          Moving("x1"),
		"moving_later":    MoveLater("x1"),
		"moved":           Moved(t, "x1"),
		"showing":         Showing(t, events, true, previews, now, "x1"),
		"missing":         NoticeWith(TitleRevise, NotFound(s.words), s.words, "x1"),
	} {
		shown[name] = v
	}
}

// homes are App Homes from empty to very full.
func (s scene) homes() map[string]any {
	shown := map[string]any{}
	home := func(name string, h Home) { shown[name] = HomeView(h, previews, now) }
	left := decimal.NewNullDecimal(decimal.NewFromInt(88))
	home("empty", Home{Credits: left})
	home("empty_guest", Home{Filter: HomeFilter{All: true}, Why: order.DeniedGuest, Secret: true})
	home("one", Home{Credits: left, Totals: map[HomeSection]int{HomeReview: 1}, Orders: s.many(1)})
	ten := map[HomeSection]int{HomeReview: 3, HomeProgress: 5, HomeRecent: 2}
	home("ten", Home{Credits: left, Totals: ten, Orders: s.many(10)})
	home("ten_guest", Home{Filter: HomeFilter{All: true}, Totals: ten, Orders: s.many(10), Links: links, Why: order.DeniedGuest, Secret: true})
	later := s.rounds(2)
	t := s.tracked(order.StatusReviewing)
	t.Order, t.CardTS = later[2].Order, "1700000000.000100"
	second := Home{
		Credits: left, Totals: map[HomeSection]int{HomeReview: 2}, Links: links, Courses: map[string]Course{t.ID: CourseNow(later)},
		Orders: []store.Tracked{t, s.waiting()},
	}
	home("second_round", second)
	shown["second_round_plain"] = HomeView(second, Thumbs{Show: true, Plain: true}, now)
	shown["second_round_no_pictures"] = HomeView(second, Thumbs{}, now)
	home("thousand", Home{
		Filter: HomeFilter{All: true}, Totals: map[HomeSection]int{HomeReview: 400, HomeProgress: 400, HomeRecent: 200},
		Orders: s.many(10), Page: 39,
	})
	home("narrowed", Home{Credits: left, Filter: HomeFilter{Section: HomeRecent}})
	return shown
}

func TestHome(t *testing.T) { golden(t, scene.homes) }

// deskViews puts say() into all of these.
func deskViews(shown map[string]any, say func() string, t store.Tracked) {
	words := []string{say(), say()}
	l := Listing{Total: 12, Page: 1, Channel: say(), Status: say(), Words: words, Newer: say(), Older: say()}
	for range 10 {
		l.Orders = append(l.Orders, t)
	}
	shown["list"] = List(l)
	l.Total = 0
	shown["list none"] = List(l)
	a := AccountListing{Total: 100, Pages: 5, Status: say(), Customer: say(), Keywords: words, Newer: say(), Older: say()}
	for range 20 {
		a.Orders = append(a.Orders, AccountOrder{Order: t.Order, Channel: say()})
	}
	shown["account"] = AccountList(a)
	a.Orders = nil
	shown["account none"] = AccountList(a)
	shown["list problem"] = ListProblem(say(), say())
	shown["pick"], shown["pick none"] = Pick(say(), scene{"beach", 1}.many(2), say(), say()), Pick(say(), nil, say(), "")
	shown["not found words"], shown["missing"] = SayWith(NotFound(say()), say()), NoticeWith(say(), NotFound(say()), say(), say())
	shown["followed"], shown["followed already"], shown["unfollowed"] = Followed(t), FollowedAlready(t), Unfollowed(t)
	shown["cannot follow"], shown["needs id"], shown["operators"] = CannotFollow(say()), NeedsID(say(), say()), OperatorsOnly(say())
	shown["move"], shown["moved"] = Move(t, MoveTo{Channel: say(), Widens: WidensPublic}, say()), Moved(t, say())
	shown["move public"] = Move(t, MoveTo{Channel: "C0PUBLIC", Problem: CannotPost(say(), order.DeniedArchived), Widens: WidensPublic}, say())
	shown["move ask"], shown["move denied"], shown["moved already"] = MoveAsk(t, say(), WidensOut), Say(MoveDenied(t)), Say(MovedAlready(t))
	shown["settings"] = Settings(say(), store.Settings{Relay: store.Relay(say())}, &store.Account{}, say())
	shown["settings saved"] = SettingsSaved(say(), store.Settings{}, say())
	shown["showing"] = Showing(t, []order.Event{filledWith[order.Event](say)}, true, previews, now, say())
	h := Home{Totals: map[HomeSection]int{HomeProgress: 20, HomeRecent: 20}, Orders: l.Orders, Page: 1}
	shown["home"] = HomeView(h, previews, now)
}

func TestAnOrderStandsInOneSectionOfTheHome(t *testing.T) {
	gone := store.Tracked{Known: order.Known{Gone: true, Order: order.Order{Status: order.StatusReviewing}}}
	require.Equal(t, HomeRecent, SectionOf(gone))
	for status, want := range map[order.Status]HomeSection{
		order.StatusReviewing: HomeReview, order.StatusEditing: HomeProgress, order.StatusRevising: HomeProgress,
		order.StatusPaused: HomeProgress, "archiving": HomeProgress, order.StatusClosed: HomeRecent, order.StatusCanceled: HomeRecent,
	} {
		require.Equal(t, want, SectionOf(store.Tracked{Known: order.Known{Order: order.Order{Status: status}}}), status)
	}
}

func TestAGuestsHomeHasNothingToChangeAnOrderWith(t *testing.T) {
	h := Home{Totals: map[HomeSection]int{HomeReview: 10}, Orders: scene{"beach", 1}.many(10), Filter: HomeFilter{All: true}, Why: order.DeniedGuest}
	text := pretty(t, HomeView(h, previews, now))
	for _, action := range []string{ActionApprove, ActionRevise, ActionMessage, ActionCancel, ActionHomeNew} {
		require.NotContains(t, text, `"`+action+`"`)
	}
	require.Contains(t, text, ActionShow)
	h.Why = ""
	require.Contains(t, pretty(t, HomeView(h, previews, now)), ActionApprove)
}

func TestTheHomesFilterComesBack(t *testing.T) {
	for _, f := range homeFilters() {
		back, ok := ParseHomeFilter(f.value())
		require.True(t, ok)
		require.Equal(t, f, back)
	}
	_, ok := ParseHomeFilter("true:everything")
	require.False(t, ok)
}

func TestAChoiceKeepsTheReferenceAndFitsAnOption(t *testing.T) {
	for row, s := range scenes() {
		t.Run(row, func(t *testing.T) {
			order := s.tracked(order.StatusRevising)
			option := Choices([]store.Tracked{order})[0]
			require.LessOrEqual(t, units(option.Text.Text), 75)
			require.Contains(t, option.Text.Text, "[K7Q2XM] · Changes being made")
			require.Equal(t, Value("1042", 0), option.Value)
		})
	}
}

func TestAPickerTakesWhatSlackTakes(t *testing.T) {
	long := store.Tracked{ID: strings.Repeat("9", 150)}
	require.Empty(t, Choices([]store.Tracked{long}), "a cut value would be another order")
	require.Len(t, Choices(scene{"beach", 1}.many(101)), 100)
	odd := store.Tracked{ID: "1", Reference: strings.Repeat("&", 90), Known: order.Known{Order: order.Order{Status: order.Status(strings.Repeat("x", 90))}}}
	require.LessOrEqual(t, units(Choices([]store.Tracked{odd})[0].Text.Text), 75)
}

func TestAConfirmationIsGoodForOneChannel(t *testing.T) {
	view := slack.View{PrivateMetadata: Meta{Order: "7"}.encode(), State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
		"moveto:0":       {"moveto": {SelectedConversation: "C2"}},
		"widen:C0PUBLIC": {"widen": {SelectedOptions: []slack.OptionBlockObject{{Value: "C0PUBLIC"}}}},
	}}}
	form, problems := DecodeMove(view)
	require.Empty(t, problems)
	require.Equal(t, MoveForm{Order: "7", Channel: "C2"}, form, "the yes was for another channel")
	view.State.Values["moveto:0"]["moveto"] = slack.BlockAction{SelectedConversation: "C0PUBLIC"}
	form, _ = DecodeMove(view)
	require.True(t, form.Confirmed)
	view.State.Values["moveto:0"]["moveto"] = slack.BlockAction{SelectedConversation: "D1"}
	_, problems = DecodeMove(view)
	require.Contains(t, problems["moveto:0"], "direct message")
}

func TestAChannelIsReadOffALine(t *testing.T) {
	for word, want := range map[string]string{"<#C0WEDDINGS|weddings>": "C0WEDDINGS", "<#C0WEDDINGS>": "C0WEDDINGS", "C0WEDDINGS": "C0WEDDINGS", "<#G1|>": "G1"} {
		got, ok := ChannelName(word)
		require.True(t, ok, word)
		require.Equal(t, want, got)
	}
	for _, word := range []string{"#weddings", "weddings", "", "<#D1>", "<@U1>"} {
		_, ok := ChannelName(word)
		require.False(t, ok, word)
	}
}

func TestOrdersOfAListCannotCrowdOutEachOther(t *testing.T) {
	for row, s := range scenes() {
		l := Listing{Orders: s.many(10), Total: 10, Channel: "C0PHOTOS"}
		rows := slices.DeleteFunc(List(l).Blocks, func(b slack.Block) bool { return b.BlockType() != slack.MBTSection })
		require.Len(t, rows, 11, row)
	}
}
