package kit_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWordsReadAsTyped(t *testing.T) {
	tests := map[string]struct{ typed, want string }{
		"plain":             {"Smith wedding", "Smith wedding"},
		"a mention":         {"<!channel>", "&lt;!channel&gt;"},
		"an entity":         {"&lt;", "&amp;lt;"},
		"bold":              {"*so*", "<!date^00000000^{_}|*>so<!date^00000000^{_}|*>"},
		"an emoji's name":   {":tada::+1: at 10:30:45", ":\u200btada::\u200b+1: at 10:\u200b30:45"},
		"one by chance":     {"a:b\x00c:d: e", "a:\u200bbc:\u200bd: e"},
		"a quotation":       {"> so\n>> be it > now", "\u200b&gt; so\n\u200b&gt;&gt; be it &gt; now"},
		"inside a word":     {"my_beach_2.jpg", "my_beach_2.jpg"},
		"an override":       {"a\u202egpj.exe", "agpj.exe"},
		"a control":         {"a\x00b\x1b[31m", "ab[31m"},
		"lines stay":        {"a\nb", "a\nb"},
		"broken UTF-8":      {"a\xffb", "a\ufffdb"},
		"emoji and Hebrew":  {"🎉 חתונה", "🎉 חתונה"},
		"a family together": {"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, kit.Escape(tt.typed)) })
	}
}

func TestWhatIsCopiedFromTheScreenReadsAsItWasWritten(t *testing.T) {
	for _, typed := range []string{":tada: *so* `x`", "> a _b_ ~c~", "my_beach.jpg"} {
		require.Equal(t, typed, kit.AsTyped(strings.ReplaceAll(strings.ReplaceAll(kit.InLabel.Replace(kit.Escape(typed)), "&gt;", ">"), "&lt;", "<")))
	}
}

func TestCuttingKeepsWhatFitsAndSaysSo(t *testing.T) {
	tests := map[string]struct {
		typed string
		limit int
		want  string
	}{
		"fits exactly":           {"abcde", 5, "abcde"},
		"one too many":           {"abcdef", 5, "abcd…"},
		"not inside an entity":   {"ab<cd", 5, "ab…"},
		"an entity that fits":    {"a<", 5, "a&lt;"},
		"not inside a character": {"ab🎉c", 4, "ab…"},
		"nothing":                {"", 5, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, kit.EscapeTo(tt.typed, tt.limit)) })
	}
}

func TestCuttingNeverExceedsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typed, limit := rapid.String().Draw(t, "typed"), rapid.IntRange(1, 40).Draw(t, "limit")
		for _, s := range []string{kit.EscapeTo(typed, limit), kit.Plain(typed, limit), kit.Clip(typed, limit)} {
			require.LessOrEqual(t, kit.Units(s), limit)
		}
		(&cardstest.Checker{T: t}).Safe(kit.EscapeTo(typed, limit))
	})
}

func TestOurOwnTextIsNotCutInsideALink(t *testing.T) {
	text := strings.Repeat("a", 20) + kit.Link("https://example.com/a", "Full size") + " &amp; more"
	for limit := 4; limit <= len(text); limit++ {
		got := kit.Cut(text, limit)
		require.LessOrEqual(t, len(got), limit)
		(&cardstest.Checker{T: t}).Safe(got)
	}
	require.Equal(t, text, kit.Cut(text, len(text)))
}

