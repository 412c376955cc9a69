package cards_test

import (
	"errors"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
)

// channel returns everything posted to a channel.
func channel(s cardstest.Scene) map[string]any {
	s = s.InChannel()
	shown := map[string]any{
		"card_unknown_status": cards.Card(s.Tracked("archiving"), cardstest.Links, cardstest.Now),
		"ready_no_thumbs":     cards.Reply(s.Tracked(order.StatusReviewing), s.Event("ready", order.StatusReviewing), true, cards.Thumbs{}),
		"ready_superseded":    cards.Reply(s.Tracked(order.StatusReviewing), s.Event("ready", order.StatusReviewing), false, cardstest.Previews),
		"unnamed":             cards.Reply(s.Tracked(order.StatusEditing), s.Event("sparkled", order.StatusEditing), true, cardstest.Previews),
		"card_waits":          cards.Card(s.Waiting(), cardstest.Links, cardstest.Now),
		"card_review":         cards.Card(s.Reviewed(), cardstest.Links, cardstest.Now),
		"card_left":           cards.FormerChannelCard(s.Tracked(order.StatusEditing)),
		"card_superseded":     cards.Superseded(s.Tracked(order.StatusEditing)),
		"late":                place.PlacedAfterAll(s.Tracked(order.StatusEditing), cardstest.Now),
		"ready_copies":        cards.Reply(s.Tracked(order.StatusReviewing), s.Event("ready", order.StatusReviewing), true, s.Copies()),
		"ready_download":      cards.Reply(s.Tracked(order.StatusReviewing), s.Event("ready", order.StatusReviewing), true, cardstest.Downloads),
		"approved_download":   cards.Reply(s.Tracked(order.StatusClosed), s.Event("approved", order.StatusClosed), true, cardstest.Downloads),
		"trouble":             cards.ChannelUnreachable(s.Tracked(order.StatusReviewing), order.DeniedArchived),
		"adrift":              cards.Unreachable(s.Deactivated(order.StatusReviewing), order.DeniedArchived),
		"taken_over":          cards.TakenOver(s.Tracked(order.StatusReviewing), true),
		"owned":               cards.AlreadyOwned(s.Tracked(order.StatusReviewing), "U0BEN"),
		"ready_departed":      cards.Reply(s.Deactivated(order.StatusReviewing), s.Event("ready", order.StatusReviewing), true, cardstest.Previews),
		"paused_departed":     cards.Reply(s.Deactivated(order.StatusPaused), s.Event("paused", order.StatusPaused), true, cardstest.Previews),
		"editor_late":         cards.Reply(s.Tracked(order.StatusReviewing), s.Late(), false, cardstest.Previews),
		"editor_departed":     cards.Reply(s.Deactivated(order.StatusEditing), s.Event("editor", order.StatusEditing), false, cardstest.Previews),
	}
	for _, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
		shown["card_"+string(status)] = cards.Card(s.Tracked(status), cardstest.Links, cardstest.Now)
	}
	shown["paused_over"] = cards.Reply(s.Tracked(order.StatusEditing), s.Event("paused", order.StatusPaused), false, cardstest.Previews)
	shown["resumed_review"] = cards.Reply(s.Tracked(order.StatusReviewing), s.Event("resumed", order.StatusReviewing), false, cardstest.Previews)
	open := s.Tracked(order.StatusEditing)
	open.Relayed = true
	shown["card_relayed"] = cards.Card(open, cardstest.Links, cardstest.Now)
	called := s.Event("editor", order.StatusEditing)
	called.Called = true
	shown["editor_again"] = cards.Reply(s.Tracked(order.StatusEditing), called, false, cardstest.Previews)
	gone := s.Tracked(order.StatusReviewing)
	gone.Gone = true
	shown["card_gone"] = cards.Card(gone, cardstest.Links, cardstest.Now)
	paused := s.Tracked(order.StatusPaused)
	paused.Gone = true
	shown["paused_gone"] = cards.Reply(paused, s.Event("paused", order.StatusPaused), false, cardstest.Previews)
	paused.Untracked = true
	shown["paused_left"] = cards.Reply(paused, s.Event("paused", order.StatusPaused), false, cardstest.Previews)
	for kind, status := range cardstest.Kinds() {
		shown[string(kind)] = cards.Reply(s.Tracked(status), s.Event(kind, status), true, cardstest.Previews)
	}
	here := s.Tracked(order.StatusEditing)
	here.Owner.Generation = 1
	shown["placed"], shown["placed_moved"] = cards.Reply(here, s.Event("placed", order.StatusEditing), true, cardstest.Previews), shown["placed"]
	above := s.Event("message", order.StatusEditing)
	above.Message = &order.SlackMessage{Channel: here.Owner.Channel, TS: "1.2", Thread: "1.1"}
	here.CardTS = "1.1"
	shown["message_above"], shown["message_answered"] = cards.Reply(here, above, true, cardstest.Previews), cards.Reply(here, s.Event("message", order.StatusEditing), false, cardstest.Previews)
	here.Brief = nil
	shown["placed_unknown"] = cards.Reply(here, s.Event("placed", order.StatusEditing), true, cardstest.Previews)
	nudges(s, shown)
	unfurled(s, shown)
	elsewhere := s.Event("approved", order.StatusClosed)
	elsewhere.Actor, elsewhere.Words = "", nil
	shown["approved_elsewhere"] = cards.Reply(s.Tracked(order.StatusClosed), elsewhere, true, cardstest.Previews)
	return shown
}

