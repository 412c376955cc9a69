package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// An order's cost counts in the month and the channel in which it was placed. Past months give the price of an image.
// The ledger is apart from the orders, which may move, be untracked, and be deleted.

// spendingMonths is how many months before this one give the price of an image.
const spendingMonths = 2

// Counted is the ledger entry of an order.
type Counted struct {
	Month   string // in UTC, as "2026-11"
	Channel string // where the order was placed
	As      string // the entry's name in its month: the order's id
}

// field returns the value of the hash field "counted", which [countedOf] decodes.
func (c Counted) field() string { return c.Month + " " + c.Channel + " " + c.As }

func countedOf(field string) (c Counted) {
	if parts := strings.SplitN(field, " ", 3); len(parts) == 3 {
		c = Counted{parts[0], parts[1], parts[2]}
	}
	return c
}

// SpendingMonth returns the month in which an order placed then counts.
func SpendingMonth(at time.Time) string { return at.UTC().Format("2006-01") }

// counted returns the order's ledger entry. Orders saved by an earlier version count in their present channel.
func (t Tracked) counted() Counted {
	if t.Counted != (Counted{}) {
		return t.Counted
	}
	return Counted{SpendingMonth(orderedAt(t.Order)), t.Owner.Channel, t.ID}
}

// spending returns the value of the order's ledger entry; "" if its month is too old to count.
func (t Tracked) spending() string {
	c := t.counted()
	if c.Month < SpendingMonth(order.MonthOf(time.Now(), time.UTC).Before(spendingMonths).Begins()) {
		return ""
	}
	images := map[order.ServiceType]int{"": t.Images}
	if t.Brief != nil {
		images = t.Brief.Services()
	}
	return kv.Encode(order.Spending{Channel: c.Channel, Images: images, Price: t.Order.Price, Canceled: reportRow(t).Canceled()})
}

// spendingArgs returns the arguments for a script that writes an order and its ledger entry.
func (t Tracked) spendingArgs() script.Args {
	return script.Args{"as": t.counted().As, "field": t.counted().field(), "entry": t.spending()}
}

// Ledgers counts what orders cost in each month.
type Ledgers struct{ db kv.DB }

// Ledger returns the entries of the team's orders in that time's month, and in the months before that give the price
// of an image. It leaves out the reservation named except.
func (s *Ledgers) Ledger(ctx context.Context, team string, at time.Time, except string) (l order.Ledger, err error) {
	l, _, err = s.ledger(ctx, team, at, except)
	return l, err
}

// ledger also returns the number of the month's reservations so far: see lua/reserve_spending.lua.
func (s *Ledgers) ledger(ctx context.Context, team string, at time.Time, except string) (l order.Ledger, seen string, err error) {
	month := order.MonthOf(at, time.UTC)
	keys := make([]string, spendingMonths+1)
	for i := range keys {
		keys[i] = s.db.Key("spending", team, SpendingMonth(month.Before(i).Begins()))
	}
	found, err := kv.AskAll(ctx, s.db.Redis, keys, func(p redis.Pipeliner, key string) *redis.MapStringStringCmd { return p.HGetAll(ctx, key) })
	if err != nil {
		return l, "", kv.About("spending of", team, err)
	}
	for i, entries := range found {
		into := &l.Before
		if i == 0 {
			into, seen = &l.Month, entries.Val()[""]
		}
		for name, doc := range entries.Val() {
			if name == "" || name == except {
				continue
			}
			var one order.Spending
			if err := json.Unmarshal([]byte(doc), &one); err != nil {
				return l, "", kv.About("spending of", name, err)
			}
			*into = append(*into, one)
		}
	}
	return l, seen, nil
}

// reservation returns the name of an attempt's ledger entry, until the order has its own. Several attempts may be out.
func reservation(reference string, attempt int) string {
	return reference + "." + strconv.Itoa(attempt)
}

// Reserve adds a ledger entry for an attempt before it is sent, in that time's month, if weigh allows it. weigh gets
// all other entries. If two orders reserve at once, weigh sees one of them with the other counted.
func (s *Ledgers) Reserve(ctx context.Context, d Draft, at time.Time, weigh func(l order.Ledger) (may bool)) error {
	key := s.db.Key("spending", d.Team, SpendingMonth(at))
	entry := kv.Encode(order.Spending{Channel: d.Channel, Images: d.Brief().Services()})
	as := reservation(d.Reference, d.Attempt)
	return kv.RetryOnConflict(draftError(d.ID, ErrStale), func() (kv.Result, error) {
		l, seen, err := s.ledger(ctx, d.Team, at, as)
		if err != nil || !weigh(l) {
			return kv.Written, err
		}
		code, err := s.db.Run(ctx, "reserve_spending", script.Keys{"spending": key}, script.Args{"as": as, "entry": entry, "seen": seen})
		return kv.Result(code), err
	})
}

// Unreserve removes the reservation of a refused attempt.
func (s *Ledgers) Unreserve(ctx context.Context, d Draft) error {
	return s.unreserve(ctx, d.Team, d.SpentIn, []string{reservation(d.Reference, d.Attempt)})
}

func (s *Ledgers) unreserve(ctx context.Context, team, month string, names []string) error {
	if month == "" || len(names) == 0 {
		return nil
	}
	return kv.About("spending of", team, s.db.Redis.HDel(ctx, s.db.Key("spending", team, month), names...).Err())
}
