package cards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

var now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// scene is one row of the golden files: what people wrote, and how much.
type scene struct {
	words  string
	images int
}

func scenes() map[string]scene {
	return map[string]scene{
		"plain":             {"Smith wedding", 3},
		"markup":            {"<!channel> *&* _so_ :tada:", 3},
		"long_title":        {strings.Repeat("Weddings & more ", 19)[:300], 3},
		"many_images":       {"Smith wedding", 50},
		"right_to_left":     {"חתונה של סמית 🎉 عرس", 3},
		"one_image":         {"Smith wedding", 1},
		"twelve_images":     {"Smith wedding", 12},
		"eighty_characters": {strings.Repeat("Summer catalogue, beach ", 4)[:80], 3},
	}
}

func (s scene) edited(revision int) []order.EditedImage {
	images := make([]order.EditedImage, s.images)
	for i := range images {
		images[i] = order.EditedImage{
			ID: fmt.Sprintf("sh38nsk%d", i+1), Name: fmt.Sprintf("%s %d.jpg", s.words, i+1),
			Width: 4000, Height: 3000, Size: "3.2MB", Revision: revision, UploadedAt: now.Add(-time.Hour),
			Thumb:  fmt.Sprintf("https://photos.example.com/thumbs/sh38nsk%d.jpg?a=1&b=2", i+1),
			Origin: fmt.Sprintf("https://photos.example.com/full/8f742231b10e8888abcd99/sh38nsk%d.jpg?a=1&b=2", i+1),
		}
	}
	return images
}

func (s scene) order(status order.Status) order.Order {
	revision := 0
	o := order.Order{
		ID: "1042", ProjectName: s.words + " [K7Q2XM]", CustomerID: "77",
		Price: decimal.NewNullDecimal(decimal.RequireFromString("12.5")), Status: status,
		OrderedAt: now.Add(-5 * time.Minute), EstimatedDelivery: now.Add(24 * time.Hour),
	}
	switch status {
	case order.StatusReviewing:
		revision, o.EditedImages, o.RevisionRequestedAt = 1, s.edited(1), now.Add(-2*time.Minute)
	case order.StatusClosed:
		revision, o.ClosedAt = 1, now
	case order.StatusCanceled:
		o.CanceledAt = now
	}
	o.Revision = &revision
	return o
}

func (s scene) tracked(status order.Status) store.Tracked {
	b := s.brief()
	return store.Tracked{
		ID: "1042", Reference: "K7Q2XM", Images: b.Edited(), References: len(b.References()), Brief: &b,
		Known: order.Known{Order: s.order(status)},
		Owner: store.Owner{Team: "T1", Channel: "C0PHOTOS", Requester: "U0MARIA", Generation: 2},
	}
}

// brief has words of its own for every other image, and a reference.
func (s scene) brief() order.Brief {
	b := order.Brief{By: "U0MARIA", Instructions: []string{s.words, "Warmer light"}, Service: order.ServiceBasic, CustomerID: "77"}
	for i := range s.images {
		source := order.Source{Name: fmt.Sprintf("%s %d.jpg", s.words, i+1)}
		if i%2 == 1 {
			source.Service, source.Instruction = order.ServiceExtensive, s.words
		}
		b.Sources = append(b.Sources, source)
	}
	b.Sources = append(b.Sources, order.Source{Name: s.words + ".png", URL: "https://example.com/mood.png", Service: order.ServiceReference, Instruction: s.words})
	return b
}

func (s scene) event(kind order.EventKind, status order.Status) order.Event {
	e := order.Event{Seq: 3, ID: string(kind) + ":x", Kind: kind, Actor: "U0PETER", Order: s.order(status), At: now}
	switch kind {
	case "placed":
		e.Credits = decimal.NewNullDecimal(decimal.NewFromInt(88))
	case "changes":
		e.PerImage = map[string][]string{"sh38nsk1": {s.words, "Brighter"}, "unknown": {s.words}}
		e.Words = []string{s.words}
	case "approved", "canceled", "message", "editor", "references":
		e.Words = []string{s.words, "Thank you"}
	}
	return e
}

