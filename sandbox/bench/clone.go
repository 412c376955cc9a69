package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/queue"
)

// A hundred thousand orders are put into Redis as follows: one goes through the store, is
// announced as the announcer would, and what Redis then holds of it is copied, under other ids.

// The words of the order that is copied, none of which stands elsewhere.
const (
	likeID        = "likeorder0"
	likeReference = "LIKE00"
	likeCard      = "1600000000.000100"
	likeReply     = "1600000000.000200"
)

// likeTime is when it was placed; no other order is.
var likeTime = time.Date(2020, 9, 13, 12, 26, 43, 0, time.UTC)

// pollOrder is one order that is to be active.
func pollOrder(n int, at time.Time) *pretendOrder {
	return &pretendOrder{id: fmt.Sprintf("o%09d", n), status: "editing", orderedAt: at}
}

// activeOrders are so many, newest first; the last is the one that the others are copied from.
func activeOrders(n int) []*pretendOrder {
	now := time.Now().UTC().Truncate(time.Second)
	orders := make([]*pretendOrder, n)
	for i := range orders {
		orders[i] = pollOrder(i, now.Add(-time.Duration(i+1)*time.Minute))
	}
	orders[n-1] = &pretendOrder{id: likeID, status: "editing", orderedAt: likeTime}
	return orders
}

// track makes these orders active, of which the last is the one to copy and is tracked already: in their
// channel, announced, quiet.
func (b *bench) track(r *redisServer, orders []*pretendOrder) error {
	commands, err := dump(b.ctx, r.rdb)
	if err != nil {
		return err
	}
	for at := range slices.Chunk(orders[:len(orders)-1], 500) {
		pipe := r.rdb.Pipeline()
		for _, o := range at {
			other := strings.NewReplacer(likeID, o.id, likeReference, "R"+o.id[4:], likeCard, cardOf(o, 1), likeReply, cardOf(o, 2),
				likeTime.Format(time.RFC3339), o.orderedAt.Format(time.RFC3339), millisOf(likeTime), millisOf(o.orderedAt))
			for _, c := range commands {
				copied := make([]any, len(c))
				for i, word := range c {
					copied[i] = other.Replace(word)
				}
				pipe.Do(b.ctx, copied...)
			}
		}
		if _, err := pipe.Exec(b.ctx); err != nil {
			return err
		}
	}
	active := map[string]bool{}
	err = r.store.Orders.EachActive(b.ctx, func(id string, _ store.Active) { active[id] = true })
	if err == nil && len(active) != len(orders) {
		err = fmt.Errorf("%d orders are active, not %d", len(active), len(orders))
	}
	return err
}

func cardOf(o *pretendOrder, n int) string {
	return "16" + o.id[len(o.id)-8:] + ".00" + strconv.Itoa(n) + "000"
}

func millisOf(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// trackLike adds the order that is copied, does its announcement job, and says that its card and
// its first reply are out.
func (b *bench) trackLike(r *redisServer) error {
	added, err := r.store.Changes.AddOrder(b.ctx, store.NewOrder{
		ID: likeID, Owner: store.Owner{Team: team, Channel: channel, Requester: person1}, Reference: likeReference,
		Brief: &order.Brief{By: person1, Instructions: []string{"Even out the light."}, Service: order.ServiceBasic, Sources: []order.Source{{Name: "beach.jpg", URL: "https://photos.example.com/beach.jpg"}}},
		Order: order.Order{ID: likeID, ProjectName: "Order [" + likeReference + "]", Status: order.Status("editing"), Revision: new(int), OrderedAt: likeTime},
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	idle := make(chan error, 1)
	go func() { idle <- r.queue.Run(ctx, func(context.Context, *queue.Delivery) error { return nil }) }()
	err = b.until("the announcement", 10*time.Second, 5*time.Millisecond, func() bool {
		stats, err := r.queue.Inspector().Stats(b.ctx)
		return err == nil && stats.Jobs+stats.Delayed == 0
	})
	stop()
	if drained := <-idle; err == nil {
		err = drained
	}
	if err == nil {
		err = r.store.Announcements.CardPosted(b.ctx, likeID, added.Owner.Generation, likeCard, added.Version)
	}
	if err == nil {
		err = r.store.Announcements.EventPosted(b.ctx, likeID, added.Owner.Generation, store.Posted{Event: added.LastEvent, ID: "placed", TS: likeReply})
	}
	return err
}

// dump is what Redis holds of the order that is copied, as commands that write it. What expires
// is left out.
func dump(ctx context.Context, rdb *redis.Client) (commands [][]string, err error) {
	keys := rdb.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		key := keys.Val()
		if ttl, err := rdb.PTTL(ctx, key).Result(); err != nil || ttl > 0 {
			continue
		}
		parts, err := crowd.CommandsOf(ctx, rdb, key)
		if err != nil {
			return nil, err
		}
		for _, c := range parts {
			if c = about(c); strings.Contains(strings.Join(c, " "), likeID) {
				commands = append(commands, c)
			}
		}
	}
	return commands, keys.Err()
}

// about is a command with those fields of a hash alone that are of the order which is copied; nil: with none.
func about(command []string) []string {
	if command[0] != "HSET" || strings.Contains(command[1], likeID) {
		return command
	}
	kept := command[:2:2]
	for pair := range slices.Chunk(command[2:], 2) {
		if strings.Contains(pair[0], likeID) {
			kept = append(kept, pair...)
		}
	}
	if len(kept) == 2 {
		return nil
	}
	return kept
}
