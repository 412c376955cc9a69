package upstream

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"darkroom/order"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decoded(t *testing.T, data string) order.Order {
	t.Helper()
	return orderOf(json.RawMessage(data))
}

func TestOrderIsReadFromAnObjectOrAnArrayWithOne(t *testing.T) {
	tests := map[string]struct {
		data string
		id   string
	}{
		"object":              {`{"order_id":"A1"}`, "A1"},
		"array":               {` [ {"order_id":"A1"} ] `, "A1"},
		"php array with gaps": {`{"3":{"order_id":"A1"}}`, "A1"},
		"number":              {`{"order_id":12345678901234567890}`, "12345678901234567890"},
		"blanks around":       {`{"order_id":" A1 "}`, "A1"},
		"two orders":          {`[{"order_id":"A1"},{"order_id":"A2"}]`, ""},
		"empty array":         {`[]`, ""},
		"null":                {`null`, ""},
		"nothing":             {``, ""},
		"text":                {`"A1"`, ""},
		"list of texts":       {`["A1"]`, ""},
		"id is an object":     {`{"order_id":{}}`, ""},
		"id is true":          {`{"order_id":true}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.id, decoded(t, test.data).ID) })
	}
}

func TestCustomerIDKeepsItsDigits(t *testing.T) {
	for sent, want := range map[string]string{
		`9007199254740993`: "9007199254740993", `"007"`: "007", `12345678901234567890`: "12345678901234567890",
		`null`: "", `[1]`: "", `false`: "",
	} {
		assert.Equal(t, want, decoded(t, `{"customer_id":`+sent+`}`).CustomerID, sent)
	}
}

func TestPriceIsExactOrAbsent(t *testing.T) {
	for sent, want := range map[string]string{
		`0.1`: "0.1", `"12.50"`: "12.5", `3`: "3", `0`: "0", `1e2`: "100",
		`2.0299999999999998`: "2.03", `"394.8099999999999822"`: "394.81", `0.30000000000000004`: "0.3", `3.141592653589793`: "3.14159265358979",
		`123456789012345678`: "123456789012345678", `0.125`: "0.125",
		`null`: "", `""`: "", `"free"`: "", `1e999999999`: "", `"1,5"`: "", `{}`: "",
	} {
		p := decoded(t, `{"price":`+sent+`}`).Price
		assert.Equal(t, want != "", p.Valid, sent)
		if p.Valid {
			assert.Equal(t, want, p.Decimal.String(), sent)
		}
	}
}

func TestRevisionIsAbsentNotZero(t *testing.T) {
	for sent, want := range map[string]int{`0`: 0, `2`: 2, `"3"`: 3, `2.0`: 2} {
		o := decoded(t, `{"revision":`+sent+`}`)
		require.NotNil(t, o.Revision, sent)
		assert.Equal(t, want, o.Rev(), sent)
	}
	for _, sent := range []string{`null`, `"x"`, `1.5`, `99999999999999999999`, `[]`} {
		o := decoded(t, `{"revision":`+sent+`}`)
		assert.Nil(t, o.Revision, sent)
		assert.Zero(t, o.Rev(), sent)
	}
}

func TestTimesAreReadWithEveryOffsetAndOddOnesAreAbsent(t *testing.T) {
	noon := time.Date(2017, 12, 2, 12, 0, 0, 0, time.UTC)
	for sent, want := range map[string]time.Time{
		`"2017-12-02T16:00:00+04:00"`:     noon,
		`"2017-12-02T16:00:00+0400"`:      noon,
		`"2017-12-02T16:00:00+04"`:        noon,
		`"2017-12-02T12:00:00Z"`:          noon,
		`"2017-12-02T12:00:00.500Z"`:      noon.Add(500 * time.Millisecond),
		`""`:                              {},
		`null`:                            {},
		`"soon"`:                          {},
		`1512216000`:                      {},
		`"2017-12-02"`:                    {},
		`"-0001-11-30T00:00:00+00:00"`:    {},
		`"9999-12-31T23:59:59-23:59"`:     {},
		`"0001-01-01T00:00:00+23:59"`:     {},
		`{"date":"2017-12-02T12:00:00Z"}`: {},
	} {
		o := decoded(t, `{"order_id":"A1","ordered_at":`+sent+`}`)
		assert.Equal(t, want, o.OrderedAt, sent)
		assert.Equal(t, "A1", o.ID, sent)
	}
}

func TestStatusIsKeptWhateverItIs(t *testing.T) {
	for sent, want := range map[string]order.Status{"closed": order.StatusClosed, "Closed": order.StatusClosed, " reviewing ": order.StatusReviewing, "On Hold": "On Hold", "": ""} {
		assert.Equal(t, want, decoded(t, `{"status":"`+sent+`"}`).Status)
	}
	assert.True(t, order.StatusCanceled.Final())
	assert.True(t, order.StatusClosed.Final())
	assert.False(t, order.Status("on hold").Final())
}

func TestAbsentImagesAreNotNone(t *testing.T) {
	assert.Nil(t, decoded(t, `{"order_id":"A1"}`).EditedImages)
	assert.Nil(t, decoded(t, `{"edited_images":null}`).EditedImages)
	assert.Nil(t, decoded(t, `{"edited_images":"none"}`).EditedImages)
	for _, none := range []string{`[]`, `{}`, `[null]`, `["x"]`} {
		got := decoded(t, `{"edited_images":`+none+`}`).EditedImages
		assert.NotNil(t, got, none)
		assert.Empty(t, got, none)
	}
}

func TestImagesAreReadInTheOrderOfTheService(t *testing.T) {
	got := decoded(t, `{"edited_images":[{"id":7,"name":"b.jpg","width":"800","height":600,"size":"2.5MB","revision":1,
		"uploaded_at":"2017-12-02T16:00:00+04:00","thumb":"https://s.test/t","origin":"https://s.test/o","more":{}},{"id":"x2"}]}`).EditedImages
	require.Len(t, got, 2)
	assert.Equal(t, order.EditedImage{
		ID: "7", Name: "b.jpg", Width: 800, Height: 600, Size: "2.5MB", Revision: 1,
		UploadedAt: time.Date(2017, 12, 2, 12, 0, 0, 0, time.UTC), Thumb: "https://s.test/t", Origin: "https://s.test/o",
	}, got[0])
	assert.Equal(t, "x2", got[1].ID)

	gaps := decoded(t, `{"edited_images":{"10":{"id":"late"},"2":{"id":"early"}}}`).EditedImages
	require.Len(t, gaps, 2)
	assert.Equal(t, "early", gaps[0].ID)
}

func TestALineOfTheConversationSaysItsRoundOrDoesNot(t *testing.T) {
	got := decoded(t, `{"conversations":[{"content":"a","revision":0},{"content":"b","revision":"2"},{"content":"c"},{"content":"d","revision":null}]}`).Conversation
	require.Len(t, got, 4)
	said := map[string]*int{}
	for _, e := range got {
		said[e.Content] = e.Revision
	}
	assert.Equal(t, map[string]*int{"a": new(int), "b": new(2), "c": nil, "d": nil}, said)
}

func TestConversationIsOldestFirst(t *testing.T) {
	entry := func(content, at string) string { return `{"content":"` + content + `","created_at":"` + at + `"}` }
	const early, late = "2017-12-02T12:00:00Z", "2017-12-02T13:00:00Z"
	tests := map[string]struct{ sent, want string }{
		"newest first":        {entry("c", late) + "," + entry("b", early) + "," + entry("a", early), "abc"},
		"oldest first":        {entry("a", early) + "," + entry("b", early) + "," + entry("c", late), "abc"},
		"all in a second":     {entry("c", early) + "," + entry("b", early) + "," + entry("a", early), "abc"},
		"without times":       {entry("c", "") + "," + entry("b", "") + "," + entry("a", ""), "abc"},
		"one has no time":     {entry("c", late) + "," + entry("b", "") + "," + entry("a", early), "abc"},
		"the newest has none": {entry("c", "") + "," + entry("b", late) + "," + entry("a", early), "abc"},
		"the oldest has none": {entry("a", "") + "," + entry("b", early) + "," + entry("c", late), "abc"},
		"mixed":               {entry("b", early) + "," + entry("c", late) + "," + entry("a", early), "abc"},
		"a different zone":    {entry("b", "2017-12-02T15:00:00+01:00") + "," + entry("a", late), "ab"},
		"none":                {"", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, `{"conversations":[`+test.sent+`]}`).Conversation
			require.NotNil(t, got)
			var said strings.Builder
			for _, e := range got {
				said.WriteString(e.Content)
			}
			assert.Equal(t, test.want, said.String())
		})
	}
	assert.Nil(t, decoded(t, `{}`).Conversation)
}

func TestOnlyClientIsOurSide(t *testing.T) {
	assert.True(t, order.Entry{From: "client"}.FromClient())
	assert.True(t, order.Entry{From: "Client "}.FromClient())
	assert.False(t, order.Entry{From: "service"}.FromClient())
	assert.False(t, order.Entry{From: "Photo Editors Inc"}.FromClient())
	assert.False(t, order.Entry{}.FromClient())
}

func TestErrorsAreReadFromEveryShape(t *testing.T) {
	tests := map[string]struct {
		sent string
		want []string
		odd  bool
	}{
		"none":              {`[]`, nil, false},
		"null":              {`null`, nil, false},
		"false":             {`false`, nil, false},
		"empty text":        {`""`, nil, false},
		"empty map":         {`{}`, nil, false},
		"two":               {`["a","b"]`, []string{"a", "b"}, false},
		"one text":          {`"a"`, []string{"a"}, false},
		"map":               {`{"1":"b","0":"a"}`, []string{"a", "b"}, false},
		"lists in a map":    {`{"images":["a","b"]}`, []string{"a", "b"}, false},
		"numbers":           {`[500]`, []string{"500"}, false},
		"a blank one":       {`[""]`, nil, true},
		"null in the array": {`[null,"a"]`, []string{"a"}, true},
		"true":              {`true`, nil, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, ours := readForm([]byte(`{"errors":` + test.sent + `}`))
			assert.True(t, ours)
			assert.Equal(t, test.want, f.Errors.texts)
			assert.Equal(t, test.odd, f.Errors.malformed)
		})
	}
}

func TestOnlyTheServicesFormIsRead(t *testing.T) {
	for body, want := range map[string]bool{
		`{"errors":[]}`: true, `{"data":{}}`: true, "\ufeff" + `{"errors":[]}`: true,
		`{}`: false, `{"message":"Not Found"}`: false, `[]`: false, `null`: false, `"x"`: false, ``: false,
		`<html>`: false, `{"errors":[]`: false, `{"errors":[]} trailing`: false,
	} {
		_, ours := readForm([]byte(body))
		assert.Equal(t, want, ours, body)
	}
}

func TestOrderSurvivesItsOwnJSON(t *testing.T) {
	o := decoded(t, `{"order_id":"A1","customer_id":7,"price":"0.10","status":"odd","revision":0,"ordered_at":"2017-12-02T16:00:00+0400",
		"edited_images":[],"conversations":[{"from":"client","content":"hi"}]}`)
	b, err := json.Marshal(o)
	require.NoError(t, err)
	var back order.Order
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, o, back)

	b, err = json.Marshal(order.Order{})
	require.NoError(t, err)
	assert.JSONEq(t, `{}`, string(b))
}

// No body is a success without the right order, and every decoded order can be saved as JSON.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"errors":[],"data":{"order_id":"A1","status":"closed","price":1.5,"ordered_at":"2017-12-02T16:00:00+04:00"}}`,
		`{"errors":[],"data":[{"order_id":"A1","status":"closed","conversations":[{"from":"client"}],"edited_images":[{"id":1}]}]}`,
		`{"errors":["Invalid order status"],"data":[]}`, `{"errors":{"1":["x"]},"data":{"3":{"order_id":2}}}`, `<html>`, `{"errors":[],"data":{"order_id":"A1"`,
	} {
		f.Add(200, seed)
		f.Add(502, seed)
	}
	r := request{op: "approve", method: "POST", id: "A1", want: order.StatusClosed}
	f.Fuzz(func(t *testing.T, status int, body string) {
		a := &answer{status: status, body: []byte(body), redact: newRedactor("s3cret")}
		err := a.toError(r)
		o, unclear := r.order(a.form)
		if err == nil && unclear == nil {
			assert.Equal(t, "A1", o.ID)
			assert.Equal(t, order.StatusClosed, o.Status)
			assert.Empty(t, a.form.Errors.texts)
			assert.Equal(t, 2, status/100)
		}
		_, _ = a.form.page()
		kept, err := json.Marshal(o)
		require.NoError(t, err)
		var back order.Order
		require.NoError(t, json.Unmarshal(kept, &back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		assert.Equal(t, string(kept), string(again))
	})
}
