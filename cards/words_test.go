package cards

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// letter is more than the scene's words: as long as a message may be, where it says much.
func (s scene) letter() string {
	return strings.TrimSpace(clip(strings.Repeat(s.words+"\n", s.images*s.images*2), order.MaxMessage))
}

func (s scene) unsent() Unsent { return Unsent{Problems: s.problems(), Doubt: true} }

func (s scene) refPhotos() []RefPhoto {
	return []RefPhoto{{Name: s.words + ".jpg"}, {Name: "image.png"}, {Name: s.words + ".pdf", Problem: NotAPicture}, {}}
}

// conversing is every view and answer of writing to an editor.
func (s scene) conversing() map[string]any {
	t, words := s.tracked(order.StatusReviewing), s.letter()
	gone := t
	gone.Gone = true
	return map[string]any{
		"form":              MessageEditor(t, "", "C0PHOTOS", "x1"),
		"form_filled":       MessageEditor(t, words, "C0PHOTOS", "x1"),
		"any_order":         MessageAnyOrder(words, "C0PHOTOS", "x1"),
		"correction":        Correction(t, words, "C0PHOTOS", "x1"),
		"refused":           MessageRefused(t, words, s.unsent(), "C0PHOTOS", "x1"),
		"duplicate":         MessageRefused(t, words, Unsent{Why: HadThis(t, order.VerbMessage), Problems: s.problems()}, "C0PHOTOS", "x1"),
		"sending":           MessageSending(t, "x1"),
		"later":             MessageLater(t, words, "x1"),
		"sent":              MessageSent(t, "x1"),
		"too_long":          MessageDenied(TooLong(strings.Repeat("a", 12345)), words, "x1"),
		"gone":              MessageDenied(NoMessage(gone), words, "x1"),
		"kept":              MessageKept(t, words, s.unsent(), "words:1"),
		"kept_unanswered":   MessageKept(t, words, Unsent{Why: NoAnswer(t), Doubt: true}, "words:1"),
		"told_sent":         AsMessage(MessageSent(t, "x1")),
		"told_later":        AsMessage(MessageLater(t, words, "x1")),
		"told_refused":      AsMessage(MessageRefused(t, words, s.unsent(), "C0PHOTOS", "x1")),
		"hint":              RelayHint(),
		"private":           RelayPrivate(),
		"guest":             RelayGuest(t, order.DeniedGuest),
		"wordless":          RelayWordless(t),
		"had":               RelayHad(t),
		"offer":             RelayOffer(t, s.images, false, "album:1"),
		"offer_wordless":    RelayOffer(t, 1, true, "album:1"),
		"edited":            RelayEdited(t, words, false, "correct:1"),
		"deleted":           RelayEdited(t, "", true, "correct:1"),
		"correction_old":    CorrectionOld(),
		"references":        References(t, RefForm{}, "x1"),
		"references_known":  References(t, s.refForm(), "x1"),
		"references_any":    References(store.Tracked{}, RefForm{Intro: NoPublicURL, Photos: s.refPhotos()}, "x1"),
		"references_upload": References(t, RefForm{Upload: true, PerImage: true}, "x1"),
		"references_each":   ReferenceEach(t, s.refImages(), s.refForm(), "x1"),
		"adding":            ReferencesSending(t, "x1"),
		"adding_later":      ReferencesLater(t, s.urls(), "x1"),
		"added":             ReferencesSent(t, s.images, "x1"),
		"not_added":         ReferencesDenied(NotFound(s.words), s.urls(), words, "x1"),
		"add_again":         ReferencesKept(t, s.urls(), s.words, s.unsent(), "album:1"),
		"offer_old":         OfferOld(),
	}
}

// refImages are a photo in Slack, and images at addresses.
func (s scene) refImages() []RefImage {
	images := []RefImage{{Name: s.words + ".jpg", File: "F0MOOD", Instruction: s.words}}
	for _, address := range s.urls()[1:] {
		images = append(images, RefImage{Name: store.ImageName(address), URL: address})
	}
	return images
}