// late is what the editor wrote a round ago.
func (s scene) late() order.Event {
	e := s.event("editor", order.StatusReviewing)
	e.Order.Revision, e.Revision = new(2), new(1)
	return e
}

// departed is the order of somebody who is no longer here.
func (s scene) departed(status order.Status) store.Tracked {
	t := s.tracked(status)
	t.Owner.Departed = s.words
	return t
}

func (s scene) draft() store.Draft {
	return store.Draft{
		ID: "d1", Channel: "C0PHOTOS", Service: order.ServiceExtensive, Attempt: 1, Reference: "K7Q2XM",
		URLs: s.urls(), Instructions: []string{s.words, "Warmer light"}, ProjectName: clip(s.words, maxProjectName), CustomerID: "77",
	}
}

func (s scene) urls() []string {
	urls := make([]string, s.images)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://photos.example.com/originals/2026/november/the-smith-wedding/IMG_%04d.jpg", i+1)
	}
	return urls
}

func (s scene) problems() Problems {
	return Problems{"insufficient balance: 2 credits", "one file is not accessible from our server: " + s.urls()[0], s.words}
}

// channel is everything that is posted for all to see.
func (s scene) channel() map[string]any {
	shown := map[string]any{
		"card_unknown_status": Card(s.tracked("archiving"), links, now),
		"ready_no_thumbs":     Reply(s.tracked(order.StatusReviewing), s.event("ready", order.StatusReviewing), true, Thumbs{}),
		"ready_superseded":    Reply(s.tracked(order.StatusReviewing), s.event("ready", order.StatusReviewing), false, previews),
		"unnamed":             Reply(s.tracked(order.StatusEditing), s.event("sparkled", order.StatusEditing), true, previews),
		"card_waits":          Card(s.waiting(), links, now),
		"card_review":         Card(s.reviewed(), links, now),
		"card_left":           Left(s.tracked(order.StatusEditing)),
		"card_superseded":     Superseded(s.tracked(order.StatusEditing)),
		"late":                Late(s.tracked(order.StatusEditing), now),
		"ready_copies":        Reply(s.tracked(order.StatusReviewing), s.event("ready", order.StatusReviewing), true, s.copies()),
		"ready_download":      Reply(s.tracked(order.StatusReviewing), s.event("ready", order.StatusReviewing), true, downloads),
		"approved_download":   Reply(s.tracked(order.StatusClosed), s.event("approved", order.StatusClosed), true, downloads),
		"trouble":             Trouble(s.tracked(order.StatusReviewing), order.DeniedArchived),
		"adrift":              Adrift(s.departed(order.StatusReviewing), order.DeniedArchived),
		"taken_over":          TakenOver(s.tracked(order.StatusReviewing), true),
		"owned":               Owned(s.tracked(order.StatusReviewing), "U0BEN"),
		"ready_departed":      Reply(s.departed(order.StatusReviewing), s.event("ready", order.StatusReviewing), true, previews),
		"paused_departed":     Reply(s.departed(order.StatusPaused), s.event("paused", order.StatusPaused), true, previews),
		"editor_late":         Reply(s.tracked(order.StatusReviewing), s.late(), false, previews),
		"editor_departed":     Reply(s.departed(order.StatusEditing), s.event("editor", order.StatusEditing), false, previews),
	}
	for _, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
		shown["card_"+string(status)] = Card(s.tracked(status), links, now)
	}
	shown["paused_over"] = Reply(s.tracked(order.StatusEditing), s.event("paused", order.StatusPaused), false, previews)
	shown["resumed_review"] = Reply(s.tracked(order.StatusReviewing), s.event("resumed", order.StatusReviewing), false, previews)
	gone := s.tracked(order.StatusReviewing)
	gone.Gone = true
	shown["card_gone"] = Card(gone, links, now)
	paused := s.tracked(order.StatusPaused)
	paused.Gone = true
	shown["paused_gone"] = Reply(paused, s.event("paused", order.StatusPaused), false, previews)
	paused.Untracked = true
	shown["paused_left"] = Reply(paused, s.event("paused", order.StatusPaused), false, previews)
	for kind, status := range kinds() {
		shown[string(kind)] = Reply(s.tracked(status), s.event(kind, status), true, previews)
	}
	here := s.tracked(order.StatusEditing)
	here.Owner.Generation = 1
	shown["placed"], shown["placed_moved"] = Reply(here, s.event("placed", order.StatusEditing), true, previews), shown["placed"]
	above := s.event("message", order.StatusEditing)
	above.Said = &order.Said{Channel: here.Owner.Channel, TS: "1.2", Thread: "1.1"}
	here.CardTS = "1.1"
	shown["message_above"], shown["message_answered"] = Reply(here, above, true, previews), Reply(here, s.event("message", order.StatusEditing), false, previews)
	here.Brief = nil
	shown["placed_unknown"] = Reply(here, s.event("placed", order.StatusEditing), true, previews)
	s.nudges(shown)
	s.unfurled(shown)
	elsewhere := s.event("approved", order.StatusClosed)
	elsewhere.Actor, elsewhere.Words = "", nil
	shown["approved_elsewhere"] = Reply(s.tracked(order.StatusClosed), elsewhere, true, previews)
	return shown
}

