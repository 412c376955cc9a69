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

// The lists that are filtered read a summary of each order, so both are bounded: how many
// orders a list goes back, and how many are read in one round trip. Those of the page
// itself are then read in full, fewer at a time.
const (
	listReach = 5000
	listBatch = 500
	pageBatch = 50
)

// Requested returns the orders that a person asked for, newest first, as far as where
// says yes (nil = all): limit of them after the first offset, and how many fit in all.
// A limit of 0 means no limit. Only the newest 5,000 orders are looked at: older ones
// are in no list and do not count. where sees no pictures, no conversation, no intent and
// no thread; what is returned has them all.
func (s *Orders) Requested(ctx context.Context, team, user string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	return s.list(ctx, []string{s.db.Key("requester", team, user)}, offset, limit, func(t Tracked) bool {
		return t.Owner.Team == team && t.Owner.Requester == user && (where == nil || where(t))
	})
}

// InChannels is Requested for the orders of these channels: the newest 5,000 of all of
// them together.
func (s *Orders) InChannels(ctx context.Context, team string, channels []string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	keys := make([]string, len(channels))
	for i, channel := range channels {
		keys[i] = s.db.Key("channel", team, channel)
	}
	return s.list(ctx, keys, offset, limit, func(t Tracked) bool { // one may have moved out since
		return t.Owner.Team == team && slices.Contains(channels, t.Owner.Channel) && (where == nil || where(t))
	})
}

// Across is Requested for the orders of these channels and those that the person asked for, together,
// each of them once.
func (s *Orders) Across(ctx context.Context, team, user string, channels []string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	keys := []string{s.db.Key("requester", team, user)}
	for _, channel := range channels {
		keys = append(keys, s.db.Key("channel", team, channel))
	}
	return s.list(ctx, keys, offset, limit, func(t Tracked) bool {
		theirs := t.Owner.Requester == user || slices.Contains(channels, t.Owner.Channel)
		return t.Owner.Team == team && theirs && (where == nil || where(t))
	})
}

// Channels returns the channels of a team that own orders, sorted.
func (s *Orders) Channels(ctx context.Context, team string) ([]string, error) {
	channels, err := s.db.Redis.SMembers(ctx, s.db.Key("channels", team)).Result()
	slices.Sort(channels)
	return channels, err
}

// newest merges indexes: the ids of the newest orders of all of them, newest first.
func (s *Orders) newest(ctx context.Context, keys []string) ([]string, error) {
	found, err := kv.AskAll(ctx, s.db.Redis, keys, func(p redis.Pipeliner, key string) *redis.ZSliceCmd {
		return p.ZRevRangeWithScores(ctx, key, 0, listReach-1)
	})
	if err != nil {
		return nil, err
	}
	at := map[string]float64{} // once, though a channel may be named twice
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
	return ids[:min(len(ids), listReach)], nil
}

// list looks at the newest orders of these indexes in batches, and reads those of the page, which is
// limit of those that fit after the first offset. It also counts all that fit.
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

// NewestFinished returns the newest order, of those of the same team, that is done and was placed
// before that time: the service knows it as long as it knows us. [ErrNotTracked]: no such order.
func (s *Orders) NewestFinished(ctx context.Context, like string, before time.Time) (string, error) {
	t, err := s.records.order(ctx, like)
	if err != nil {
		return "", err
	}
	channels, err := s.Channels(ctx, t.Owner.Team)
	if err != nil {
		return "", orderError(like, err)
	}
	done, _, err := s.InChannels(ctx, t.Owner.Team, channels, func(other Tracked) bool {
		return other.Order.Status.Final() && !other.Gone && other.Order.OrderedAt.Before(before)
	}, 0, 1)
	if err != nil || len(done) == 0 {
		return "", orderError(like, cmp.Or(err, error(ErrNotTracked)))
	}
	return done[0].ID, nil
}

// Counts is how many orders there are of some kinds, for whoever watches the app.
type Counts struct {
	Active      int // that can still change
	Unannounced int // whose channel does not show all yet
}

// Counts counts without looking at any order.
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
