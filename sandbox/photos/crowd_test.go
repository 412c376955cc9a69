package photos_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestACrowdStandsInListsAndSearchesButIsNobodysOwn(t *testing.T) {
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now, Crowd: photos.Crowd{Size: 3000, Span: 300 * 24 * time.Hour}})
	all := c.list(nil)
	assert.Greater(t, all.Total, 2800, "all but those that were canceled")
	assert.Less(t, all.Total, 3000)
	assert.Equal(t, (all.Total+19)/20, all.TotalPages)
	byStatus := map[string]int{}
	for _, status := range []string{"editing", "revising", "paused", "reviewing", "closed"} {
		byStatus[status] = c.list(fields{"filter_status": status}).Total
		assert.Positive(t, byStatus[status], status)
		all.Total -= byStatus[status]
	}
	assert.Zero(t, all.Total)
	assert.Greater(t, byStatus["closed"], 2500, "an old account's orders are mostly closed")
	found := c.list(fields{"filter_keywords": []string{"wedding", "lindqvist"}})
	assert.Positive(t, found.Total)
	assert.Equal(t, found.Data[0].ID, c.get("/orders/"+found.Data[0].ID, nil).order(t).ID)
	assert.Empty(t, c.service.Orders())
	assert.Equal(t, "100", c.service.Credits().String(), "others pay for them")
}

func TestOwnOrdersStandAmongTheCrowdByTheirTime(t *testing.T) {
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now, Crowd: photos.Crowd{Size: 200, Span: 200 * time.Hour}})
	g := gallery(t)
	old, young := c.named(g, "old"), c.named(g, "young")
	require.NoError(t, c.service.Age(old, 100*time.Hour))
	require.NoError(t, c.service.Age(c.list(nil).Data[5].ID, 90*time.Hour)) // one of the crowd
	var ids []string
	var last time.Time
	for page := 1; page <= c.list(nil).TotalPages; page++ {
		for _, o := range c.list(fields{"page": fmt.Sprint(page)}).Data {
			at, err := time.Parse(time.RFC3339, o.OrderedAt)
			require.NoError(t, err)
			assert.False(t, !last.IsZero() && at.After(last), "newest first")
			last, ids = at, append(ids, o.ID)
		}
	}
	assert.Equal(t, young, ids[0])
	assert.Contains(t, ids[60:140], old)
}

func TestNewOrdersOfACrowdShiftThePages(t *testing.T) {
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now, Crowd: photos.Crowd{Every: 2 * time.Second}})
	assert.Zero(t, c.list(nil).Total)
	now.Add(5 * time.Second)
	assert.Equal(t, 2, c.list(nil).Total, "as time goes")
	now.Add(time.Second)
	assert.Equal(t, 3, c.list(nil).Total)
	c.service.Arrive(4)
	assert.Equal(t, 7, c.list(nil).Total)
	c.service.Misbehave(photos.List, photos.Arrives(1), 2)
	first := c.list(nil).Data[0].ID
	assert.Equal(t, first, c.list(nil).Data[1].ID, "between one page and the next")
	now.Add(400 * 24 * time.Hour)
	assert.Less(t, c.list(nil).Total, 1100, "a clock that leaps brings no millions")
}

// A page of the list of a big account must not make every story slow: this is a budget
// that only a walk over text or a sort of everything exceeds.
func TestAListOfTwentyThousandIsQuick(t *testing.T) {
	c := start(t, photos.Options{Crowd: photos.Crowd{Size: 20_000}})
	c.named(gallery(t), "Harbor [K7Q2XM]")
	for name, f := range map[string]fields{
		"the last page": {"page": "970"},
		"one reference": {"filter_keywords": []string{"K7Q2XM"}},
	} {
		allocs := testing.AllocsPerRun(3, func() { c.list(f) })
		assert.Less(t, allocs, 5_000.0, "%s: nothing is made for each order", name)
	}
}
