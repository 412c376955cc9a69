package cards_test

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/presets"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// newForms adds the order form's views with say() in every string.
func newForms(shown map[string]any, say func() string) {
	d, other := cardstest.FilledWith[store.Draft](say), cardstest.FilledWith[store.Draft](say)
	d.Each = map[string]store.PerImage{say(): {Service: order.ServiceType(say()), Instruction: say()}}
	for i := range d.Files { // as Slack and the signer make them
		d.Files[i].ID, d.Files[i].URL = fmt.Sprintf("F%d", i), fmt.Sprintf("https://d.example.com/files/%d", i)
		d.Each[d.Files[i].URL] = store.PerImage{Instruction: say()}
	}
	around := place.FormExtras{Problems: kit.Problems{say(), say()}, Balance: say(), Skipped: []string{say()}, Unfinished: &other, Upload: true}
	shown["new photos"] = place.Window(d, around, say())
	shown["new images"] = place.ImagesWindow(d, 0, around, say())
	shown["reopen"] = place.Reopen(d, "Too late.")
	shown["told photos"] = kit.AsMessage(place.Window(d, around, say()))
}

// presetForms adds the views of presets with say() in every string.
func presetForms(shown map[string]any, say func() string) {
	p := cardstest.FilledWith[store.Preset](say)
	d := cardstest.FilledWith[store.Draft](say)
	shown["preset form"] = place.Window(d, place.FormExtras{Presets: &place.PresetMenu{Presets: []store.Preset{p}, Last: true}}, say())
	shown["preset list"] = presets.Window("C1", []store.Preset{p}, true, "", say())
	shown["preset saved"] = presets.Saved("C1", say(), say())
}

// everything returns every message, view and sentence with say() in every string.
func everything(say func() string) map[string]any {
	shown := map[string]any{}
	t, d := cardstest.FilledWith[store.Tracked](say), cardstest.FilledWith[store.Draft](say)
	problems := kit.Problems{say(), say()}
	for _, status := range []order.Status{order.StatusEditing, order.StatusReviewing, order.Status(say())} {
		t.Order.Status = status
		shown["card "+string(status)] = cards.Card(t, cardstest.Links, cardstest.Now)
		shown["show "+string(status)] = cards.Show(t, []order.Event{cardstest.FilledWith[order.Event](say)}, true, cardstest.Previews, cardstest.Now)
		shown["late "+string(status)] = place.PlacedAfterAll(t, cardstest.Now)
	}
	for _, kind := range slices.Sorted(maps.Keys(cardstest.Kinds())) {
		status := cardstest.Kinds()[kind]
		e := cardstest.FilledWith[order.Event](say)
		e.Kind, e.Order.Status = kind, status
		shown["reply "+string(kind)] = cards.Reply(t, e, true, cardstest.Previews)
	}
	shown["reply unknown"] = cards.Reply(t, cardstest.FilledWith[order.Event](say), true, cards.Thumbs{})
	shown["left"] = cards.FormerChannelCard(t)
	shown["superseded"] = cards.Superseded(t)
	shown["trouble"] = cards.ChannelUnreachable(t, order.Denial(say()))
	shown["kept"] = place.Refused(d, problems)
	shown["balance"] = cards.Balance(decimal.New(12345, 3))
	row := cardstest.FilledWith[cards.HelpRow](say)
	shown["help"], shown["help one"] = cards.Help([]cards.HelpRow{row, row}, []string{"again"}), cards.HelpFor(row)
	shown["suggest"] = cards.Suggest(say(), say(), say())
	shown["discarded elsewhere"] = place.DiscardedElsewhere(d, "x1")
	shown["say with"], shown["notice with"] = kit.SayWith("Sorry.", say()), kit.NoticeWith(place.Title, "Sorry.", say(), "x1")
	views(shown, say, t, d, problems)
	changesOf(shown, say, t, problems)
	sentencesOf(shown, say, t)
	deskViews(shown, say, t)
	conversingOf(shown, say, t, problems)
	return shown
}

func views(shown map[string]any, say func() string, t store.Tracked, d store.Draft, problems kit.Problems) {
	id := say()
	shown["loading"] = kit.Loading(say(), id)
	shown["new"] = place.Window(d, place.FormExtras{Problems: problems, Balance: say(), Upload: true}, id)
	shown["placing"], shown["later"] = place.Placing(d, id), place.PlacingLater(d, id)
	shown["placed"] = place.Placed(t, decimal.NewNullDecimal(decimal.New(1, 0)), cardstest.Links, id)
	shown["unsettled"], shown["not placed"], shown["discarded"] = place.Unsettled(d, id), place.NotPlaced(d, id), place.Discarded(d, id)
	shown["approve"], shown["approving"], shown["approved"] = change.Approve(t, cards.RoundHistory{}, say(), cardstest.Previews, id), change.Approving(t, id), change.Approved(t, id)
	shown["stale"] = change.ApproveStale(t, cards.RoundHistory{}, 1, say(), cardstest.Previews, id)
	shown["refused"] = change.ApproveRefused(t, cards.RoundHistory{}, say(), problems, cardstest.Previews, id)
	shown["approve later"] = change.ApproveLater(t, id)
	shown["denied"] = change.ApproveDenied(t, say(), cards.CannotApprove(t), id)
	shown["approve unsettled"] = change.ApproveUnsettled(t, say(), id)
	newForms(shown, say)
	presetForms(shown, say)
	shown["told new"] = kit.AsMessage(place.Window(d, place.FormExtras{Problems: problems, Balance: say(), Upload: true}, id))
	shown["told stale"] = kit.AsMessage(change.ApproveStale(t, cards.RoundHistory{}, 1, say(), cardstest.Previews, id))
	shown["told placed"] = kit.AsMessage(place.Placed(t, decimal.NullDecimal{}, cardstest.Links, id))
}

