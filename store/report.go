package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/kv"
)

// MaxReport is how many orders a report counts at most: the newest of its time.
const MaxReport = 20_000

// eventBatch is how many orders' events are read in one round trip, of orders that were kept before their
// milestones were.
const eventBatch = 50

// Reports reads what reports count.
type Reports part

// Report reads the orders that these channels of a team own and that were placed from one moment up to,
// not with, another, newest first; whole is false when there are more than [MaxReport]. It reads them in batches of 500, each in
// a few round trips.
func (s *Reports) Report(ctx context.Context, team string, channels []string, from, until time.Time) (rows []order.ReportRow, whole bool, err error) {
	whole, err = s.reported(ctx, team, channels, from, until, func(orders []Tracked) error {
		for _, t := range orders {
			rows = append(rows, reportRow(t))
		}
		return nil
	})
	return rows, whole, err
}

// reported hands on the orders that a report counts, some at a time.
func (s *Reports) reported(ctx context.Context, team string, channels []string, from, until time.Time, use func(some []Tracked) error) (whole bool, err error) {
	ids, err := s.placedBetween(ctx, team, channels, from, until)
	if err != nil {
		return false, err
	}
	whole = len(ids) <= MaxReport
	for batch := range slices.Chunk(ids[:min(len(ids), MaxReport)], listBatch) {
		orders, err := s.records.summaries(ctx, batch)
		if err != nil {
			return false, err
		}
		orders = slices.DeleteFunc(orders, func(t Tracked) bool { // one may have moved out since
			return t.Owner.Team != team || !slices.Contains(channels, t.Owner.Channel)
		})
		if err := s.fillMilestones(ctx, orders); err != nil {
			return false, err
		}
		if err := use(orders); err != nil {
			return false, err
		}
	}
	return whole, nil
}

// placedBetween are the ids of the newest orders of that time, one more than a report counts.
func (s *Reports) placedBetween(ctx context.Context, team string, channels []string, from, until time.Time) ([]string, error) {
	within := &redis.ZRangeBy{
		Min: strconv.FormatInt(from.UnixMilli(), 10), Max: "(" + strconv.FormatInt(until.UnixMilli(), 10), Count: MaxReport + 1,
	}
	keys := make([]string, len(channels))
	for i, channel := range channels {
		keys[i] = s.db.Key("channel", team, channel)
	}
	found, err := kv.AskAll(ctx, s.db.Redis, keys, func(p redis.Pipeliner, key string) *redis.ZSliceCmd {
		return p.ZRevRangeByScoreWithScores(ctx, key, within)
	})
	if err != nil {
		return nil, err
	}
	var all []redis.Z
	for _, entries := range found {
		all = append(all, entries.Val()...)
	}
	slices.SortFunc(all, func(a, b redis.Z) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Member.(string), a.Member.(string)))
	})
	ids := make([]string, 0, len(all))
	for _, z := range slices.CompactFunc(all, func(a, b redis.Z) bool { return a.Member == b.Member }) {
		ids = append(ids, z.Member.(string))
	}
	return ids[:min(len(ids), MaxReport+1)], nil
}

// fillMilestones reads from their events the milestones of orders that were recorded by a version that did
// not keep them.
func (s *Reports) fillMilestones(ctx context.Context, orders []Tracked) error {
	var lacking []int
	for i, t := range orders {
		if t.Milestones.Lack(t.Order) {
			lacking = append(lacking, i)
		}
	}
	for batch := range slices.Chunk(lacking, eventBatch) {
		ids := make([]string, len(batch))
		for i, place := range batch {
			ids[i] = orders[place].ID
		}
		docs, err := kv.AskAll(ctx, s.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.StringSliceCmd {
			return p.LRange(ctx, s.db.Key("events", id), 0, -1)
		})
		if err != nil {
			return fmt.Errorf("events: %w", err)
		}
		for i, place := range batch {
			for _, doc := range docs[i].Val() {
				var e order.Event
				if err := json.Unmarshal([]byte(doc), &e); err != nil {
					return orderError(ids[i], err)
				}
				orders[place].Milestones = orders[place].Milestones.After(e)
			}
		}
	}
	return nil
}

// reportRow is an order as a report counts it. What the service told of its end counts more than when that was seen, and
// an estimate that was not noted is that of the first delivery as long as no changes were requested.
func reportRow(t Tracked) order.ReportRow {
	r := order.ReportRow{
		ID: t.ID, Reference: t.Reference, Name: t.Order.ProjectName, Channel: t.Owner.Channel, Person: t.Owner.Requester,
		Customer: t.CustomerID(), Status: t.Order.Status, Images: t.Images, Price: t.Order.Price, Rounds: t.Order.Rev(),
		Placed: t.Order.OrderedAt, Milestones: t.Milestones,
	}
	r.Price.Decimal = order.Credits(r.Price.Decimal)
	if at := t.Order.EndedAt(); !at.IsZero() {
		r.Ended = at
	}
	if r.Promised.IsZero() && r.Rounds == 0 {
		r.Promised = t.Order.EstimatedDelivery
	}
	return r
}
