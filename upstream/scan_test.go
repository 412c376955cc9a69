package upstream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"darkroom/order"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Scanning finds the same values as decoding.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`[]`, `{}`, `[1]`, ` [ "a" , {"b":[1,2]} , null ]`, `{"a":1, "b" : "x\"]}" }`, `[[[]],{"x":{}}]`, `{"2":"b","1":"a"}`, `[-1.5e3,true,"\\"]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		value := bytes.TrimSpace(raw)
		var list []json.RawMessage
		var object map[string]json.RawMessage
		switch {
		case !json.Valid(value), json.Unmarshal(value, &list) != nil && json.Unmarshal(value, &object) != nil, value[0] == 'n':
			return
		}
		n := 0
		for key, found := range members(value) {
			want := json.RawMessage(nil)
			if key == nil {
				want = list[n]
			} else {
				var name string
				require.NoError(t, json.Unmarshal(key, &name))
				want = object[name]
			}
			if n++; key == nil {
				assert.Equal(t, string(want), string(found))
			}
			assert.True(t, json.Valid(found))
			assert.Contains(t, string(value), string(want))
		}
		if list != nil {
			assert.Len(t, list, n)
		}
	})
}

// manyLines returns a conversation of n entries, newest first.
func manyLines(n int) string {
	var lines []string
	for i := n - 1; i >= 0; i-- {
		lines = append(lines, fmt.Sprintf(`{"content":"%d","created_at":"2017-12-02T12:%02d:%02dZ"}`, i, i/60%60, i%60))
	}
	return "[" + strings.Join(lines, ",") + "]"
}

func TestTheNewestLinesAreRead(t *testing.T) {
	for _, n := range []int{order.MaxEntries, order.MaxEntries + 1, 2 * mostItems, 2*mostItems + 7, 3000} {
		o := decoded(t, `{"conversations":`+manyLines(n)+`}`)
		assert.Equal(t, n > order.MaxEntries, o.CutEntries, n)
		got := o.Conversation
		require.Len(t, got, order.MaxEntries, n)
		assert.Equal(t, fmt.Sprint(n-1), got[len(got)-1].Content, n)
	}
	var all many[text]
	require.NoError(t, json.Unmarshal([]byte("["+strings.Repeat(`"x",`, 1700)+`"last"]`), &all))
	require.Len(t, all, 2*mostItems)
	assert.Equal(t, text("last"), all[len(all)-1])
	require.NoError(t, json.Unmarshal([]byte(`["first",`+strings.Repeat(`"x",`, 600)+`"last"]`), &all))
	require.Len(t, all, 602)
	assert.Equal(t, []text{"first", "last"}, []text{all[0], all[601]})
}

func TestMoreImagesThanAreKeptAreCut(t *testing.T) {
	images := strings.Repeat(`{"id":"a"},`, order.MaxEntries-1) + `{"id":"b"}`
	got := decoded(t, `{"edited_images":[`+images+`]}`)
	assert.Len(t, got.EditedImages, order.MaxEntries)
	assert.False(t, got.Cut)
	got = decoded(t, `{"edited_images":[`+images+`,{"id":"c"}]}`)
	assert.Len(t, got.EditedImages, order.MaxEntries)
	assert.True(t, got.Cut)
}

func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("ü", 100_000)
	got := decoded(t, fmt.Sprintf(`{"order_id":%[1]q,"project_name":%[1]q,"customer_id":%[1]q,"status":%[1]q,"price":%[2]s,"revision":%[2]s,
		"ordered_at":%[1]q,"conversations":[{"from":%[1]q,"content":%[1]q}],
		"edited_images":[{"id":%[1]q,"name":%[1]q,"size":%[1]q,"thumb":%[1]q,"origin":%[1]q}]}`, long, strings.Repeat("1", 200)))
	assert.Empty(t, got.ID)
	assert.Equal(t, strings.Repeat("ü", 500), got.ProjectName)
	assert.Equal(t, strings.Repeat("ü", 127), got.CustomerID, "no letter is cut in two")
	assert.Len(t, got.Status, 100)
	assert.False(t, got.Price.Valid)
	assert.Nil(t, got.Revision)
	assert.Len(t, got.Conversation[0].Content, 20_000)
	assert.Len(t, got.Conversation[0].From, 100)
	assert.Equal(t, order.EditedImage{Name: strings.Repeat("ü", 500), Size: strings.Repeat("ü", 50)}, got.EditedImages[0])

	quoted := strings.Repeat("&quot;", order.MaxMessage)
	assert.Equal(t, strings.Repeat(`"`, order.MaxMessage), decoded(t, `{"conversations":[{"content":"`+quoted+`"}]}`).Conversation[0].Content, "a message of ours never is")
}

func TestReasonsAreBounded(t *testing.T) {
	f, _ := readForm([]byte(`{"errors":[` + strings.Repeat(`"no",`, 50_000) + `"` + strings.Repeat("x", 5000) + `"]}`))
	assert.Len(t, f.Errors.texts, mostReasons)
	f, _ = readForm([]byte(`{"errors":{` + strings.Repeat(`"k":"no",`, 50_000) + `"a":"` + strings.Repeat("x", 5000) + `"}}`))
	assert.Len(t, f.Errors.texts, mostReasons)
	f, _ = readForm([]byte(`{"errors":"` + strings.Repeat("x", 5000) + `"}`))
	assert.Equal(t, []string{strings.Repeat("x", longestReason)}, f.Errors.texts)
	f, _ = readForm([]byte(`{"errors":` + strings.Repeat("[", 5000) + strings.Repeat(`"x",`, 1000) + `"x"` + strings.Repeat("]", 5000) + `}`))
	assert.Empty(t, f.Errors.texts)
	assert.True(t, f.Errors.malformed, "nobody looks that deep")
}

func TestAPageOfFarTooManyOrdersIsNone(t *testing.T) {
	page := func(rows int) form {
		return form{Data: rawJSON("[" + strings.Repeat(`{"order_id":"A1"},`, rows-1) + `{"order_id":"A1"}]`)}
	}
	read, err := page(mostRows).page()
	require.NoError(t, err)
	assert.Len(t, read.Orders, mostRows)
	_, err = page(mostRows + 1).page()
	require.ErrorContains(t, err, "more than 200 orders")
	assert.True(t, hasOrder([]byte("["+strings.Repeat("{},", 1000)+"{}]")), "nobody looks at all of them")
	assert.False(t, hasOrder([]byte("[{},{}]")))
}