func (s scene) refForm() RefForm {
	return RefForm{
		Intro: WordlessPhotos, Photos: s.refPhotos(), URLs: s.urls(), Instruction: s.words,
		Unsent: s.unsent(), Note: "album:1", Channel: "C0PHOTOS",
	}
}

func TestConversing(t *testing.T) { golden(t, scene.conversing) }

// conversingOf is the same with say() in every string that goes in.
func conversingOf(shown map[string]any, say func() string, t store.Tracked, problems Problems) {
	id, u := say(), Unsent{Why: HadThis(t, order.VerbMessage), Problems: problems, Doubt: true}
	shown["message"], shown["message any"] = MessageEditor(t, say(), say(), id), MessageAnyOrder(say(), say(), id)
	shown["correction"] = Correction(t, say(), say(), id)
	shown["message refused"] = MessageRefused(t, say(), Unsent{Problems: problems}, say(), id)
	shown["message kept"] = MessageKept(t, say(), u, clip(say(), 100))
	shown["message sending"], shown["message sent"] = MessageSending(t, id), MessageSent(t, id)
	shown["message later"], shown["message denied"] = MessageLater(t, say(), id), MessageDenied(NotFound(say()), say(), id)
	shown["told message"] = AsMessage(MessageRefused(t, say(), u, say(), id))
	shown["relay guest"], shown["relay wordless"], shown["relay had"] = RelayGuest(t, order.DeniedGuest), RelayWordless(t), RelayHad(t)
	shown["relay offer"], shown["relay edited"] = RelayOffer(t, 2, false, say()), RelayEdited(t, say(), false, say())
	form := filledWith[RefForm](say)
	form.Intro, form.Unsent.Why = NoPublicURL, NoAnswer(t)
	for i := range form.Photos {
		form.Photos[i].Problem = ""
	}
	shown["references"], shown["references any"] = References(t, form, id), References(store.Tracked{}, form, id)
	shown["told references"] = AsMessage(References(t, form, id))
	shown["references sending"], shown["references sent"] = ReferencesSending(t, id), ReferencesSent(t, 2, id)
	shown["references later"] = ReferencesLater(t, []string{say(), say()}, id)
	shown["references denied"] = ReferencesDenied(NotFound(say()), []string{say()}, say(), id)
	shown["references kept"] = ReferencesKept(t, []string{say()}, say(), u, say())
}

// submitted is a view as it comes back, nothing changed in it.
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
	o := scenes()["plain"].tracked(order.StatusReviewing)
	for name, words := range map[string]string{
		"short":        "Softer, please.",
		"lines":        strings.TrimSpace(strings.Repeat("A line of words.\n", 290)),
		"wide letters": strings.Repeat("🎉", order.MaxMessage-3), // three line breaks part them
		"one word":     strings.Repeat("a", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			letter, problems := DecodeMessage(submitted(MessageEditor(o, words, "C0PHOTOS", "x1")))
			require.Empty(t, problems)
			require.Equal(t, o.ID, letter.Order)
			require.Equal(t, "C0PHOTOS", letter.Channel)
			require.Equal(t, strings.ReplaceAll(words, "\n", ""), strings.ReplaceAll(letter.Text, "\n", ""), "a line break at most is added")
		})
	}
}

// A message holds so many characters, however many of JavaScript's units each of them has.
func TestWordsThatFitAMessageMayBecomeOne(t *testing.T) {
	o := scenes()["plain"].tracked(order.StatusRevising)
	for words, fit := range map[string]bool{
		strings.Repeat("a", order.MaxMessage-100): true, strings.Repeat("🎉", order.MaxMessage-100): true,
		strings.Repeat("a", order.MaxMessage+1): false, strings.Repeat("🎉", order.MaxMessage+1): false,
	} {
		raw, err := json.Marshal(ReviseDenied(o, Changes{All: words}, "No.", "words:1", "x1"))
		require.NoError(t, err)
		shown := string(raw)
		require.Equal(t, fit, strings.Contains(shown, "Message the editor"), "%.4s × %d", words, utf8.RuneCountInString(words))
		require.Equal(t, !fit, strings.Contains(shown, "and a message to the editor holds 5,000"))
	}
}
