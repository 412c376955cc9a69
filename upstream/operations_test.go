package upstream_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryOperationGoesWhereTheInterfaceSays(t *testing.T) {
	tests := map[string]string{
		"balance": "GET /account/balance", "list": "GET /orders", "fetch": "GET /orders/A1",
		"create": "POST /orders/create", "cancel": "DELETE /orders/cancel", "revise": "POST /orders/A1/revise",
		"approve": "POST /orders/A1/approve", "message": "POST /orders/A1/message", "reference": "POST /orders/A1/refimages/create",
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			op, ok := writes[name]
			if !ok {
				op = reads[name]
			}
			s := reply(t, 200, op.ok)
			require.NoError(t, op.call(t.Context(), client(t, s)))
			ask := s.only(t)
			assert.Equal(t, want, ask.method+" "+ask.path)
			assert.Equal(t, key, ask.query.Get("api_key"))
			assert.Len(t, ask.query.Get("signature"), 64)
			assert.Empty(t, ask.body)
			assert.Empty(t, ask.header.Values("Idempotency-Key"))
			assert.Empty(t, ask.header.Values("X-Idempotency-Key"))
			assert.Empty(t, ask.header.Values("Authorization"))
		})
	}
}

func TestCreateSendsTheWholeOrderAndReadsTheAnswer(t *testing.T) {
	s := reply(t, 200, `{"errors":[],"data":{"order_id":"A1","project_name":"Wedding [K7Q2XM]","customer_id":42,"price":2.50,"status":"editing",
		"ordered_at":"2017-12-02T16:00:00+04:00","estimated_delivery":"2017-12-03T16:00:00+04:00"}}`)
	o, err := client(t, s).Create(t.Context(), upstream.NewOrder{
		ProjectName: "Wedding [K7Q2XM]", CustomerID: "42", Instructions: []string{" brighter ", " ", "no crop"}, Images: images,
	})
	require.NoError(t, err)
	assert.Equal(t, "A1", o.ID)
	assert.Equal(t, "42", o.CustomerID)
	assert.Equal(t, "2.5", o.Price.Decimal.String())
	assert.Nil(t, o.Revision)
	assert.Equal(t, 24*time.Hour, o.EstimatedDelivery.Sub(o.OrderedAt))

	q := s.only(t).query
	assert.Equal(t, "Wedding [K7Q2XM]", q.Get("project_name"))
	assert.Equal(t, "42", q.Get("customer_id"))
	assert.JSONEq(t, `["brighter","no crop"]`, q.Get("instructions"))
	assert.JSONEq(t, `[["https://a.test/x.jpg","basic","brighter"],["https://a.test/y.jpg","",""]]`, q.Get("images"))
}

func TestListSendsItsFilterAndReadsThePage(t *testing.T) {
	s := reply(t, 200, `{"errors":[],"per_page":20,"current_page":"2","total_pages":3,"total_results":41,"sort_by":"ordered_at",
		"data":[{"order_id":"A2","status":"reviewing","revision":1},{"order_id":1}]}`)
	page, err := client(t, s, plain).List(t.Context(), order.Filter{Status: "reviewing", CustomerID: "42", Keywords: []string{"wed/ding"}, Page: 2})
	require.NoError(t, err)
	assert.Equal(t, [4]int{20, 2, 3, 41}, [4]int{page.PerPage, page.Current, page.TotalPages, page.Total})
	require.Len(t, page.Orders, 2)
	assert.Equal(t, 1, page.Orders[0].Rev())
	assert.Equal(t, "1", page.Orders[1].ID)

	q := s.only(t).query
	assert.Equal(t, "reviewing", q.Get("filter_status"))
	assert.Equal(t, "42", q.Get("filter_customer_id"))
	assert.Equal(t, `["wed/ding"]`, q.Get("filter_keywords"))
	assert.Equal(t, "2", q.Get("page"))
}

func TestListIsNeverShortOfAnOrder(t *testing.T) {
	for _, data := range []string{`[{"order_id":"A1"},{"status":"editing"}]`, `[{"order_id":"A1"},"x"]`, `"none"`, `null`} {
		_, err := client(t, reply(t, 200, `{"errors":[],"data":`+data+`}`)).List(t.Context(), order.Filter{})
		assert.ErrorIs(t, err, order.ErrUnavailable, data)
	}
}

