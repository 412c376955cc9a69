package cards

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// limits are settings that ask an approver about much.
func limits() store.Decides {
	return store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}, Spenders: []string{"U0TOM"}, OrderLimit: 50, MonthLimit: 1}
}

// hold is a question about one of the scene's orders.
func (s scene) hold(why store.HoldWhy) store.Hold {
	return store.Hold{
		Draft: "d1", Attempt: 2, Team: "T1", Channel: "C0PHOTOS", User: "U0MARIA", Why: why, Name: s.words, Images: s.images,
		Cost: decimal.NewFromInt(int64(s.images)), Guessed: why == store.HoldOrder, Spent: decimal.RequireFromString("990.5"), Limit: 1000,
		Asks: []string{"U0OLGA", "U0BEN"}, At: now,
	}
}

// held is a draft that waits for an approver.
func (s scene) held() store.Draft {
	h := s.hold(store.HoldMonth)
	return store.Draft{ID: h.Draft, Attempt: h.Attempt, State: store.DraftRefused, Held: &h, Channel: h.Channel, User: h.User}
}

// An account's limit is the operators': they are asked, named or not.
func TestOverTheAccountsLimitAnOperatorIsAsked(t *testing.T) {
	h := scene{"Hats", 2}.hold(store.HoldAccount)
	h.Asks = nil
	require.Contains(t, pretty(t, HoldQuestion(h, nil)), "*May this order be placed?* An operator decides.")
	require.Contains(t, pretty(t, HoldQuestion(h, nil)), "once an operator allows it")
	d := store.Draft{ID: "d1", Held: &h}
	require.Contains(t, pretty(t, Held(d, "x")), "An operator who is there decides, and any operator may raise the limit.")
}

func TestTheAccountsLimitIsReadOverWhatHolds(t *testing.T) {
	now := store.Account{Credits: store.CreditsOperators, MonthLimit: 7}
	typed := func(limit ...string) slack.View {
		view := slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
			blockID(fieldCredits, 0, 0): {fieldCredits: {SelectedOption: slack.OptionBlockObject{Value: string(store.CreditsMembers)}}},
		}}}
		for _, l := range limit {
			view.State.Values[blockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {Value: l}}
		}
		return view
	}
	for _, row := range []struct {
		typed []string
		want  int
	}{{nil, 7}, {[]string{" 500 "}, 500}, {[]string{""}, 0}} {
		got, problems := DecodeAccount(typed(row.typed...), now)
		require.Empty(t, problems)
		require.Equal(t, store.Account{Credits: store.CreditsMembers, MonthLimit: row.want}, got)
	}
	_, problems := DecodeAccount(typed("much"), now)
	require.Contains(t, problems[blockID(fieldAllLimit, 0, 0)], "whole credits")
	same, problems := DecodeAccount(slack.View{}, now)
	require.Equal(t, now, same, "a form that did not ask")
	require.Empty(t, problems)
}

// batchHold is a question about several orders of a batch.
func (s scene) batchHold() store.Hold {
	h := s.hold(store.HoldMonth)
	h.Draft, h.Orders = "b1", []string{"b1-1", "b1-2", "b1-3"}
	return h
}

// wasAllowed is a draft that was submitted because a question was answered so, and has come to that state.
func (s scene) wasAllowed(h store.Hold, state store.DraftState) store.Draft {
	d := store.Draft{ID: h.Draft, Attempt: 3, State: state, User: h.User, ProjectName: s.words, Held: &h, Allowed: &store.Allowed{By: "U0OLGA", At: now, Hold: h.ID()}}
	if state == store.DraftRefused {
		d.Problems = []string{s.words}
	}
	return d
}