func TestALinkIsOnlyMadeOfAWebAddress(t *testing.T) {
	tests := map[string]struct{ address, want string }{
		"https":           {"https://e.com/a?b=1&c=2", "<https://e.com/a?b=1&amp;c=2|Full size>"},
		"a bar":           {"https://e.com/a|b", "<https://e.com/a%7Cb|Full size>"},
		"a bracket":       {"https://e.com/a><!channel>", "<https://e.com/a%3E%3C!channel%3E|Full size>"},
		"javascript":      {"javascript:alert(1)", "Full size"},
		"a special":       {"!channel", "Full size"},
		"nothing":         {"", "Full size"},
		"a space":         {"https://e.com/a b", "Full size"},
		"absurdly long":   {"https://e.com/" + strings.Repeat("a", 3000), "Full size"},
		"no host":         {"https:///a", "Full size"},
		"broken":          {"https://e.com/%zz", "Full size"},
		"upper-case http": {"HTTP://e.com", "<HTTP://e.com|Full size>"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, kit.Link(tt.address, "Full size")) })
	}
}

func TestOnlyARealIDIsMentioned(t *testing.T) {
	require.Equal(t, "<@U0MARIA>", kit.Mention("U0MARIA"))
	require.Equal(t, "&lt;!channel&gt;", kit.Mention("<!channel>"))
	require.Equal(t, "U0&gt;&lt;!here", kit.Mention("U0><!here"))
	require.Equal(t, "by <@U0MARIA>", kit.By("U0MARIA"))
	require.Equal(t, "elsewhere", kit.By(""))
	require.Equal(t, "<#C0PHOTOS>", kit.ChannelLink("C0PHOTOS"))
	require.Equal(t, "the channel", kit.ChannelLink(""))
	require.Equal(t, "&lt;!here&gt;", kit.ChannelLink("<!here>"))
}

func TestTimesAreDateTokens(t *testing.T) {
	at := time.Date(2026, 11, 21, 13, 0, 0, 0, time.FixedZone("", 4*3600))
	require.Equal(t, "<!date^1795251600^{date_short_pretty} at {time}|21 Nov 2026 09:00 UTC>", kit.When(at))
}

func TestCreditsAreShownAsPeopleWriteMoney(t *testing.T) {
	for exact, shown := range map[string]string{
		"1.0": "1 credit", "0.10000000000000001": "0.1 credits", "394.8099999999999822": "394.81 credits", "12.5": "12.5 credits",
		"2.0299999999999998": "2.03 credits", "0.125": "0.13 credits", "-3.999": "-4 credits", "0.004": "0.004 credits", "0": "0 credits", "1e20": "100000000000000000000 credits",
		"0.9999999999999999": "1 credit",
	} {
		require.Equal(t, shown, kit.CreditCount(decimal.RequireFromString(exact)), exact)
	}
	require.Equal(t, "very many", kit.Amount(decimal.New(1, 1_000_000)))
}

func TestALongQuotationLosesNothingWithinItsLimit(t *testing.T) {
	typed := strings.Repeat("a & b\n", 700) + strings.Repeat("c", 3500)
	p := &kit.Page{}
	p.Quote(typed, 11_000)
	got := strings.ReplaceAll(strings.Join(p.Words, "\n"), "&amp;", "&")
	got = strings.ReplaceAll(got, "> ", "")
	require.Equal(t, strings.ReplaceAll(typed, "\n", ""), strings.ReplaceAll(got, "\n", ""))
	for _, words := range p.Words {
		require.LessOrEqual(t, kit.Units(words), kit.MaxSection)
	}
}

func TestAQuotationWithoutRoomSaysSo(t *testing.T) {
	p := &kit.Page{Size: kit.MaxMessage - 100}
	p.Quote(strings.Repeat("a", 200), kit.MaxQuote)
	require.Equal(t, []string{"The rest is too long to show."}, p.Words)
}

func TestEqualReasonsAreOneWithACount(t *testing.T) {
	twelve := slices.Repeat([]string{"too small"}, 12)
	require.Equal(t, []string{"too small (12 times)", "too dark &amp; blue"}, kit.InlineAll(append(twelve, "too dark & blue"), 80))
	require.Equal(t, "“too small (2 times).” “Gone!”", kit.InQuotes([]string{"too small", "Gone!", "too small"}))
	require.Empty(t, kit.InlineAll(nil, 80))
}
