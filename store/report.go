package store

import (
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

// MaxReport is how many orders a report counts at most: the newest of its period.
const MaxReport = 20_000

// eventBatch is how many orders' events are read in one round trip, for orders that an earlier version saved without
// milestones.
const eventBatch = 50

// Reports reads the rows of reports.
type Reports part

// Report returns the orders of these channels of a team that were placed in [from, until), newest first. whole is
// false if there are more than [MaxReport]. It reads batches of 500, each in a few round trips.
func (s *Reports) Report(ctx context.Context, team string, channels []string, from, until time.Time) (rows []order.ReportRow, whole bool, err error) {
	ids, err := s.placedBetween(ctx, team, channels, from, until)
	if err != nil {
		return nil, false, err
	}
	for batch := range slices.Chunk(ids[:min(len(ids), MaxReport)], listBatch) {
		orders, err := s.records.summaries(ctx, batch)
		if err != nil {
			return nil, false, err
		}
		orders = slices.DeleteFunc(orders, func(t Tracked) bool { // one may have moved out since
			return t.Owner.Team != team || !slices.Contains(channels, t.Owner.Channel)
		})
		if err := s.fillMilestones(ctx, orders); err != nil {
			return nil, false, err
		}
		for _, t := range orders {
			rows = append(rows, reportRow(t))
		}
	}
	return rows, len(ids) <= MaxReport, nil
}

// placedBetween returns the ids of the newest orders of that period, one more than a report counts.
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
	return mergeIndexes(found, MaxReport+1), err
}

// fillMilestones computes milestones from events, for orders that an earlier version recorded without them.
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

// reportRow returns an order's row in a report. The service's own time of its end replaces the time when the app saw
// it. Without a recorded promise, the current estimate counts as long as no changes were requested.
func reportRow(t Tracked) order.ReportRow {
	r := order.ReportRow{
		ID: t.ID, Reference: t.Reference, Name: t.Order.ProjectName, Channel: t.Owner.Channel, Person: t.Owner.Requester,
		Customer: t.CustomerID(), Preset: t.Preset(), Status: t.Order.Status, Images: t.Images, Price: t.Order.Price,
		Rounds: t.Order.Rev(), RoundsUnknown: t.Order.Revision == nil,
		Placed: t.Order.OrderedAt, Milestones: t.Milestones, Inspected: t.Inspected,
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
