package place_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// Only operators decide about the account's limit.
func TestOverTheAccountsLimitAnOperatorIsAsked(t *testing.T) {
	h := cardstest.Of("Hats", 2).Hold(store.HoldAccount)
	h.Asks = nil
	require.Contains(t, cardstest.Pretty(t, place.HoldQuestion(h, nil)), "*May this order be placed?* An operator decides.")
	require.Contains(t, cardstest.Pretty(t, place.HoldQuestion(h, nil)), "once an operator allows it")
	d := store.Draft{ID: "d1", Hold: &h}
	require.Contains(t, cardstest.Pretty(t, place.AwaitingApproval(d, "x")), "An operator there decides, or raises the limit.")
}

// batchHold returns a question about several orders of a batch.
func batchHold(s cardstest.Scene) store.Hold {
	h := s.Hold(store.HoldMonth)
	h.Draft, h.Orders = "b1", []string{"b1-1", "b1-2", "b1-3"}
	return h
}

// wasAllowed returns an allowed draft in that state.
func wasAllowed(s cardstest.Scene, h store.Hold, state store.DraftState) store.Draft {
	d := store.Draft{ID: h.Draft, Attempt: 3, State: state, User: h.User, ProjectName: s.Words, Hold: &h, Allowed: &store.Allowed{By: "U0OLGA", At: cardstest.Now, Hold: h.ID()}}
	if state == store.DraftRefused {
		d.Problems = []string{s.Words}
	}
	return d
}

// holds returns the questions to approvers, and the answers about them.
func holds(s cardstest.Scene) map[string]any {
	h, batch := s.InChannel().Hold(store.HoldMonth), batchHold(s.InChannel())
	asked := s.Hold(store.HoldMonth) // in messages to one person, who are mentioned
	hides, hidesAccount := h, s.InChannel().Hold(store.HoldAccount)
	hides.Hides, hidesAccount.Hides = true, true
	allowed, declined, anew := store.HoldDecision{By: "U0OLGA", At: cardstest.Now, Allowed: true}, store.HoldDecision{By: "U0BEN", At: cardstest.Now}, store.HoldDecision{At: cardstest.Now, Anew: true}
	allowed.Spent = decimal.NewNullDecimal(decimal.NewFromInt(1234))
	ended := store.HoldDecision{At: cardstest.Now, Ended: true}
	discarded, turnedUp := store.HoldDecision{At: cardstest.Now, Became: store.DraftDiscarded}, store.HoldDecision{At: cardstest.Now, Became: store.DraftPlaced}
	placed, refused, unknown := wasAllowed(s, h, store.DraftPlaced), wasAllowed(s, h, store.DraftRefused), wasAllowed(s, h, store.DraftUnknown)
	return map[string]any{
		"account": place.HoldQuestion(s.InChannel().Hold(store.HoldAccount), nil), "ops_limit": kit.Say(place.OpsLimit(asked)), "told_operators": kit.Say(place.NotAllower("C0PHOTOS", nil)),
		"month": place.HoldQuestion(h, nil), "order": place.HoldQuestion(s.InChannel().Hold(store.HoldOrder), nil), "spender": place.HoldQuestion(s.InChannel().Hold(store.HoldSpender), nil),
		"hides": place.HoldQuestion(hides, nil), "hides_account": place.HoldQuestion(hidesAccount, nil), "credits": place.HoldCredits(hides), "batch": place.HoldQuestion(batch, nil),
		"allowed": place.HoldQuestion(h, &allowed), "declined": place.HoldQuestion(h, &declined), "anew": place.HoldQuestion(h, &anew), "discarded": place.HoldQuestion(h, &discarded), "turned_up": place.HoldQuestion(h, &turnedUp), "ended": place.HoldQuestion(h, &ended),
		"allowed_placed": place.HoldQuestion(h, &allowed, placed), "allowed_refused": place.HoldQuestion(h, &allowed, refused),
		"allowed_batch": place.HoldQuestion(batch, &allowed, wasAllowed(s, batch, store.DraftPlaced), wasAllowed(s, batch, store.DraftRefused), store.Draft{}),
		"told_declined": place.HoldRefused(asked, declined), "told_ended": place.HoldRefused(asked, ended), "told_batch": place.HoldRefused(batchHold(s), declined),
		"told_not_placed": place.HoldNotPlaced(refused, unknown), "told_changed": place.HoldChanged(asked, 1), "told_changed_batch": place.HoldChanged(batchHold(s), 2), "told_gone": kit.Say(place.HoldGone),
		"told_allowed": place.HoldDecided(allowed), "told_anew": place.HoldDecided(anew), "told_no": place.HoldDecided(declined), "told_over": place.HoldDecided(ended), "told_discarded": place.HoldDecided(discarded), "told_turned_up": place.HoldDecided(turnedUp),
		"told_kept": kit.Say(place.NotAllower("C0PHOTOS", h.Asks)),
	}
}

