package client

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func directory(mark byte, id string) string {
	return map[string]string{"@U1": "Maria Lopez", "@U2": "A&amp;B <!channel>", "#C1": "shoots"}[string(mark)+id]
}

func TestMarkupBecomesPlainWords(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a mention":                        {"hi <@U1>!", "hi @Maria Lopez!"},
		"a mention with a label":           {"<@U1|maria>", "@Maria Lopez"},
		"an unknown person":                {"<@U9>", "@someone"},
		"an unknown person with a label":   {"<@U9|peter>", "@peter"},
		"a name with markup of its own":    {"<@U2>", "@A&B !channel"},
		"a channel":                        {"see <#C9|looks>", "see #looks"},
		"a channel to be looked up":        {"<#C1> <#C1|>", "#shoots #shoots"},
		"a private channel":                {"<#C2|>", "#private-channel"},
		"everybody":                        {"<!here> <!channel> <!everyone|everyone>", "@here @channel @everyone"},
		"a group":                          {"<!subteam^S1|@editors>", "@editors"},
		"a group without a label":          {"<!subteam^S1>", "@group"},
		"a date":                           {"<!date^1392734382^{date}|18 Feb 2014>", "18 Feb 2014"},
		"a date that links":                {"<!date^1392734382^{date}^https://e.com/|18 Feb>", "18 Feb"},
		"a link":                           {"<https://e.com/a?b=1&amp;c=2>", "https://e.com/a?b=1&c=2"},
		"a link with a label":              {"like <https://e.com/a|this one>.", "like this one (https://e.com/a)."},
		"a link that is its label":         {"<https://e.com|https://e.com>", "https://e.com"},
		"an address that Slack recognised": {"<http://e.com|e.com>", "e.com"},
		"mail":                             {"<mailto:a@e.com|a@e.com> <mailto:a@e.com>", "a@e.com a@e.com"},
		"a telephone number":               {"<tel:+4930123|+49 30 123>", "+49 30 123"},
		"entities":                         {"5 &lt; 6 &amp;&amp; 7 &gt; 6", "5 < 6 && 7 > 6"},
		"entities once":                    {"&amp;lt;&amp;amp;", "&lt;&amp;"},
		"what was typed like a mention":    {"&lt;!channel&gt;", "<!channel>"},
		"formatting":                       {"*bold* _it_ ~x~ `code` :wave: > quote", "*bold* _it_ ~x~ `code` :wave: > quote"},
		"brackets that were typed":         {"a < b, c > d <3 <b> < @U1>", "a < b, c > d <3 <b> < @U1>"},
		"one inside another":               {"<<@U1>>", "<@Maria Lopez>"},
		"lines":                            {"one\n\ntwo ", "one\n\ntwo "},
		"right to left":                    {"שלום <@U1> 🎉", "שלום @Maria Lopez 🎉"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, plainText(test.text, directory))
		})
	}
}

func FuzzPlainWords(f *testing.F) {
	for _, seed := range []string{"<@U1>", "<!subteam^S1|<@U1>>", "<<!here>>", "<https://e.com|x> &amp;lt;", "<#C1|>", "a < b", "<!date^1^x|y>"} {
		f.Add(seed)
	}
	slacks := regexp.MustCompile(`<([@#][A-Z0-9]+|!(here|channel|everyone|(subteam|date)\^[^<>|]*)|(https?|mailto):[^<>|\s]+)(\|[^<>]*)?>`)
	f.Fuzz(func(t *testing.T, text string) {
		plain := plainText(text, directory)
		if !strings.Contains(text, "&") {
			require.NotRegexp(t, slacks, plain)
		}
		if !strings.ContainsAny(text, "<&") {
			require.Equal(t, text, plain)
		}
		if once := entities.Replace(text); !construct.MatchString(text) {
			require.Equal(t, once, plain, "only entities were touched")
		}
	})
}