// links are those to messages of this workspace.
const links = Links("https://acme.slack.com/")

// reviewed is an order in review, whose review has the buttons.
func (s scene) reviewed() store.Tracked {
	t := s.tracked(order.StatusReviewing)
	t.CardTS, t.Thread = "1795166700.000100", []store.Posted{{Event: 2, ID: "ready:r1", TS: "1795166800.000200", Buttons: true}}
	return t
}

// waiting is an order in review while more waits for the service than is named.
func (s scene) waiting() store.Tracked {
	t := s.reviewed()
	message := store.Wait{Verb: "message", Actor: "U0PETER"}
	t.Waits = []store.Wait{{Verb: "approve", Actor: "U0MARIA"}, message, message, {Verb: "reference", Actor: "U0PETER"}, {Verb: "cancel"}}
	t.WaitsUntil = now.Add(time.Minute)
	return t
}

// previews shows each image from the service's own address.
var previews = Thumbs{Show: true}

// downloads are previews with the ZIP of all, whose address is as long as ours are.
var downloads = Thumbs{Show: true, ZIP: func(t store.Tracked) string {
	return "https://darkroom.example/files/zip/" + strings.Repeat("t", 100) + "/" + url.PathEscape(ZIPName(t)) + ".zip"
}}

// copies are those of every other preview: the rest could not be copied.
func (s scene) copies() Thumbs {
	copies := Copies{}
	for i, image := range s.edited(0) {
		if i%2 == 0 {
			copies[image.Thumb] = "F0" + strconv.Itoa(i)
		}
	}
	return Thumbs{Show: true, Copies: copies}
}

func kinds() map[order.EventKind]order.Status {
	return map[order.EventKind]order.Status{
		"placed": order.StatusEditing, "ready": order.StatusReviewing, "changes": order.StatusRevising, "approved": order.StatusClosed,
		"canceled": order.StatusCanceled, "paused": order.StatusPaused, "resumed": order.StatusEditing, "message": order.StatusEditing,
		"editor": order.StatusEditing, "references": order.StatusEditing, "moved": order.StatusEditing, "taken": order.StatusEditing, "tracked": order.StatusEditing,
		"untracked": order.StatusEditing, "gone": order.StatusEditing, "back": order.StatusEditing,
	}
}

// unpostable is a draft whose channel could not take it.
func unpostable(d store.Draft) store.Draft {
	d.Unpostable = string(order.DeniedNotInChannel)
	return d
}

// unheardOf is the order after somebody has written to its editor.
func unheardOf(t store.Tracked) store.Tracked {
	t.Order.Conversation = []order.Entry{{From: "service", Content: "Hello"}, {From: "client", Content: "Softer, please", CreatedAt: now}}
	return t
}

