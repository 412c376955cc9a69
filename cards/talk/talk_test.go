package talk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// letter returns a text longer than the scene's, up to the limit of a message.
func letter(s cardstest.Scene) string {
	return strings.TrimSpace(kit.Clip(strings.Repeat(s.Words+"\n", s.Images*s.Images*2), order.MaxMessage))
}

func unsent(s cardstest.Scene) talk.Unsent { return talk.Unsent{Problems: s.Problems(), Unknown: true} }

func refPhotos(s cardstest.Scene) []talk.RefPhoto {
	return []talk.RefPhoto{{Name: s.Words + ".jpg"}, {Name: "image.png"}, {Name: s.Words + ".pdf", Problem: talk.NotAPicture}, {}}
}

// conversing returns every view and answer of writing to an editor.
func conversing(s cardstest.Scene) map[string]any {
	t, words := s.Tracked(order.StatusReviewing), letter(s)
	gone := t
	gone.Gone = true
	return map[string]any{
		"form":              talk.MessageEditor(t, "", "C0PHOTOS", "x1"),
		"form_filled":       talk.MessageEditor(t, words, "C0PHOTOS", "x1"),
		"any_order":         talk.MessageAnyOrder(words, "C0PHOTOS", "x1"),
		"correction":        talk.Correction(t, words, "C0PHOTOS", "x1"),
		"refused":           talk.MessageRefused(t, words, unsent(s), "C0PHOTOS", "x1"),
		"duplicate":         talk.MessageRefused(t, words, talk.Unsent{Why: talk.AlreadySent(t, order.VerbMessage), Problems: s.Problems()}, "C0PHOTOS", "x1"),
		"sending":           talk.MessageSending(t, "x1"),
		"later":             talk.MessageLater(t, words, "x1"),
		"sent":              talk.MessageSent(t, "x1"),
		"too_long":          talk.MessageDenied(talk.TooLong(strings.Repeat("a", 12345)), words, "x1"),
		"gone":              talk.MessageDenied(cards.NoMessage(gone), words, "x1"),
		"kept":              talk.MessageKept(t, words, unsent(s), "words:1"),
		"kept_unanswered":   talk.MessageKept(t, words, talk.Unsent{Why: cards.NoAnswer(t), Unknown: true}, "words:1"),
		"told_sent":         kit.AsMessage(talk.MessageSent(t, "x1")),
		"told_later":        kit.AsMessage(talk.MessageLater(t, words, "x1")),
		"told_refused":      kit.AsMessage(talk.MessageRefused(t, words, unsent(s), "C0PHOTOS", "x1")),
		"private":           talk.RelayPrivate(),
		"guest":             talk.RelayGuest(t, order.DeniedGuest),
		"wordless":          talk.RelayWordless(t),
		"had":               talk.RelayAlreadySent(t),
		"offer":             talk.RelayOffer(t, s.Images, false, "album:1"),
		"offer_wordless":    talk.RelayOffer(t, 1, true, "album:1"),
		"edited":            talk.RelayEdited(t, words, false, "correct:1"),
		"deleted":           talk.RelayEdited(t, "", true, "correct:1"),
		"correction_old":    talk.CorrectionOld(),
		"overheard":         talk.RelayOverheard(t, "C0PHOTOS", "1700000000.000100"),
		"taken_back":        talk.TakenBack(),
		"too_late":          talk.TooLateToTakeBack("correct:1"),
		"ask_pause":         talk.AskAboutPause(s.Tracked(order.StatusPaused), []order.Event{s.Event(order.EventEditor, order.StatusPaused)}, talk.PauseQuestion("@Maria", cardstest.Now), "C0PHOTOS", "x1"),
		"answered":          talk.MessageAnswered(t, []order.Event{s.Event(order.EventEditor, order.StatusReviewing)}, "C0PHOTOS", "x1"),
		"told_answered":     talk.MessageAnsweredNote(t, []order.Event{s.Event(order.EventEditor, order.StatusReviewing)}),
		"references":        talk.References(t, talk.RefForm{}, "x1"),
		"references_known":  talk.References(t, refForm(s), "x1"),
		"references_any":    talk.References(store.Tracked{}, talk.RefForm{Intro: talk.NoPublicURL, Photos: refPhotos(s)}, "x1"),
		"references_upload": talk.References(t, talk.RefForm{Upload: true, PerImage: true}, "x1"),
		"references_each":   talk.ReferenceEach(t, refImages(s), refForm(s), 0, "x1"),
		"references_last":   talk.ReferenceEach(t, refImages(s), refForm(s), talk.ReferencePages(s.Images)-1, "x1"),
		"adding":            talk.ReferencesSending(t, "x1"),
		"adding_later":      talk.ReferencesLater(t, s.URLs(), "x1"),
		"added":             talk.ReferencesSent(t, s.Images, "x1"),
		"not_added":         talk.ReferencesDenied(cards.NotFound(s.Words), s.URLs(), words, "x1"),
		"add_again":         talk.ReferencesKept(t, s.URLs(), s.Words, unsent(s), "album:1"),
		"offer_old":         talk.OfferOld(),
	}
}