func TestEmptyOptionalParametersAreLeftOut(t *testing.T) {
	for name, op := range map[string]operation{"list": reads["list"], "approve": writes["approve"]} {
		s := reply(t, 200, op.ok)
		require.NoError(t, op.call(t.Context(), client(t, s, plain)))
		q := s.only(t).query
		assert.Len(t, q, 3, name)
		requireSigned(t, q)
	}
}

func TestBalanceIsExact(t *testing.T) {
	for sent, want := range map[string]string{`{"credits":12.10}`: "12.1", `[{"credits":"0.30"}]`: "0.3", `{"credits":0}`: "0"} {
		got, err := client(t, reply(t, 200, `{"errors":[],"data":`+sent+`}`)).Balance(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got.String())
	}
	for _, sent := range []string{`{}`, `null`, `{"credits":"many"}`, `[]`} {
		_, err := client(t, reply(t, 200, `{"errors":[],"data":`+sent+`}`)).Balance(t.Context())
		assert.ErrorIs(t, err, order.ErrUnavailable, sent)
	}
}

func TestOrderIDIsOnePathSegment(t *testing.T) {
	s := reply(t, 200, `{"errors":[],"data":{"order_id":"../a b?#/é%"}}`)
	_, err := client(t, s).Fetch(t.Context(), "../a b?#/é%")
	require.NoError(t, err)
	assert.Equal(t, "/orders/..%2Fa%20b%3F%23%2F%C3%A9%25", s.only(t).path)
}

func TestParametersTravelWhereTheyAreConfigured(t *testing.T) {
	const text = `a/b "c" <d> é`
	place := func(p string) func(*upstream.Config) {
		return func(c *upstream.Config) { c.Params, c.Signature = p, "plain" }
	}
	ok := writes["message"].ok
	t.Run("query", func(t *testing.T) {
		s := reply(t, 200, ok)
		require.NoError(t, anOrder(client(t, s, place("query")).Message(t.Context(), "A1", "a/b é")))
		ask := s.only(t)
		assert.Empty(t, ask.body)
		requireSigned(t, ask.query)
	})
	t.Run("form", func(t *testing.T) {
		s := reply(t, 200, ok)
		require.NoError(t, anOrder(client(t, s, place("form")).Message(t.Context(), "A1", "a/b é")))
		ask := s.only(t)
		assert.Empty(t, ask.query)
		assert.Equal(t, "application/x-www-form-urlencoded", ask.kind)
		requireSigned(t, ask.form)
	})
	t.Run("long query", func(t *testing.T) {
		s := reply(t, 200, ok)
		require.NoError(t, anOrder(client(t, s, place("")).Message(t.Context(), "A1", strings.Repeat("é/", 2000))))
		ask := s.only(t)
		assert.Empty(t, ask.query)
		requireSigned(t, ask.form)
	})
	t.Run("json", func(t *testing.T) {
		s := reply(t, 200, ok)
		require.NoError(t, anOrder(client(t, s, place("json")).Message(t.Context(), "A1", text)))
		ask := s.only(t)
		assert.Empty(t, ask.query)
		assert.Equal(t, "application/json", ask.kind)
		assert.Contains(t, ask.body, `"content_text":"a/b \"c\" <d> é"`)
		assert.Regexp(t, `"timestamp":\d+[,}]`, ask.body, "an integer, as the interface says")
		var sent map[string]any
		require.NoError(t, json.Unmarshal([]byte(ask.body), &sent))
		assert.Len(t, sent, 4)
	})
	t.Run("delete as json", func(t *testing.T) {
		s := reply(t, 200, writes["cancel"].ok)
		require.NoError(t, anOrder(client(t, s, place("json")).Cancel(t.Context(), "A1", []string{"wrong"})))
		assert.Contains(t, s.only(t).body, `"cancel_reason":["wrong"]`)
	})
	t.Run("a read always uses the query", func(t *testing.T) {
		s := reply(t, 200, reads["list"].ok)
		require.NoError(t, reads["list"].call(t.Context(), client(t, s, place("json"))))
		requireSigned(t, s.only(t).query)
	})
}

func TestBasicAuthIsSentOnlyWhenAsked(t *testing.T) {
	s := reply(t, 200, reads["balance"].ok)
	require.NoError(t, reads["balance"].call(t.Context(), client(t, s, func(c *upstream.Config) { c.BasicAuth = true })))
	user, pass, ok := (&http.Request{Header: s.only(t).header}).BasicAuth()
	assert.True(t, ok)
	assert.Equal(t, key, user)
	assert.Equal(t, secret, pass)
}