// modals is every view.
func (s scene) modals() map[string]any {
	d, t := s.draft(), s.tracked(order.StatusReviewing)
	shown := map[string]any{
		"loading":           Loading(TitleNew, "x1"),
		"notice":            Notice(TitleApprove, NotFound(s.words), "x1"),
		"new_empty":         NewOrder(store.Draft{ID: "d1"}, Around{}, "x1"),
		"new_filled":        NewOrder(d, Around{Balance: "88"}, "x1"),
		"new_refused":       NewOrder(d, Around{Problems: s.problems(), Balance: "88"}, "x1"),
		"new_unpostable":    NewOrder(unpostable(d), Around{Balance: "88"}, "x1"),
		"placing":           Placing(d, "x1"),
		"placing_later":     PlacingLater(d, "x1"),
		"placed":            Placed(s.tracked(order.StatusEditing), decimal.NewNullDecimal(decimal.NewFromInt(88)), "x1"),
		"unsettled":         Unsettled(d, "x1"),
		"not_placed":        NotPlaced(d, "x1"),
		"nobody_knows":      NotPlaced(nobodyKnows(d), "x1"),
		"discarded":         Discarded(d, "x1"),
		"approve":           Approve(t, Course{}, "", previews, "x1"),
		"approve_no_thumbs": Approve(t, Course{}, s.words, Thumbs{}, "x1"),
		"approve_stale":     ApproveStale(t, Course{}, 0, s.words, previews, "x1"),
		"approve_refused":   ApproveRefused(t, Course{}, s.words, s.problems(), previews, "x1"),
		"approve_unheard":   Approve(unheardOf(t), Course{}, "", previews, "x1"),
		"approve_denied":    ApproveDenied(s.tracked(order.StatusEditing), s.words, CannotApprove(s.tracked(order.StatusEditing)), "x1"),
		"approve_unsettled": ApproveUnsettled(t, s.words, "x1"),
		"approve_later":     ApproveLater(t, "x1"),
		"approving":         Approving(t, "x1"),
		"approve_several":   SelectApprovals(Selection{Orders: s.many(3), Total: 12}, previews, "x1"),
		"approve_one_new":   SelectApprovals(Selection{Orders: []store.Tracked{t}, Total: 1, Courses: map[string]Course{t.ID: {}}}, previews, "x1"),
		"approve_none":      SelectApprovals(Selection{}, previews, "x1"),
		"approved_several": SelectedStand(map[string]SelectedOutcome{
			"a": OutcomeOf(t, ApprovalDone, nil, ""), "b": OutcomeOf(t, ApprovalStale, nil, ""), "c": OutcomeOf(t, ApprovalRefused, Problems{s.words}, ""),
			"d": OutcomeOf(t, ApprovalDenied, nil, CannotApprove(s.tracked(order.StatusEditing))), "e": OutcomeOf(t, ApprovalWaits, nil, ""), "f": OutcomeOf(t, ApprovalUnknown, nil, ""),
			"g": OutcomeOf(store.Tracked{}, ApprovalDenied, nil, NotFound(s.words)),
		}, 8, "x1"),
		"approved": Approved(s.tracked(order.StatusClosed), "x1"),
	}
	s.deskModals(shown)
	s.changeModals(shown)
	return shown
}

// answers is everything said to one person.
func (s scene) answers() map[string]any {
	t := s.tracked(order.StatusReviewing)
	events := []order.Event{s.event("placed", order.StatusEditing), s.event("message", order.StatusEditing), s.event("ready", order.StatusReviewing)}
	rows := []HelpRow{
		{Verb: "new", Usage: "new [urls…]", Does: "opens the order form", Example: "new https://example.com/a.jpg"},
		{Verb: "approve", Usage: "approve ID", Does: "accepts the images and closes the order", Example: "approve K7Q2XM"},
	}
	shown := map[string]any{
		"show":         Show(t, events, true, previews, now),
		"show_zip":     Show(t, events, true, downloads, now),
		"balance":      Balance(decimal.RequireFromString("88.50")),
		"help":         Help(rows),
		"help_verb":    HelpFor(rows[1]),
		"suggest":      Suggest(s.words, "approve", s.words),
		"suggest_none": Suggest(s.words, "", ""),
		"kept":         Kept(s.draft(), s.problems()),
		"told_refused": AsMessage(NewOrder(s.draft(), Around{Problems: s.problems(), Balance: "88"}, "x1")),
		"told_lost":    AsMessage(NotPlaced(s.draft(), "x1")),
		"told_stale":   AsMessage(ApproveStale(t, Course{}, 0, s.words, previews, "x1")),
		"say":          Say(Sentence(&order.Error{Op: "approve", Messages: []string{s.words}}, "K3F9")),
		"asked":        Asked(t, false),
		"asked_wrote":  Asked(t, true),
		"say_unknown":  Say(Sentence(errors.New("boom"), "K3F9")),
	}
	s.deskAnswers(shown)
	s.changeAnswers(shown)
	return shown
}