// unpostable returns a draft whose channel refused it.
func unpostable(d store.Draft) store.Draft {
	d.Unpostable = string(order.DeniedNotInChannel)
	return d
}

// unheardOf returns the order after a message to its editor.
func unheardOf(t store.Tracked) store.Tracked {
	t.Order.Conversation = []order.Entry{{From: "service", Content: "Hello"}, {From: "client", Content: "Softer, please", CreatedAt: cardstest.Now}}
	return t
}

// modals returns every view.
func modals(s cardstest.Scene) map[string]any {
	d, t := s.Draft(), s.Tracked(order.StatusReviewing)
	shown := map[string]any{
		"loading":           kit.Loading(place.Title, "x1"),
		"notice":            kit.Notice(change.TitleApprove, cards.NotFound(s.Words), "x1"),
		"new_empty":         place.Window(store.Draft{ID: "d1"}, place.FormExtras{}, "x1"),
		"new_filled":        place.Window(d, place.FormExtras{Balance: "88"}, "x1"),
		"new_refused":       place.Window(d, place.FormExtras{Problems: s.Problems(), Balance: "88"}, "x1"),
		"new_unpostable":    place.Window(unpostable(d), place.FormExtras{Balance: "88"}, "x1"),
		"placing":           place.Placing(d, "x1"),
		"placing_later":     place.PlacingLater(d, "x1"),
		"placed":            place.Placed(s.Tracked(order.StatusEditing), decimal.NewNullDecimal(decimal.NewFromInt(88)), cardstest.Links, "x1"),
		"placed_card":       place.Placed(s.Reviewed(), decimal.NullDecimal{}, cardstest.Links, "x1"),
		"unsettled":         place.Unsettled(d, "x1"),
		"not_placed":        place.NotPlaced(d, "x1"),
		"nobody_knows":      place.NotPlaced(nobodyKnows(d), "x1"),
		"discarded":         place.Discarded(d, "x1"),
		"approve":           change.Approve(t, cards.RoundHistory{}, "", cardstest.Previews, "x1"),
		"approve_no_thumbs": change.Approve(t, cards.RoundHistory{}, s.Words, cards.Thumbs{}, "x1"),
		"approve_stale":     change.ApproveStale(t, cards.RoundHistory{}, 0, s.Words, cardstest.Previews, "x1"),
		"approve_refused":   change.ApproveRefused(t, cards.RoundHistory{}, s.Words, s.Problems(), cardstest.Previews, "x1"),
		"approve_unheard":   change.Approve(unheardOf(t), cards.RoundHistory{}, "", cardstest.Previews, "x1"),
		"approve_denied":    change.ApproveDenied(s.Tracked(order.StatusEditing), s.Words, cards.CannotApprove(s.Tracked(order.StatusEditing)), "x1"),
		"approve_unsettled": change.ApproveUnsettled(t, s.Words, "x1"),
		"approve_later":     change.ApproveLater(t, "x1"),
		"approving":         change.Approving(t, "x1"),
		"approve_several":   change.SelectApprovals(change.Selection{Orders: s.Many(3), Total: 12}, cardstest.Previews, "x1"),
		"approve_one_new":   change.SelectApprovals(change.Selection{Orders: []store.Tracked{t}, Total: 1, Rounds: map[string]cards.RoundHistory{t.ID: {}}}, cardstest.Previews, "x1"),
		"approve_none":      change.SelectApprovals(change.Selection{}, cardstest.Previews, "x1"),
		"approved_several": change.SelectedProgress(map[string]change.SelectedOutcome{
			"a": change.OutcomeOf(t, change.ApprovalDone, nil, ""), "b": change.OutcomeOf(t, change.ApprovalStale, nil, ""), "c": change.OutcomeOf(t, change.ApprovalRefused, kit.Problems{s.Words}, ""),
			"d": change.OutcomeOf(t, change.ApprovalDenied, nil, cards.CannotApprove(s.Tracked(order.StatusEditing))), "e": change.OutcomeOf(t, change.ApprovalWaits, nil, ""), "f": change.OutcomeOf(t, change.ApprovalUnknown, nil, ""),
			"g": change.OutcomeOf(store.Tracked{}, change.ApprovalDenied, nil, cards.NotFound(s.Words)),
		}, 8, "x1"),
		"approved": change.Approved(s.Tracked(order.StatusClosed), "x1"),
	}
	deskModals(s, shown)
	changeModals(s, shown)
	return shown
}