func TestWhatWasAllowedSaysHowItEnded(t *testing.T) {
	h := cardstest.Of("Hats", 2).Hold(store.HoldOrder)
	allowed := &store.HoldDecision{By: "U0OLGA", At: cardstest.Now, Allowed: true}
	again := wasAllowed(cardstest.Of("Hats", 2), h, store.DraftRefused)
	again.Hold = &store.Hold{Draft: h.Draft, Attempt: again.Attempt}
	account := again
	account.Hold = &store.Hold{Draft: h.Draft, Attempt: again.Attempt, Why: store.HoldAccount}
	declined := again
	declined.Hold = &store.Hold{Draft: h.Draft, Attempt: again.Attempt, Answer: &store.HoldDecision{By: "U0BEN", At: cardstest.Now}}
	both := wasAllowed(cardstest.Of("Hats", 2), h, store.DraftPlacing)
	both.Allowed = &store.Allowed{By: "U0OPS", At: cardstest.Now, Hold: "d1.3", First: h.ID()}
	for says, d := range map[string]store.Draft{
		"It is placed.":     wasAllowed(cardstest.Of("Hats", 2), h, store.DraftPlaced),
		"It is on its way.": both,
		"could not be placed. The requester has it back": wasAllowed(cardstest.Of("Hats", 2), h, store.DraftRefused),
		"Nobody knows whether it was placed":             wasAllowed(cardstest.Of("Hats", 2), h, store.DraftUnknown),
		"could not be placed, and was discarded":         wasAllowed(cardstest.Of("Hats", 2), h, store.DraftDiscarded),
		"I ask again, for another reason":                again,
		"I asked an operator":                            account,
		"was not allowed":                                declined,
		"It was changed, placed or discarded before.":    {State: store.DraftPlaced},
	} {
		require.Contains(t, cardstest.Pretty(t, place.HoldQuestion(h, allowed, d)), says)
	}
	batch := batchHold(cardstest.Of("Hats", 2))
	drafts := []store.Draft{wasAllowed(cardstest.Of("Hats", 2), batch, store.DraftPlaced), wasAllowed(cardstest.Of("Hats", 2), batch, store.DraftPlaced), wasAllowed(cardstest.Of("Hats", 2), batch, store.DraftRefused), {}}
	require.Contains(t, cardstest.Pretty(t, place.HoldQuestion(batch, allowed, drafts...)), "2 placed, 1 not placed, 1 changed before.")
}

func TestAQuestionWithoutCreditsNamesNone(t *testing.T) {
	for _, why := range []store.HoldWhy{store.HoldOrder, store.HoldMonth, store.HoldAccount, store.HoldSpender} {
		for _, h := range []store.Hold{cardstest.Of("Hats", 2).Hold(why), batchHold(cardstest.Of("Hats", 2))} {
			h.Why, h.Hides = why, true
			said := cardstest.Pretty(t, place.HoldQuestion(h, nil)) + cardstest.Pretty(t, place.HoldQuestion(h, &store.HoldDecision{By: "U0OLGA", At: cardstest.Now, Allowed: true}))
			for _, figure := range []string{"2 credits", "990.5", "1000"} {
				require.NotContains(t, said, figure)
			}
			require.Contains(t, said, "Show Credits")
			require.Contains(t, cardstest.Pretty(t, place.HoldCredits(h)), "2 credits")
		}
	}
}

func TestHolds(t *testing.T) { cardstest.Golden(t, holds) }

func TestAQuestionToOnePersonDoesNotSpeakOfSeveral(t *testing.T) {
	for asked, says := range map[string]string{"U0OLGA": "once <@U0OLGA> allows it", "S0LEADS": "once one of them allows it"} {
		h := cardstest.Of("Hats", 2).Hold(store.HoldMonth)
		h.Asks = []string{asked}
		require.Contains(t, cardstest.Pretty(t, place.HoldQuestion(h, nil)), says)
	}
}

func TestOnlyAQuestionIsTakenForOne(t *testing.T) {
	m := place.HoldQuestion(cardstest.Of("beach", 1).Hold(store.HoldOrder), nil)
	require.Equal(t, "d1.2", place.HoldOf(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}))
	require.Empty(t, place.HoldOf(slack.Message{Msg: slack.Msg{Metadata: slack.SlackMetadata{EventType: cards.MetadataType, EventPayload: map[string]any{"hold": "d1.2"}}}}))
}