// nobodyKnows is a draft whose order may be there though it was not found.
func nobodyKnows(d store.Draft) store.Draft {
	d.SentAt = now
	d.Search = store.Search{Readings: wholeSearch, Unproven: true, Cost: decimal.NewNullDecimal(decimal.NewFromInt(3))}
	return d
}

func TestTheChannelSees(t *testing.T) { golden(t, scene.channel) }
func TestModals(t *testing.T)         { golden(t, scene.modals) }
func TestPrivateAnswers(t *testing.T) { golden(t, scene.answers) }

// again are the names that show a builder once more: in another state, with other words, or the
// same in every scene. Of them, too, markup and many images are kept; the other scenes are not.
var again = map[string]string{
	"TestConnecting": `connected connecting form form_change home_admin home_admin_kept home_connected_admin home_connected_member home_member
		home_member_installed disconnect disconnect_data disconnecting disconnected disconnected_copied disconnected_forgets workspace_forgotten not_connected_admin not_connected_member waits_admin waits_member`,
	"TestTheChannelSees": `card_canceled card_closed card_gone card_review card_waits card_paused card_reviewing card_revising
		card_unknown_status placed_moved placed_unknown ready_copies
		ready_no_thumbs ready_superseded ready_download card_superseded approved_elsewhere canceled message paused_over paused_gone paused_left reminder_over reminder_paused reminder_unknown resumed_review message_above message_answered references moved tracked untracked`,
	"TestModals": `approve_later approve_no_thumbs approve_unheard approve_words approved cancel_denied cancel_late cancel_later
		cancel_refused cancel_unsettled cancel_words canceled canceling discarded move_problem move_public moved moving moving_later
		placing_later revise_later revise_stale revised revising unsettled new_empty new_refused new_unpostable revise_closed revise_all_chosen revise_no_thumbs
		revise_refused revise_rival_long revise_same settings settings_all settings_operator settings_saved settings_approvers approvers_saved settings_limits limits_saved held showing`,
	"TestOrderForms": `empty images_last left no_public_url refused unfinished unsure`,
	"TestPrivateAnswers": `asked asked_wrote balance help help_verb list_account_none list_none list_none_fits list_none_own
		list_one followed_already kept_revise_refused move_denied move_kept moved_already move_told unfollowed moved_told needs_id operators_only pick_none say_unknown settings_elsewhere
		show_no_thumbs show_zip suggest_none told_cancel_late told_cancel_refused told_lost told_revise_rival told_stale`,
	"TestReviews": `first_copies first_download canceled_download first_links first_missing one_new_plain another_new all_new_links all_new_mixed none_new approved_away canceled
		superseded left`,
	"TestVerdicts": `approve_all card_all review_all review_later saved revise_late`,
	"TestHome":     `empty empty_guest narrowed one ten_guest`,
	"TestHolds":    `hides hides_account credits batch ended allowed_placed allowed_refused allowed_batch told_ended told_batch told_not_placed told_changed_batch told_over account ops_limit told_operators allowed declined anew order spender told_declined told_changed told_gone told_allowed told_anew told_no told_kept`,
	"TestConversing": `adding correction had later sent told_refused wordless correction_old deleted duplicate form_filled gone guest hint kept_unanswered offer_old offer_wordless
		private references_any references_known told_later told_sent`,
}