// holds are the questions that a channel sees, and what people are told of them.
func (s scene) holds() map[string]any {
	h, batch := s.hold(store.HoldMonth), s.batchHold()
	hides, hidesAccount := h, s.hold(store.HoldAccount)
	hides.Hides, hidesAccount.Hides = true, true
	allowed, declined, anew := store.HoldDecision{By: "U0OLGA", At: now, Allowed: true}, store.HoldDecision{By: "U0BEN", At: now}, store.HoldDecision{At: now, Anew: true}
	allowed.Spent = decimal.NewNullDecimal(decimal.NewFromInt(1234))
	ended := store.HoldDecision{At: now, Ended: true}
	discarded, turnedUp := store.HoldDecision{At: now, Became: store.DraftDiscarded}, store.HoldDecision{At: now, Became: store.DraftPlaced}
	placed, refused, unknown := s.wasAllowed(h, store.DraftPlaced), s.wasAllowed(h, store.DraftRefused), s.wasAllowed(h, store.DraftUnknown)
	return map[string]any{
		"account": HoldQuestion(s.hold(store.HoldAccount), nil), "ops_limit": Say(OpsLimit(h)), "told_operators": Say(NotAllower("C0PHOTOS", nil)),
		"month": HoldQuestion(h, nil), "order": HoldQuestion(s.hold(store.HoldOrder), nil), "spender": HoldQuestion(s.hold(store.HoldSpender), nil),
		"hides": HoldQuestion(hides, nil), "hides_account": HoldQuestion(hidesAccount, nil), "credits": HoldCredits(hides), "batch": HoldQuestion(batch, nil),
		"allowed": HoldQuestion(h, &allowed), "declined": HoldQuestion(h, &declined), "anew": HoldQuestion(h, &anew), "discarded": HoldQuestion(h, &discarded), "turned_up": HoldQuestion(h, &turnedUp), "ended": HoldQuestion(h, &ended),
		"allowed_placed": HoldQuestion(h, &allowed, placed), "allowed_refused": HoldQuestion(h, &allowed, refused),
		"allowed_batch": HoldQuestion(batch, &allowed, s.wasAllowed(batch, store.DraftPlaced), s.wasAllowed(batch, store.DraftRefused), store.Draft{}),
		"told_declined": HoldRefused(h, declined), "told_ended": HoldRefused(h, ended), "told_batch": HoldRefused(batch, declined),
		"told_not_placed": HoldNotPlaced(refused, unknown), "told_changed": HoldChanged(h, 1), "told_changed_batch": HoldChanged(batch, 2), "told_gone": Say(HoldGone),
		"told_allowed": HoldDecided(allowed), "told_anew": HoldDecided(anew), "told_no": HoldDecided(declined), "told_over": HoldDecided(ended), "told_discarded": HoldDecided(discarded), "told_turned_up": HoldDecided(turnedUp),
		"told_kept": Say(NotAllower("C0PHOTOS", h.Asks)),
	}
}

// What was allowed says what became of it, as far as that is known.
func TestWhatWasAllowedSaysHowItEnded(t *testing.T) {
	h := scene{"Hats", 2}.hold(store.HoldOrder)
	allowed := &store.HoldDecision{By: "U0OLGA", At: now, Allowed: true}
	again := scene{"Hats", 2}.wasAllowed(h, store.DraftRefused)
	again.Held = &store.Hold{Draft: h.Draft, Attempt: again.Attempt}
	account := again
	account.Held = &store.Hold{Draft: h.Draft, Attempt: again.Attempt, Why: store.HoldAccount}
	declined := again
	declined.Held = &store.Hold{Draft: h.Draft, Attempt: again.Attempt, Answer: &store.HoldDecision{By: "U0BEN", At: now}}
	both := scene{"Hats", 2}.wasAllowed(h, store.DraftPlacing)
	both.Allowed = &store.Allowed{By: "U0OPS", At: now, Hold: "d1.3", First: h.ID()}
	for says, d := range map[string]store.Draft{
		"It is placed.":     scene{"Hats", 2}.wasAllowed(h, store.DraftPlaced),
		"It is on its way.": both,
		"could not be placed. Whoever ordered has it back": scene{"Hats", 2}.wasAllowed(h, store.DraftRefused),
		"Nobody knows whether it was placed":               scene{"Hats", 2}.wasAllowed(h, store.DraftUnknown),
		"could not be placed, and was discarded":           scene{"Hats", 2}.wasAllowed(h, store.DraftDiscarded),
		"asked about once more, for another reason":        again,
		"An operator is asked now":                         account,
		"was not allowed":                                  declined,
		"It was changed, placed or discarded before that":  {State: store.DraftPlaced},
	} {
		require.Contains(t, pretty(t, HoldQuestion(h, allowed, d)), says)
	}
	batch := scene{"Hats", 2}.batchHold()
	drafts := []store.Draft{scene{"Hats", 2}.wasAllowed(batch, store.DraftPlaced), scene{"Hats", 2}.wasAllowed(batch, store.DraftPlaced), scene{"Hats", 2}.wasAllowed(batch, store.DraftRefused), {}}
	require.Contains(t, pretty(t, HoldQuestion(batch, allowed, drafts...)), "2 placed, 1 not placed, 1 changed before that.")
}

