package upstream_test

import (
	"errors"
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatCannotBeAcceptedNeverLeaves(t *testing.T) {
	say := []string{"brighter"}
	create := func(n upstream.NewOrder) func(*upstream.Client) error {
		return func(c *upstream.Client) error { return anOrder(c.Create(t.Context(), n)) }
	}
	list := func(f order.Filter) func(*upstream.Client) error {
		return func(c *upstream.Client) error {
			_, err := c.List(t.Context(), f)
			return err
		}
	}
	message := func(id, text string) func(*upstream.Client) error {
		return func(c *upstream.Client) error { return anOrder(c.Message(t.Context(), id, text)) }
	}
	revise := func(m map[string][]string) func(*upstream.Client) error {
		return func(c *upstream.Client) error { return anOrder(c.Revise(t.Context(), "A1", m)) }
	}
	references := func(i ...upstream.RefImage) func(*upstream.Client) error {
		return func(c *upstream.Client) error { return anOrder(c.AddReferences(t.Context(), "A1", i)) }
	}
	tests := map[string]struct {
		call func(*upstream.Client) error
		want string
	}{
		"keyword of five":           {list(order.Filter{Keywords: []string{"wedding", "ééééé"}}), "too short: a keyword needs 6"},
		"keyword of blanks":         {list(order.Filter{Keywords: []string{"a         "}}), "too short: a keyword needs 6"},
		"filter by long customer":   {list(order.Filter{CustomerID: strings.Repeat("1", 21)}), "at most 20 characters"},
		"message of 5001":           {message("A1", strings.Repeat("é", 5001)), "has 5001 characters; at most 5000"},
		"blank message":             {message("A1", " \n"), "message is empty"},
		"message to nobody":         {message(" ", "hello"), "not an order id"},
		"message to the parent":     {message("..", "hello"), "not an order id"},
		"no instructions":           {create(upstream.NewOrder{Images: images}), "at least one instruction"},
		"blank instructions":        {create(upstream.NewOrder{Images: images, Instructions: []string{" "}}), "at least one instruction"},
		"no images":                 {create(upstream.NewOrder{Instructions: say}), "at least one image"},
		"image without address":     {create(upstream.NewOrder{Instructions: say, Images: []upstream.Image{{Service: order.ServiceBasic}}}), "Image 1 has no address"},
		"image of unknown service":  {create(upstream.NewOrder{Instructions: say, Images: []upstream.Image{{URL: "https://a.test/x"}}}), "Image 1 has no service type"},
		"customer id of 21":         {create(upstream.NewOrder{Instructions: say, Images: images, CustomerID: strings.Repeat("é", 21)}), "at most 20 characters"},
		"no revisions":              {revise(nil), "at least one image what should change"},
		"blank revisions":           {revise(map[string][]string{"i1": {" "}}), "at least one image what should change"},
		"revision of no image":      {revise(map[string][]string{"": {"x"}}), "names no image"},
		"no references":             {references(), "at least one image"},
		"reference without address": {references(upstream.RefImage{Instruction: "x"}), "Image 1 has no address"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := reply(t, 200, `{"errors":[],"data":{"order_id":"A1"}}`)
			err := test.call(client(t, s))
			var input *order.InputError
			require.ErrorAs(t, err, &input)
			assert.Contains(t, input.Problem, test.want)
			assert.Contains(t, err.Error(), input.Problem)
			assert.False(t, errors.Is(err, order.ErrUnknown))
			assert.Empty(t, s.seen())
		})
	}
}

func TestEveryProblemOfANewOrderIsToldAtOnce(t *testing.T) {
	s := reply(t, 200, writes["create"].ok)
	_, err := client(t, s).Create(t.Context(), upstream.NewOrder{CustomerID: strings.Repeat("1", 21)})
	for _, problem := range []string{"at least one instruction", "at least one image", "A customer id has at most 20"} {
		require.ErrorContains(t, err, problem)
	}
}

func TestLimitsCountCharacters(t *testing.T) {
	s := reply(t, 200, writes["message"].ok)
	require.NoError(t, anOrder(client(t, s).Message(t.Context(), "A1", strings.Repeat("漢", 5000))))
	s = reply(t, 200, reads["list"].ok)
	_, err := client(t, s).List(t.Context(), order.Filter{Keywords: []string{"éééééé"}, CustomerID: strings.Repeat("é", 20)})
	require.NoError(t, err)
}

func TestRevisionsWithoutWordsAreLeftOut(t *testing.T) {
	s := reply(t, 200, writes["revise"].ok)
	_, err := client(t, s).Revise(t.Context(), "A1", map[string][]string{"i2": {"b"}, "i1": {"a", " "}, "i3": nil})
	require.NoError(t, err)
	assert.Equal(t, `{"i1":["a"],"i2":["b"]}`, s.only(t).query.Get("instructions"))
}

func TestConfigurationProblemsAreReportedTogetherWithoutSecrets(t *testing.T) {
	_, err := upstream.New(upstream.Config{URL: "https://user:pa55word@a.test", Params: "cookie", Signature: "perl", Timeout: -1})
	require.Error(t, err)
	for _, word := range []string{"url", "key", "secret", "params", "signature", "timeout"} {
		assert.ErrorContains(t, err, word)
	}
	assert.NotContains(t, err.Error(), "pa55word")
	for _, bad := range []string{"", "a.test", "ftp://a.test", "https://a.test?x=1", "https://a.test/#x", "https://a.test:port", "https://"} {
		_, err = upstream.New(upstream.Config{URL: bad, Key: key, Secret: secret})
		assert.ErrorContains(t, err, "upstream url", bad)
	}
}