// sized are the screens that look otherwise with another number of images, or names as long as most
// services allow: these rows have files of them alone.
var sized = map[string]string{
	"TestTheChannelSees": `card_editing card_reviewing card_review card_closed placed ready changes approved`,
	"TestReviews":        `first one_new another_new all_new approve_later revise_later approved`,
	"TestModals":         `approve revise revise_all_chosen new_filled`,
	"TestOrderForms":     `photos images`,
	"TestPrivateAnswers": `show`,
	"TestVerdicts":       `revise_some review_all saved`,
	"TestHome":           `one second_round`,
	"TestConversing":     `references_each`,
}

// keeps says whether a test has a file of what is shown under a name in a scene.
func keeps(test, row, name string) bool {
	if slices.Contains([]string{"one_image", "twelve_images", "eighty_characters"}, row) {
		return slices.Contains(strings.Fields(sized[test]), name)
	}
	return row == "markup" || row == "many_images" || !slices.Contains(strings.Fields(again[test]), name)
}

// golden compares everything shown in every scene with the files of the test,
// which UPDATE_GOLDEN=1 writes anew.
func golden(t *testing.T, shown func(scene) map[string]any) {
	t.Helper()
	test := t.Name()
	root := filepath.Join("testdata", test)
	update := os.Getenv("UPDATE_GOLDEN") != ""
	if update {
		require.NoError(t, os.RemoveAll(root))
	}
	for row, s := range scenes() {
		for name, v := range shown(s) {
			t.Run(row+"/"+name, func(t *testing.T) {
				checkLimits(t, v)
				if !keeps(test, row, name) {
					return
				}
				compare(t, filepath.Join(root, row, name+".json"), pretty(t, v), update)
			})
		}
	}
}

func compare(t *testing.T, file, got string, update bool) {
	t.Helper()
	if update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "UPDATE_GOLDEN=1 writes it")
	require.Equal(t, string(want), got)
}

func pretty(t *testing.T, v any) string {
	t.Helper()
	if view, ok := v.(slack.ModalViewRequest); ok {
		v = withShortMenus(view)
	} else {
		v = payload(t, v)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(v))
	return out.String()
}

// withShortMenus leaves of the menus of all hours and of all time zones their first and their last option, and the one that is chosen.
func withShortMenus(view slack.ModalViewRequest) slack.ModalViewRequest {
	view.Blocks.BlockSet = slices.Clone(view.Blocks.BlockSet)
	for i, block := range view.Blocks.BlockSet {
		input, is := block.(*slack.InputBlock)
		if !is {
			continue
		}
		if field, _, _ := strings.Cut(input.BlockID, ":"); !slices.Contains([]string{fieldDigest, fieldQuietFrom, fieldQuietUntil, fieldZone}, field) {
			continue
		}
		menu := *input.Element.(*slack.SelectBlockElement)
		last := len(menu.Options) - 1
		menu.Options = slices.DeleteFunc(slices.Clone(menu.Options), func(o *slack.OptionBlockObject) bool {
			return o != menu.Options[0] && o != menu.Options[last] && o.Value != menu.InitialOption.Value
		})
		short := *input
		short.Element, view.Blocks.BlockSet[i] = &menu, &short
	}
	return view
}

func TestNoGoldenFileIsLeftBehind(t *testing.T) {
	for name, shown := range map[string]func(scene) map[string]any{
		"TestTheChannelSees": scene.channel, "TestModals": scene.modals, "TestOrderForms": scene.orderForms, "TestPrivateAnswers": scene.answers, "TestHome": scene.homes,
		"TestConversing": scene.conversing, "TestReviews": scene.reviews, "TestVerdicts": scene.verdicts,
	} {
		files, err := filepath.Glob(filepath.Join("testdata", name, "*", "*.json"))
		require.NoError(t, err)
		var kept []string
		for row, s := range scenes() {
			for one := range shown(s) {
				if keeps(name, row, one) {
					kept = append(kept, filepath.Join("testdata", name, row, one+".json"))
				}
			}
		}
		slices.Sort(kept)
		slices.Sort(files)
		require.Equal(t, kept, files)
		plain := shown(scenes()["plain"])
		for one := range strings.FieldsSeq(again[name]) {
			require.Contains(t, plain, one, "nothing is shown under this name")
		}
	}
}