// No word of a question without credits names any.
func TestAQuestionWithoutCreditsNamesNone(t *testing.T) {
	for _, why := range []store.HoldWhy{store.HoldOrder, store.HoldMonth, store.HoldAccount, store.HoldSpender} {
		for _, h := range []store.Hold{scene{"Hats", 2}.hold(why), scene{"Hats", 2}.batchHold()} {
			h.Why, h.Hides = why, true
			said := pretty(t, HoldQuestion(h, nil)) + pretty(t, HoldQuestion(h, &store.HoldDecision{By: "U0OLGA", At: now, Allowed: true}))
			for _, figure := range []string{"2 credits", "990.5", "1000"} {
				require.NotContains(t, said, figure)
			}
			require.Contains(t, said, "Show credits")
			require.Contains(t, pretty(t, HoldCredits(h)), "2 credits")
		}
	}
}

func TestHolds(t *testing.T) { golden(t, scene.holds) }

func TestAQuestionToOnePersonDoesNotSpeakOfSeveral(t *testing.T) {
	for asked, says := range map[string]string{"U0OLGA": "once <@U0OLGA> allows it", "S0LEADS": "once one of them allows it"} {
		h := scene{"Hats", 2}.hold(store.HoldMonth)
		h.Asks = []string{asked}
		require.Contains(t, pretty(t, HoldQuestion(h, nil)), says)
	}
}

func TestALimitIsWholeCreditsAndNeedsAnApprover(t *testing.T) {
	typed := func(order string, approvers ...string) slack.View {
		form := withPeople(fieldApprovers, approvers)
		form.State.Values[blockID(fieldOrderLimit, 0, 0)] = map[string]slack.BlockAction{fieldOrderLimit: {Value: order}}
		return form
	}
	for order, want := range map[string]int{"": 0, " 50 ": 50, "0": 0} {
		got, problems := DecodeSettings(typed(order, "U0OLGA"), store.Settings{Decides: store.Decides{OrderLimit: 7, MonthLimit: 9}})
		require.Empty(t, problems)
		require.Equal(t, store.Decides{Approvers: []string{"U0OLGA"}, OrderLimit: want, MonthLimit: 9}, got.Decides)
	}
	for _, order := range []string{"fifty", "-1", "1.5", "9999999999"} {
		_, problems := DecodeSettings(typed(order, "U0OLGA"), store.Settings{})
		require.Contains(t, problems[blockID(fieldOrderLimit, 0, 0)], "whole credits", order)
	}
	_, problems := DecodeSettings(typed("50"), store.Settings{})
	require.Contains(t, problems[blockID(fieldApprovers, 0, 0)], "Name who is asked")
	_, problems = DecodeSettings(chose(""), store.Settings{})
	require.Empty(t, problems, "an older form")
}

func TestOnlyAQuestionIsTakenForOne(t *testing.T) {
	m := HoldQuestion(scene{"beach", 1}.hold(store.HoldOrder), nil)
	require.Equal(t, "d1.2", HoldOf(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}))
	require.Empty(t, HoldOf(slack.Message{Msg: slack.Msg{Metadata: slack.SlackMetadata{EventType: MetadataType, EventPayload: map[string]any{"hold": "d1.2"}}}}))
}
