package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// shelf places orders "0" to "n-1", each newer than the one before, in the channels and
// for the people that whose names.
func shelf(t *testing.T, s *store.Store, n int, whose func(i int) (channel, user string)) {
	t.Helper()
	for i := range n {
		channel, user := whose(i)
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: fmt.Sprint(i), Owner: store.Owner{Team: "T1", Channel: channel, Requester: user},
			Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Unix(int64(1000+i), 0)},
		})
		require.NoError(t, err)
	}
}

func names(orders []store.Tracked) []string {
	var all []string
	for _, o := range orders {
		all = append(all, o.ID)
	}
	return all
}

func TestWhatAPersonAskedForComesNewestFirstFromAnyChannel(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		shelf(t, s, 6, func(i int) (string, string) { return fmt.Sprint("C", i%3), []string{"UMARIA", "UBEN"}[i/5] })
		record(t, s, "3", anOrder(order.StatusClosed, 0))
		open := func(o store.Tracked) bool { return o.Order.Status == order.StatusEditing }
		tests := map[string]struct {
			where         func(store.Tracked) bool
			offset, limit int
			want          []string
			total         int
		}{
			"all":           {want: []string{"4", "3", "2", "1", "0"}, total: 5},
			"some":          {where: open, want: []string{"4", "2", "1", "0"}, total: 4},
			"a page":        {where: open, offset: 1, limit: 2, want: []string{"2", "1"}, total: 4},
			"the last page": {where: open, offset: 3, limit: 2, want: []string{"0"}, total: 4},
			"beyond":        {offset: 5, limit: 2, total: 5},
		}
		for name, tt := range tests {
			got, total, err := s.Orders.Requested(t.Context(), "T1", "UMARIA", tt.where, tt.offset, tt.limit)
			require.NoError(t, err)
			assert.Equal(t, tt.want, names(got), name)
			assert.Equal(t, tt.total, total, name)
		}
		got, total, err := s.Orders.Requested(t.Context(), "T2", "UMARIA", nil, 0, 0)
		require.NoError(t, err)
		assert.Empty(t, got)
		assert.Zero(t, total)
	})
}

func TestTheOrdersOfSomeChannelsAreOneList(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		shelf(t, s, 9, func(i int) (string, string) { return fmt.Sprint("C", i%3), "UMARIA" })
		got, total, err := s.Orders.InChannels(t.Context(), "T1", []string{"C2", "C0", "C2", "CNONE"}, nil, 1, 3)
		require.NoError(t, err)
		assert.Equal(t, []string{"6", "5", "3"}, names(got))
		assert.Equal(t, 6, total, "a channel named twice counts once")
		got, total, err = s.Orders.InChannels(t.Context(), "T1", nil, nil, 0, 0)
		require.NoError(t, err)
		assert.Empty(t, got)
		assert.Zero(t, total)
		list, err := s.Orders.Channels(t.Context(), "T1")
		require.NoError(t, err)
		assert.Equal(t, []string{"C0", "C1", "C2"}, list)
	})
}

func TestWhatAPersonAskedForAndWhatTheirChannelsHaveIsOneList(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		shelf(t, s, 6, func(i int) (string, string) { return fmt.Sprint("C", i%3), []string{"UMARIA", "UBEN"}[i%2] })
		got, total, err := s.Orders.Across(t.Context(), "T1", "UMARIA", []string{"C1"}, nil, 0, 3)
		require.NoError(t, err)
		assert.Equal(t, []string{"4", "2", "1"}, names(got), "4 is in both indexes")
		assert.Equal(t, 4, total)
		got, _, err = s.Orders.Across(t.Context(), "T2", "UMARIA", []string{"C1"}, nil, 0, 3)
		require.NoError(t, err)
		assert.Empty(t, got, "of another team")
	})
}

func TestAnOrderThatMovesOutWhileAListIsReadIsNotShown(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		shelf(t, s, 2, func(int) (string, string) { return "CSECRET", "UMARIA" })
		_, err := s.Changes.Move(t.Context(), "1", "CPUBLIC", "UBEN")
		require.NoError(t, err)
		// The index as it was read a moment before.
		require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:channel:T1:CSECRET", redis.Z{Score: 1, Member: "1"}).Err())
		got, total, err := s.Orders.InChannels(t.Context(), "T1", []string{"CSECRET"}, nil, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"0"}, names(got))
		assert.Equal(t, 1, total)
		got, _, err = s.Orders.InChannels(t.Context(), "T1", []string{"CSECRET"}, nil, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"0"}, names(got))
	})
}

func TestAListGoesBackFiveThousandOrders(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		var index []redis.Z
		for i := range 5200 {
			index = append(index, redis.Z{Score: float64(i), Member: fmt.Sprintf("%04d", i)})
		}
		require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:requester:T1:UMARIA", index...).Err())
		for _, id := range []string{"5199", "0200", "0199"} { // the newest, the 5,000th and the one after it
			require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:"+id, "id", id, "team", "T1", "requester", "UMARIA").Err())
		}
		got, total, err := s.Orders.Requested(t.Context(), "T1", "UMARIA", nil, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"5199", "0200"}, names(got))
		assert.Equal(t, 2, total)
	})
}
