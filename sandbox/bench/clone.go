package main

import (
	"fmt"
	"strconv"
	"time"

	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/keyspace"
)

// pollOrder is one order that is to be active.
func pollOrder(n int, at time.Time) *pretendOrder {
	return &pretendOrder{id: fmt.Sprintf("o%09d", n), status: "editing", orderedAt: at}
}

// activeOrders are so many, newest first.
func activeOrders(n int) []*pretendOrder {
	now := time.Now().UTC().Truncate(time.Second)
	orders := make([]*pretendOrder, n)
	for i := range orders {
		orders[i] = pollOrder(i, now.Add(-time.Duration(i+1)*time.Minute))
	}
	return orders
}

// track makes these orders active beside those that are: in their channel, announced, quiet. So many are active then.
func (b *bench) track(r *redisServer, orders []*pretendOrder, all int) error {
	like, err := crowd.NewLikeness(b.ctx, "")
	if err != nil {
		return err
	}
	run, err := r.store.Server.Run(b.ctx)
	if err != nil {
		return err
	}
	copies := make([]crowd.Copy, len(orders))
	for i, o := range orders {
		copies[i] = crowd.Copy{
			Order: o.id, Name: "Order " + o.id, Reference: "R" + o.id[4:], Team: team, Channel: channel,
			Card: cardOf(o, 1), Reply: cardOf(o, 2), Placed: o.orderedAt, Run: run.Since,
		}
	}
	if err := like.Write(b.ctx, r.rdb, keyspace.Keyspace{}, copies); err != nil {
		return err
	}
	active := 0
	if err := r.store.Orders.EachActive(b.ctx, func(string, store.Active) { active++ }); err != nil {
		return err
	}
	if active != all {
		return fmt.Errorf("%d orders are active, not %d", active, all)
	}
	return nil
}

func cardOf(o *pretendOrder, n int) string {
	return "16" + o.id[len(o.id)-8:] + ".00" + strconv.Itoa(n) + "000"
}
