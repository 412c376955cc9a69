package photos_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

type wireList struct {
	PerPage    int             `json:"per_page"`
	Current    int             `json:"current_page"`
	TotalPages int             `json:"total_pages"`
	Total      int             `json:"total_results"`
	Status     string          `json:"filter_status"`
	Keywords   json.RawMessage `json:"filter_keywords"`
	Customer   string          `json:"filter_customer_id"`
	SortBy     string          `json:"sort_by"`
	Data       []wireOrder
}

func (c *client) list(f fields) wireList {
	c.t.Helper()
	r := c.get("/orders", f)
	require.NoError(c.t, r.err)
	require.Empty(c.t, r.Errors)
	var l wireList
	require.NoError(c.t, json.Unmarshal([]byte(r.body), &l))
	return l
}

func (l wireList) names() []string {
	names := []string{}
	for _, o := range l.Data {
		names = append(names, o.ProjectName)
	}
	return names
}

// named places an order with that project name.
func (c *client) named(g, name string) string {
	c.t.Helper()
	f := newOrder(g + "/album/beach.jpg")
	f["project_name"] = name
	return c.post("/orders/create", f).order(c.t).ID
}

func TestFortyFiveOrdersMakeThreePagesNewestFirst(t *testing.T) {
	g := gallery(t)
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now})
	for i := range 45 {
		c.named(g, fmt.Sprintf("Order %02d", i))
		if i%3 == 0 { // some are of the same second
			now.Add(time.Second)
		}
	}
	next := 44
	for page, size := range map[int]int{1: 20, 2: 20, 3: 5, 4: 0} {
		l := c.list(fields{"page": fmt.Sprint(page)})
		assert.Len(t, l.Data, size)
		assert.Equal(t, wireList{PerPage: 20, Current: page, TotalPages: 3, Total: 45, Status: "all", Keywords: json.RawMessage(`""`), SortBy: "ordered_at", Data: l.Data}, l)
	}
	for page := 1; page <= 3; page++ {
		for _, name := range c.list(fields{"page": fmt.Sprint(page)}).names() {
			assert.Equal(t, fmt.Sprintf("Order %02d", next), name)
			next--
		}
	}
	assert.Equal(t, -1, next)
	assert.Len(t, c.list(nil).Data, 20)
}

func TestTheLineOfAListHasTheFieldsOfTheInterface(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	id := c.named(gallery(t), "Harbor")
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"per_page":20,"current_page":1,"total_pages":1,"total_results":1,
		"filter_status":"all","filter_keywords":"","filter_customer_id":"","sort_by":"ordered_at",
		"data":[{"order_id":%q,"project_name":"Harbor","customer_id":null,"price":1,"status":"editing","revision":0,
		"ordered_at":"2017-12-09T06:42:26+04:00"}]}`, id), c.get("/orders", nil).body)
}

func TestListsFilterByStatusAndNeverShowCanceledOrders(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	ids := map[string]string{}
	for _, status := range []string{"editing", "revising", "paused", "reviewing", "closed", "canceled"} {
		ids[status] = c.named(g, status)
	}
	for _, status := range []string{"revising", "reviewing", "closed"} {
		require.NoError(t, c.service.Deliver(ids[status]))
	}
	require.NoError(t, c.service.Pause(ids["paused"]))
	image := c.get("/orders/"+ids["revising"], nil).order(t).Images[0].ID
	c.post("/orders/"+ids["revising"]+"/revise", fields{"instructions": map[string][]string{image: {"x"}}}).order(t)
	c.post("/orders/"+ids["closed"]+"/approve", nil).order(t)
	c.delete("/orders/cancel", fields{"order_id": ids["canceled"]}).order(t)
	for _, status := range []string{"editing", "revising", "paused", "reviewing", "closed"} {
		l := c.list(fields{"filter_status": status})
		assert.Equal(t, []string{status}, l.names())
		assert.Equal(t, status, l.Status)
		assert.Equal(t, status, l.Data[0].Status)
	}
	assert.Equal(t, []string{"closed", "reviewing", "paused", "revising", "editing"}, c.list(fields{"filter_status": "all"}).names())
	c.get("/orders", fields{"filter_status": "canceled"}).refused(t, "invalid filter_status: canceled")
}

func TestListsFilterByCustomerAndKeywords(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	f := newOrder(g + "/album/beach.jpg")
	f["project_name"], f["customer_id"], f["instructions"] = "Smith wedding [K7Q2XM]", "0042", []string{"Soften the SHADOWS"}
	c.post("/orders/create", f).order(t)
	c.named(g, "Harbor at night")
	tests := map[string]struct {
		filter fields
		want   int
	}{
		"reference in lower case":     {fields{"filter_keywords": []string{"k7q2xm"}}, 1},
		"words of the instructions":   {fields{"filter_keywords": []string{"shadows"}}, 1},
		"words of both":               {fields{"filter_keywords": []string{"wedding", "shadows"}}, 1},
		"words of different orders":   {fields{"filter_keywords": []string{"wedding", "harbor"}}, 0},
		"words of every order":        {fields{"filter_keywords": []string{}}, 2},
		"the customer as sent":        {fields{"filter_customer_id": "0042"}, 1},
		"another customer":            {fields{"filter_customer_id": "42"}, 0},
		"the customer and other word": {fields{"filter_customer_id": "0042", "filter_keywords": []string{"harbor"}}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, c.list(test.filter).Total)
		})
	}
	l := c.list(fields{"filter_customer_id": "0042", "filter_keywords": []string{"k7q2xm"}})
	assert.Equal(t, "0042", l.Customer)
	assert.JSONEq(t, `["k7q2xm"]`, string(l.Keywords))
}

func TestBadFiltersAreRefusedTogether(t *testing.T) {
	c := start(t, photos.Options{})
	c.get("/orders", fields{"filter_status": "lost", "page": "0", "filter_keywords": []string{"garden", "ééééé", "sky"}}).refused(
		t,
		"invalid filter_status: lost",
		"invalid page",
		"each keyword must have at least 6 characters: ééééé",
		"each keyword must have at least 6 characters: sky",
	)
	c.get("/orders", fields{"page": "two"}).refused(t, "invalid page")
	c.get("/orders", fields{"filter_keywords": "garden"}).refused(t, "filter_keywords must be an array of strings")
}