// answers returns everything shown to one person.
func answers(s cardstest.Scene) map[string]any {
	t := s.Tracked(order.StatusReviewing)
	events := []order.Event{s.Event("placed", order.StatusEditing), s.Event("message", order.StatusEditing), s.Event("ready", order.StatusReviewing)}
	rows := []cards.HelpRow{
		{Verb: "new", Usage: "new [urls…]", Does: "opens the order form", Example: "new https://example.com/a.jpg"},
		{Verb: "approve", Usage: "approve ID", Does: "accepts the photos and closes the order", Example: "approve K7Q2XM"},
	}
	shown := map[string]any{
		"show":         cards.Show(t, events, true, cardstest.Previews, cardstest.Now),
		"show_zip":     cards.Show(t, events, true, cardstest.Downloads, cardstest.Now),
		"balance":      cards.Balance(decimal.RequireFromString("88.50")),
		"help":         cards.Help(rows, []string{"again", "show"}),
		"help_verb":    cards.HelpFor(rows[1]),
		"suggest":      cards.Suggest(s.Words, "approve", s.Words),
		"suggest_none": cards.Suggest(s.Words, "", ""),
		"kept":         place.Refused(s.Draft(), s.Problems()),
		"told_refused": kit.AsMessage(place.Window(s.Draft(), place.FormExtras{Problems: s.Problems(), Balance: "88"}, "x1")),
		"told_lost":    kit.AsMessage(place.NotPlaced(s.Draft(), "x1")),
		"told_stale":   kit.AsMessage(change.ApproveStale(t, cards.RoundHistory{}, 0, s.Words, cardstest.Previews, "x1")),
		"say":          kit.Say(cards.Sentence(&order.Error{Op: "approve", Messages: []string{s.Words}}, "K3F9")),
		"asked":        talk.Asked(t, false),
		"asked_wrote":  talk.Asked(t, true),
		"say_unknown":  kit.Say(cards.Sentence(errors.New("boom"), "K3F9")),
	}
	deskAnswers(s, shown)
	changeAnswers(s, shown)
	return shown
}

// nobodyKnows returns a draft whose order may exist though it was not found.
func nobodyKnows(d store.Draft) store.Draft {
	d.SentAt = cardstest.Now
	d.Search = store.Search{Readings: place.WholeSearch, Unproven: true, Cost: decimal.NewNullDecimal(decimal.NewFromInt(3))}
	return d
}

func TestTheChannelSees(t *testing.T) { cardstest.Golden(t, channel) }
func TestModals(t *testing.T)         { cardstest.Golden(t, modals) }
func TestPrivateAnswers(t *testing.T) { cardstest.Golden(t, answers) }
