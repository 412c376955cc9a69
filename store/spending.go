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

// What an order costs counts in the month and in the channel in which it was placed, for as long as that month tells
// what images cost. It stands apart from the order, which may move, be untracked, and leave.

// spendingMonths is how many months before this one tell what an image costs.
const spendingMonths = 2

// Counted is where an order counts. Its channel is the one that it was placed in.
type Counted struct {
	Month   string // in UTC, as "2026-11"
	Channel string
	As      string // its name among the month's: its id
}

// countedField is how an order's hash holds it, which [countedOf] reads.
func (c Counted) field() string { return c.Month + " " + c.Channel + " " + c.As }

func countedOf(field string) (c Counted) {
	if parts := strings.SplitN(field, " ", 3); len(parts) == 3 {
		c = Counted{parts[0], parts[1], parts[2]}
	}
	return c
}

// SpendingMonth is the month in which an order counts that is placed then.
func SpendingMonth(at time.Time) string { return at.UTC().Format("2006-01") }

// counted is where the order counts. One that an earlier version kept counts where it is.
func (t Tracked) counted() Counted {
	if t.Counted != (Counted{}) {
		return t.Counted
	}
	return Counted{SpendingMonth(orderedAt(t.Order)), t.Owner.Channel, t.ID}
}

// spending is what the order counts, as its month keeps it; "" of one whose month tells nothing any more.
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

// spendingArgs are what a script needs that writes an order and what it counts.
func (t Tracked) spendingArgs() script.Args {
	return script.Args{"as": t.counted().As, "field": t.counted().field(), "entry": t.spending()}
}

// Ledgers counts what orders cost in each month.
type Ledgers struct{ db kv.DB }

// Ledger is what the orders of the team count that were placed until then: those of that month, and of the months that
// tell what images cost. But for the reservation of that name.
func (s *Ledgers) Ledger(ctx context.Context, team string, at time.Time, but string) (l order.Ledger, err error) {
	l, _, err = s.ledger(ctx, team, at, but)
	return l, err
}

// ledger returns, besides, which of the month's reservations it has seen: see lua/reserve_spending.lua.
func (s *Ledgers) ledger(ctx context.Context, team string, at time.Time, but string) (l order.Ledger, seen string, err error) {
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
			if name == "" || name == but {
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

// reservation names what an attempt of a draft counts until its order does: another attempt may be out as well.
func reservation(reference string, attempt int) string {
	return reference + "." + strconv.Itoa(attempt)
}

// Reserve counts an attempt of a draft before it is sent, in the month of that time. It asks weigh, which
// knows what all others count, whether it may be sent; of any two orders one is weighed with the other counted.
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

// Unreserve takes back what an attempt of a draft reserved, which was refused.
func (s *Ledgers) Unreserve(ctx context.Context, d Draft) error {
	return s.unreserve(ctx, d.Team, d.SpentIn, []string{reservation(d.Reference, d.Attempt)})
}

func (s *Ledgers) unreserve(ctx context.Context, team, month string, names []string) error {
	if month == "" || len(names) == 0 {
		return nil
	}
	return kv.About("spending of", team, s.db.Redis.HDel(ctx, s.db.Key("spending", team, month), names...).Err())
}
