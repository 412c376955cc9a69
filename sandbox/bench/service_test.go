package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/upstream"
)

func serviceOf(t *testing.T, orders []*pretendOrder) (*pretendService, *upstream.Client) {
	t.Helper()
	s, err := startService(t.Context())
	require.NoError(t, err)
	t.Cleanup(s.close)
	s.hold(orders)
	client, err := upstream.New(upstream.Config{URL: s.base, Key: "k", Secret: "s", Retries: -1})
	require.NoError(t, err)
	return s, client
}

func TestTheAppReadsTheSmallServiceAsTheTrueOne(t *testing.T) {
	orders := activeOrders(45)
	s, client := serviceOf(t, orders)
	page, err := client.List(t.Context(), order.Filter{Page: 3})
	require.NoError(t, err)
	assert.Equal(t, 20, page.PerPage)
	assert.Equal(t, 3, page.TotalPages)
	assert.Equal(t, 45, page.Total)
	require.Len(t, page.Orders, 5)
	assert.Equal(t, orders[40].id, page.Orders[0].ID)
	assert.True(t, orders[40].orderedAt.Equal(page.Orders[0].OrderedAt))

	s.change(func(o *pretendOrder) { o.status, o.pictures = "reviewing", []string{s.base + "/picture/a.png"} }, orders[0].id)
	seen, err := client.Fetch(t.Context(), orders[0].id)
	require.NoError(t, err)
	assert.Equal(t, order.Status("reviewing"), seen.Status)
	require.Len(t, seen.EditedImages, 1)
	assert.Equal(t, s.base+"/picture/a.png", seen.EditedImages[0].Thumb)
	_, err = client.Fetch(t.Context(), "nobody")
	require.ErrorIs(t, err, order.ErrInvalidOrder)

	s.creates = createAtOnce
	placed, err := client.Create(t.Context(), upstream.NewOrder{Instructions: []string{"x"}, Images: []upstream.Image{{URL: "https://example.com/a.jpg", Service: order.ServiceBasic}}})
	require.NoError(t, err)
	assert.NotEmpty(t, placed.ID)
}

func TestForeignOrdersLieBetweenOursAndTheListStaysSorted(t *testing.T) {
	ours := activeOrders(5)
	all := amongForeign(ours, 2000)
	require.Len(t, all, 2005)
	assert.True(t, slices.IsSortedFunc(all, func(a, b *pretendOrder) int { return b.orderedAt.Compare(a.orderedAt) }), "newest first")
	for _, o := range ours {
		assert.Contains(t, all, o)
	}
	assert.WithinDuration(t, time.Now(), all[0].orderedAt, time.Hour)
}
