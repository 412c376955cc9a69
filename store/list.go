package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/kv"
)

// A filtered list reads a summary of each order, and then the orders of its page in full.
const (
	listReach = 5000 // orders that a list looks at
	listBatch = 500  // summaries in one round trip
	pageBatch = 50   // whole orders in one round trip
)

// Requested returns the orders of a requester that where accepts (nil: all), newest first:
// limit of them after the first offset, and the number of all accepted ones. A limit of 0
// means no limit. Only the newest 5,000 orders are looked at and counted. where sees no
// pictures, no conversation, no intent and no thread; the returned orders have them.
func (s *Orders) Requested(ctx context.Context, team, user string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	return s.Across(ctx, team, user, nil, where, offset, limit)
}

// InChannels is Requested for the orders of these channels: the newest 5,000 of all
// channels together.
func (s *Orders) InChannels(ctx context.Context, team string, channels []string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	return s.Across(ctx, team, "", channels, where, offset, limit)
}

// Across is Requested for the orders of these channels and of the requester, each
// order once. An empty user means only the channels.
func (s *Orders) Across(ctx context.Context, team, user string, channels []string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	var keys []string
	if user != "" {
		keys = append(keys, s.db.Key("requester", team, user))
	}
	for _, channel := range channels {
		keys = append(keys, s.db.Key("channel", team, channel))
	}
	return s.list(ctx, keys, offset, limit, func(t Tracked) bool { // it may have moved or been taken over since
		theirs := user != "" && t.Owner.Requester == user || slices.Contains(channels, t.Owner.Channel)
		return t.Owner.Team == team && theirs && (where == nil || where(t))
	})
}

// Channels returns the channels of a team that own orders, sorted.
func (s *Orders) Channels(ctx context.Context, team string) ([]string, error) {
	channels, err := s.db.Redis.SMembers(ctx, s.db.Key("channels", team)).Result()
	slices.Sort(channels)
	return channels, err
}

// newest merges indexes. It returns the ids of their newest orders, newest first.
func (s *Orders) newest(ctx context.Context, keys []string) ([]string, error) {
	found, err := kv.AskAll(ctx, s.db.Redis, keys, func(p redis.Pipeliner, key string) *redis.ZSliceCmd {
		return p.ZRevRangeWithScores(ctx, key, 0, listReach-1)
	})
	return mergeIndexes(found, listReach), err
}

// mergeIndexes returns the ids of the newest orders of all indexes, each once, newest first.
func mergeIndexes(found []*redis.ZSliceCmd, most int) []string {
	at := map[string]float64{} // an order may be in several indexes
	var ids []string
	for _, entries := range found {
		for _, z := range entries.Val() {
			id := z.Member.(string)
			if _, known := at[id]; !known {
				ids = append(ids, id)
			}
			at[id] = z.Score
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(at[b], at[a]), strings.Compare(b, a)) // as Redis orders them
	})
	return ids[:min(len(ids), most)]
}

// list filters the newest orders of these indexes, and reads those of the page: limit of the fitting
// orders after the first offset. It also counts all fitting orders.
func (s *Orders) list(ctx context.Context, keys []string, offset, limit int, fits func(Tracked) bool) ([]Tracked, int, error) {
	newest, err := s.newest(ctx, keys)
	if err != nil {
		return nil, 0, err
	}
	var found []string
	for batch := range slices.Chunk(newest, listBatch) {
		orders, err := s.records.summaries(ctx, batch)
		if err != nil {
			return nil, 0, err
		}
		for _, t := range orders {
			if fits(t) {
				found = append(found, t.ID)
			}
		}
	}
	ids := found[min(offset, len(found)):]
	if limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	page := make([]Tracked, 0, len(ids))
	for batch := range slices.Chunk(ids, pageBatch) {
		orders, err := s.records.all(ctx, batch)
		if err != nil {
			return nil, 0, err
		}
		page = append(page, orders...)
	}
	return slices.DeleteFunc(page, func(t Tracked) bool { return !fits(t) }), len(found), nil // it may just have changed
}

// NewestFinished returns the id of the newest final order of the given order's team that was placed
// before that time. The service knows that order while it knows our account. [ErrNotTracked]: no such order.
func (s *Orders) NewestFinished(ctx context.Context, id string, before time.Time) (string, error) {
	t, err := s.records.order(ctx, id)
	if err != nil {
		return "", err
	}
	channels, err := s.Channels(ctx, t.Owner.Team)
	if err != nil {
		return "", orderError(id, err)
	}
	done, _, err := s.InChannels(ctx, t.Owner.Team, channels, func(other Tracked) bool {
		return other.Order.Status.Final() && !other.Gone && other.Order.OrderedAt.Before(before)
	}, 0, 1)
	if err != nil || len(done) == 0 {
		return "", orderError(id, cmp.Or(err, error(ErrNotTracked)))
	}
	return done[0].ID, nil
}

// Counts are the numbers of orders for the metrics.
type Counts struct {
	Active      int // orders that can still change
	Unannounced int // orders whose channel does not show everything yet
}

// Counts returns the sizes of the indexes; it reads no order.
func (s *Orders) Counts(ctx context.Context) (Counts, error) {
	var active, lagging *redis.IntCmd
	_, err := s.db.Redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		active, lagging = p.HLen(ctx, s.db.Key("active")), p.SCard(ctx, s.db.Key("lagging"))
		return nil
	})
	if err != nil {
		return Counts{}, fmt.Errorf("count orders: %w", err)
	}
	return Counts{Active: int(active.Val()), Unannounced: int(lagging.Val())}, nil
}
