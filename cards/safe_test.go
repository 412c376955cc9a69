package cards

import (
	"errors"
	"flag"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// fillStrings puts say() into every string within v, whatever its place.
func fillStrings(v reflect.Value, say func() string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(say())
	case reflect.Pointer:
		if v.IsNil() && v.Type().Elem().Kind() != reflect.Int {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fillStrings(v.Elem(), say)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillStrings(v.Field(i), say)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fillStrings(v.Index(i), say)
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string][]string]() {
			v.Set(reflect.ValueOf(map[string][]string{say(): {say(), say()}}))
		}
	}
}

func filledWith[T any](say func() string) T {
	var v T
	fillStrings(reflect.ValueOf(&v).Elem(), say)
	return v
}

// everything is every message, view and sentence, with say() in every string
// that goes in.
func everything(say func() string) map[string]any {
	shown := map[string]any{}
	t, d := filledWith[store.Tracked](say), filledWith[store.Draft](say)
	problems := Problems{say(), say()}
	for _, status := range []order.Status{order.StatusEditing, order.StatusReviewing, order.Status(say())} {
		t.Order.Status = status
		shown["card "+string(status)] = Card(t, links, now)
		shown["show "+string(status)] = Show(t, []order.Event{filledWith[order.Event](say)}, true, previews, now)
		shown["late "+string(status)] = Late(t, now)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds())) {
		status := kinds()[kind]
		e := filledWith[order.Event](say)
		e.Kind, e.Order.Status = kind, status
		shown["reply "+string(kind)] = Reply(t, e, true, previews)
	}
	shown["reply unknown"] = Reply(t, filledWith[order.Event](say), true, Thumbs{})
	shown["left"] = Left(t)
	shown["superseded"] = Superseded(t)
	shown["trouble"] = Trouble(t, order.Denial(say()))
	shown["kept"] = Kept(d, problems)
	shown["balance"] = Balance(decimal.New(12345, 3))
	row := filledWith[HelpRow](say)
	shown["help"], shown["help one"] = Help([]HelpRow{row, row}), HelpFor(row)
	shown["suggest"] = Suggest(say(), say(), say())
	shown["discarded elsewhere"] = DiscardedElsewhere(d, "x1")
	shown["say with"], shown["notice with"] = SayWith("Sorry.", say()), NoticeWith(TitleNew, "Sorry.", say(), "x1")
	views(shown, say, t, d, problems)
	changesOf(shown, say, t, problems)
	sentencesOf(shown, say, t)
	deskViews(shown, say, t)
	conversingOf(shown, say, t, problems)
	return shown
}

func views(shown map[string]any, say func() string, t store.Tracked, d store.Draft, problems Problems) {
	id := say()
	shown["loading"] = Loading(say(), id)
	shown["new"] = NewOrder(d, Around{Problems: problems, Balance: say(), Upload: true}, id)
	shown["placing"], shown["later"] = Placing(d, id), PlacingLater(d, id)
	shown["placed"] = Placed(t, decimal.NewNullDecimal(decimal.New(1, 0)), id)
	shown["unsettled"], shown["not placed"], shown["discarded"] = Unsettled(d, id), NotPlaced(d, id), Discarded(d, id)
	shown["approve"], shown["approving"], shown["approved"] = Approve(t, Course{}, say(), previews, id), Approving(t, id), Approved(t, id)
	shown["stale"] = ApproveStale(t, Course{}, 1, say(), previews, id)
	shown["refused"] = ApproveRefused(t, Course{}, say(), problems, previews, id)
	shown["approve later"] = ApproveLater(t, id)
	shown["denied"] = ApproveDenied(t, say(), CannotApprove(t), id)
	shown["approve unsettled"] = ApproveUnsettled(t, say(), id)
	newForms(shown, say)
	presetForms(shown, say)
	shown["told new"] = AsMessage(NewOrder(d, Around{Problems: problems, Balance: say(), Upload: true}, id))
	shown["told stale"] = AsMessage(ApproveStale(t, Course{}, 1, say(), previews, id))
	shown["told placed"] = AsMessage(Placed(t, decimal.NullDecimal{}, id))
}

func sentencesOf(shown map[string]any, say func() string, t store.Tracked) {
	refused := &order.Error{Op: say(), Messages: []string{clip(say(), 100), clip(say(), 700)}}
	shown["sentence refused"] = Say(Sentence(refused, say()))
	shown["sentence unknown"] = Say(Sentence(errors.New(say()), say()))
	shown["sentence input"] = Say(Sentence(&order.InputError{Problem: say()}, say()))
	shown["not found"] = Notice(say(), NotFound(say()), say())
	shown["cannot approve"] = Say(CannotApprove(t))
	for _, why := range []order.Denial{order.DeniedNotInChannel, order.DeniedNoChannel, order.DeniedArchived, order.DeniedMissingScope, order.DeniedTokenRevoked, order.DeniedNotMember, order.DeniedGuest, order.DeniedByChannel, ""} {
		shown["cannot post "+string(why)] = Say(CannotPost(say(), why))
	}
}

// calling is what calls people.
var calling = regexp.MustCompile(`<!(channel|here|everyone|subteam)|<@U0EVERY`)

func TestNobodyCanMakeItSayChannel(t *testing.T) {
	for _, attack := range []string{
		"<!channel>", "<!here|here>", "<@U0EVERY>", "<!subteam^S1>", "x><!everyone>", "https://e.com/|<!channel>",
		"https://e.com/><!channel>", "&lt;!channel>", "`<!channel>`", "\n> <!channel>", "<!\u202echannel>", "<!ch\x00annel>", "<<!!channel>",
	} {
		for name, v := range everything(func() string { return attack }) {
			t.Run(attack+"/"+name, func(t *testing.T) {
				checkLimits(t, v)
				walk(payload(t, v), func(key, s string) {
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
			t.Run(name, func(t *testing.T) { checkLimits(t, v) })
		}
	}
	fewer(t, 4) // each shows everything there is
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"&", "<", "*", "🎉", "\n", "ש", "https://e.com/a|b", "K7Q2XM", ""}))
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return clip(strings.Repeat(piece.Draw(t, "piece"), rapid.SampledFrom([]int{1, 1, 2, 300, 4000}).Draw(t, "times")), 4000)
		}), 7, 7).Draw(t, "texts")
		next := 0
		for _, v := range everything(func() string { next++; return texts[next%len(texts)] }) {
			checkLimits(t, v)
		}
	})
}

func TestNothingAtAllIsShownToo(t *testing.T) {
	for name, v := range everything(func() string { return "" }) {
		t.Run(name, func(t *testing.T) { checkLimits(t, v) })
	}
}

// fewer lowers rapid's number of checks for one test. They are drawn anew in each run; with DARKROOM_TEST_ALL there are four times as many.
func fewer(t *testing.T, checks int) {
	t.Helper()
	if os.Getenv("DARKROOM_TEST_ALL") != "" {
		checks *= 4
	}
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	require.NoError(t, f.Value.Set(strconv.Itoa(checks)))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}