// refImages returns a photo in Slack and images at URLs.
func refImages(s cardstest.Scene) []talk.RefImage {
	images := []talk.RefImage{{Name: s.Words + ".jpg", File: "F0MOOD", Instruction: s.Words}}
	for _, address := range s.URLs()[1:] {
		images = append(images, talk.RefImage{Name: store.ImageName(address), URL: address})
	}
	return images
}

func refForm(s cardstest.Scene) talk.RefForm {
	return talk.RefForm{
		Intro: talk.WordlessPhotos, Photos: refPhotos(s), URLs: s.URLs(), Instruction: s.Words,
		Unsent: unsent(s), Note: "album:1", Channel: "C0PHOTOS",
	}
}

func TestConversing(t *testing.T) { cardstest.Golden(t, conversing) }

// submitted returns an unchanged form as submitted.
func submitted(view slack.ModalViewRequest) slack.View {
	back := slack.View{PrivateMetadata: view.PrivateMetadata, State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
	for _, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		if box, ok := input.Element.(*slack.PlainTextInputBlockElement); ok {
			back.State.Values[input.BlockID] = map[string]slack.BlockAction{box.ActionID: {Value: box.InitialValue}}
		}
	}
	return back
}

func TestWhatTheMessageFormIsFilledWithComesBack(t *testing.T) {
	o := cardstest.Scenes()["plain"].Tracked(order.StatusReviewing)
	for name, words := range map[string]string{
		"short":        "Softer, please.",
		"lines":        strings.TrimSpace(strings.Repeat("A line of words.\n", 290)),
		"wide letters": strings.Repeat("🎉", order.MaxMessage-3), // three line breaks part them
		"one word":     strings.Repeat("a", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			letter, problems := talk.DecodeMessage(submitted(talk.MessageEditor(o, words, "C0PHOTOS", "x1")))
			require.Empty(t, problems)
			require.Equal(t, o.ID, letter.Order)
			require.Equal(t, "C0PHOTOS", letter.Channel)
			require.Equal(t, strings.ReplaceAll(words, "\n", ""), strings.ReplaceAll(letter.Text, "\n", ""), "a line break at most is added")
		})
	}
}

// The service counts characters, not UTF-16 units.
func TestWordsThatFitAMessageMayBecomeOne(t *testing.T) {
	o := cardstest.Scenes()["plain"].Tracked(order.StatusRevising)
	for words, fit := range map[string]bool{
		strings.Repeat("a", order.MaxMessage-100): true, strings.Repeat("🎉", order.MaxMessage-100): true,
		strings.Repeat("a", order.MaxMessage+1): false, strings.Repeat("🎉", order.MaxMessage+1): false,
	} {
		raw, err := json.Marshal(change.ReviseDenied(o, change.Changes{All: words}, "No.", "words:1", "x1"))
		require.NoError(t, err)
		shown := string(raw)
		require.Equal(t, fit, strings.Contains(shown, "Message the Editor"), "%.4s × %d", words, utf8.RuneCountInString(words))
		require.Equal(t, !fit, strings.Contains(shown, "A message to the editor holds 5,000"))
	}
}