func sentencesOf(shown map[string]any, say func() string, t store.Tracked) {
	refused := &order.Error{Op: say(), Messages: []string{kit.Clip(say(), 100), kit.Clip(say(), 700)}}
	shown["sentence refused"] = kit.Say(cards.Sentence(refused, say()))
	shown["sentence unknown"] = kit.Say(cards.Sentence(errors.New(say()), say()))
	shown["sentence input"] = kit.Say(cards.Sentence(&order.InputError{Problem: say()}, say()))
	shown["not found"] = kit.Notice(say(), cards.NotFound(say()), say())
	shown["cannot approve"] = kit.Say(cards.CannotApprove(t))
	for _, why := range []order.Denial{order.DeniedNotInChannel, order.DeniedNoChannel, order.DeniedArchived, order.DeniedMissingScope, order.DeniedTokenRevoked, order.DeniedNotMember, order.DeniedGuest, order.DeniedByChannel, ""} {
		shown["cannot post "+string(why)] = kit.Say(cards.CannotPost(say(), why))
	}
}

// calling matches mentions.
var calling = regexp.MustCompile(`<!(channel|here|everyone|subteam)|<@U0EVERY`)

func TestNobodyCanMakeItSayChannel(t *testing.T) {
	for _, attack := range []string{
		"<!channel>", "<!here|here>", "<@U0EVERY>", "<!subteam^S1>", "x><!everyone>", "https://e.com/|<!channel>",
		"https://e.com/><!channel>", "&lt;!channel>", "`<!channel>`", "\n> <!channel>", "<!\u202echannel>", "<!ch\x00annel>", "<<!!channel>",
	} {
		for name, v := range everything(func() string { return attack }) {
			t.Run(attack+"/"+name, func(t *testing.T) {
				cardstest.CheckLimits(t, v)
				cardstest.Walk(cardstest.Payload(t, v), func(key, s string) {
					switch key {
					case "initial_value", "value", "external_id", "block_id", "action_id", "image_url", "event", "order_id", "team", "private_metadata":
						return // never read as text: what was typed, and ids
					}
					require.False(t, calling.MatchString(s), "%s: %s", key, s)
				})
			})
		}
	}
}

func TestWhateverIsTypedFitsSlacksLimits(t *testing.T) {
	for _, longest := range []string{strings.Repeat("a", 4000), strings.Repeat("&\n", 2000)} {
		for name, v := range everything(func() string { return longest }) {
			t.Run(name, func(t *testing.T) { cardstest.CheckLimits(t, v) })
		}
	}
	cardstest.Fewer(t, 4) // each shows everything there is
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"&", "<", "*", "🎉", "\n", "ש", "https://e.com/a|b", "K7Q2XM", ""}))
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return kit.Clip(strings.Repeat(piece.Draw(t, "piece"), rapid.SampledFrom([]int{1, 1, 2, 300, 4000}).Draw(t, "times")), 4000)
		}), 7, 7).Draw(t, "texts")
		next := 0
		for _, v := range everything(func() string { next++; return texts[next%len(texts)] }) {
			cardstest.CheckLimits(t, v)
		}
	})
}

func TestNothingAtAllIsShownToo(t *testing.T) {
	for name, v := range everything(func() string { return "" }) {
		t.Run(name, func(t *testing.T) { cardstest.CheckLimits(t, v) })
	}
}

// conversingOf adds the views of talk with say() in every string.
func conversingOf(shown map[string]any, say func() string, t store.Tracked, problems kit.Problems) {
	id, u := say(), talk.Unsent{Why: talk.AlreadySent(t, order.VerbMessage), Problems: problems, Unknown: true}
	shown["message"], shown["message any"] = talk.MessageEditor(t, say(), say(), id), talk.MessageAnyOrder(say(), say(), id)
	shown["correction"] = talk.Correction(t, say(), say(), id)
	shown["message refused"] = talk.MessageRefused(t, say(), talk.Unsent{Problems: problems}, say(), id)
	shown["message kept"] = talk.MessageKept(t, say(), u, kit.Clip(say(), 100))
	shown["message sending"], shown["message sent"] = talk.MessageSending(t, id), talk.MessageSent(t, id)
	shown["message later"], shown["message denied"] = talk.MessageLater(t, say(), id), talk.MessageDenied(cards.NotFound(say()), say(), id)
	shown["told message"] = kit.AsMessage(talk.MessageRefused(t, say(), u, say(), id))
	shown["relay guest"], shown["relay wordless"], shown["relay had"] = talk.RelayGuest(t, order.DeniedGuest), talk.RelayWordless(t), talk.RelayAlreadySent(t)
	shown["relay offer"], shown["relay edited"] = talk.RelayOffer(t, 2, false, say()), talk.RelayEdited(t, say(), false, say())
	form := cardstest.FilledWith[talk.RefForm](say)
	form.Intro, form.Unsent.Why = talk.NoPublicURL, cards.NoAnswer(t)
	for i := range form.Photos {
		form.Photos[i].Problem = ""
	}
	shown["references"], shown["references any"] = talk.References(t, form, id), talk.References(store.Tracked{}, form, id)
	shown["told references"] = kit.AsMessage(talk.References(t, form, id))
	shown["references sending"], shown["references sent"] = talk.ReferencesSending(t, id), talk.ReferencesSent(t, 2, id)
	shown["references later"] = talk.ReferencesLater(t, []string{say(), say()}, id)
	shown["references denied"] = talk.ReferencesDenied(cards.NotFound(say()), []string{say()}, say(), id)
	shown["references kept"] = talk.ReferencesKept(t, []string{say()}, say(), u, say())
}
