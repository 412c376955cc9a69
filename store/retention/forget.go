package retention

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// A person's data is in four kinds of documents. Drafts and documents under a name are theirs alone and are
// removed. An order is its channel's: it stays, with [order.FormerPerson] in their place and without the words
// they typed. A preset is its channel's, too: it keeps its words but not the name of the person who saved it. A
// job is a promise that is not fulfilled yet: nothing is forgotten while the person has one.
// docs/security.md has the table of all saved data.

// ErrUnsettled says that a request of the person is not settled: see [Forgotten].Unsettled.
var ErrUnsettled = errors.New("something that they asked for is not settled")

// Forgotten counts what [People.Forget] removed or made anonymous, or would.
type Forgotten struct {
	Drafts    int // orders that were not placed
	Documents int // forms, words relayed to editors, choices in their Home
	Orders    int // orders with data of theirs
	Requested int // orders that they requested
	Actions   int // events of orders by them, or that name them
	Presets   int // channels whose presets name them

	Unsettled       []queue.Mention // jobs that name them or a draft of theirs; the first [MostUnsettled]
	UnsettledDrafts []store.Draft   // orders whose outcome is unknown
}

// MostUnsettled bounds [Forgotten].Unsettled.
const MostUnsettled = 20

// unknownLife is how long an order with an unknown outcome is looked for: see jobs/watch.go.
const unknownLife = 25 * time.Hour

// UserID matches the ids of people in Slack.
var UserID = regexp.MustCompile(`^[UW][A-Z0-9]{2,20}$`)

// forgetting is one walk over all keys.
type forgetting struct {
	*People
	user   string
	named  *regexp.Regexp // matches their id as a word, or a mention of them
	look   bool           // only count
	counts Forgotten
}

// People forgets the data of a person.
type People struct {
	db      kv.DB
	queue   *queue.Queue
	orders  *store.Orders
	news    *store.Announcements
	drafts  *store.Drafts
	presets *store.Presets
}

// NewPeople returns the people of a store.
func NewPeople(s *store.Store) *People {
	return &People{s.DB(scripts), s.Queue(), s.Orders, s.Announcements, s.Drafts, s.Presets}
}

// Forget removes a person's data; with look it only counts. It returns [ErrUnsettled] and writes nothing while a
// request of theirs is not settled. It may be interrupted and called again: each document is written in one
// step. A person who still works leaves new data: call it when they have left.
func (s *People) Forget(ctx context.Context, user string, look bool) (Forgotten, error) {
	f := &forgetting{People: s, user: user, look: look, named: regexp.MustCompile(`<@` + regexp.QuoteMeta(user) + `(\|[^<>]*)?>|\b` + regexp.QuoteMeta(user) + `\b`)}
	if !UserID.MatchString(user) {
		return f.counts, fmt.Errorf("%q is no user id of Slack's", user)
	}
	if err := f.unsettled(ctx); err != nil {
		return f.counts, err
	}
	return f.counts, errors.Join(
		f.db.EachPage(ctx, "draft", f.drafts), f.db.EachPage(ctx, "note", f.documents),
		f.db.EachPage(ctx, "batch", f.batches),
		f.db.EachPage(ctx, "order", f.orders), f.db.EachPage(ctx, "presets", f.presets), f.db.EachPage(ctx, "settings", f.settings), f.db.EachPage(ctx, "unfinished", f.index), f.db.EachPage(ctx, "requester", f.index),
	)
}

// unsettled looks for the person's drafts and jobs that are not settled. Some jobs name only the draft, such as
// those that look for an order with an unknown outcome.
func (f *forgetting) unsettled(ctx context.Context) error {
	var drafts []string
	if err := f.db.EachPage(ctx, "draft", func(ctx context.Context, keys []string) error {
		return f.eachDraft(ctx, keys, func(d store.Draft, _ string) error {
			drafts = append(drafts, d.ID)
			if d.State == store.DraftPlacing || d.State == store.DraftUnknown && time.Since(d.SubmittedAt) < unknownLife {
				f.counts.UnsettledDrafts = append(f.counts.UnsettledDrafts, d)
			}
			return nil
		})
	}); err != nil {
		return err
	}
	node, err := f.db.Node(ctx)
	if err == nil {
		f.counts.Unsettled, err = f.queue.Inspector().Mentioning(ctx, node, func(text string) bool {
			return f.named.MatchString(text) || slices.ContainsFunc(drafts, func(id string) bool { return strings.Contains(text, strconv.Quote(id)) })
		}, MostUnsettled)
	}
	if err != nil {
		return fmt.Errorf("jobs of %s: %w", f.user, err)
	}
	if len(f.counts.Unsettled)+len(f.counts.UnsettledDrafts) > 0 {
		return ErrUnsettled
	}
	return nil
}

// eachDraft calls do with the person's drafts of a page.
func (f *forgetting) eachDraft(ctx context.Context, keys []string, do func(d store.Draft, doc string) error) error {
	for _, key := range keys {
		id := strings.TrimPrefix(key, f.db.Key("draft", ""))
		d, doc, err := f.People.drafts.Read(ctx, id)
		if errors.Is(err, store.ErrNoDraft) {
			continue // it expired meanwhile
		}
		if err == nil && d.User == f.user {
			err = do(d, doc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// drafts removes the person's drafts.
func (f *forgetting) drafts(ctx context.Context, keys []string) error {
	return f.eachDraft(ctx, keys, func(d store.Draft, doc string) error {
		f.counts.Drafts++
		if f.look {
			return nil
		}
		_, err := f.db.Run(ctx, "forget_draft", f.People.drafts.Keys(d), script.Args{"id": d.ID, "doc": doc})
		return kv.About("draft", d.ID, err)
	})
}

// documents removes the person's documents, and those that belong to nobody and name the person.
func (f *forgetting) documents(ctx context.Context, keys []string) error {
	values, err := f.db.Redis.MGet(ctx, keys...).Result()
	if err != nil {
		return err
	}
	var theirs []string
	for i, value := range values {
		text, _ := value.(string)
		of, doc, ok := store.DocumentOwner(text)
		if !ok {
			continue // it was deleted meanwhile, or is not ours
		}
		if of == f.user || of == "" && (f.named.Match(doc) || f.named.MatchString(keys[i])) {
			theirs = append(theirs, keys[i])
		}
	}
	f.counts.Documents += len(theirs)
	if f.look || len(theirs) == 0 {
		return nil
	}
	return f.db.Redis.Del(ctx, theirs...).Err()
}

// presets replaces the person in presets.
func (f *forgetting) presets(ctx context.Context, keys []string) error {
	n, err := f.replace(ctx, keys, f.rewrite)
	f.counts.Presets += n
	return err
}

// settings replaces the person who last saved settings. Named approvers stay.
func (f *forgetting) settings(ctx context.Context, keys []string) error {
	was, is := `"by":"`+f.user+`"`, `"by":"`+order.FormerPerson+`"`
	_, err := f.replace(ctx, keys, func(doc string) (string, bool, error) {
		return strings.ReplaceAll(doc, was, is), strings.Contains(doc, was), nil
	})
	return err
}

// replace rewrites documents and counts those that change. It repeats after a concurrent change.
func (f *forgetting) replace(ctx context.Context, keys []string, rewrite func(doc string) (is string, changed bool, err error)) (n int, err error) {
	for _, key := range keys {
		found := false
		err := kv.RetryOnConflict(kv.About("document", key, store.ErrStale), func() (kv.Result, error) {
			doc, err := f.db.Redis.Get(ctx, key).Result()
			if errors.Is(err, redis.Nil) {
				return kv.Written, nil // deleted meanwhile
			}
			if err != nil {
				return kv.Stale, err
			}
			is, changed, err := rewrite(doc)
			found = found || changed
			if err != nil || !changed || f.look {
				return kv.Written, err
			}
			return f.db.Replace(ctx, key, doc, is)
		})
		if err != nil {
			return n, err
		}
		if found {
			n++
		}
	}
	return n, nil
}

// batches removes the person from the cards of batches. The name of the file stays, like the names of orders.
func (f *forgetting) batches(ctx context.Context, keys []string) error {
	for _, key := range keys {
		theirs := false
		err := kv.RetryOnConflict(kv.About("batch", key, store.ErrStale), func() (result kv.Result, err error) {
			result, theirs, err = f.batch(ctx, key)
			return result, err
		})
		if err != nil {
			return err
		}
		if theirs {
			f.counts.Documents++
		}
	}
	return nil
}

// batch removes the person from the card of one batch, and reports whether it named them.
func (f *forgetting) batch(ctx context.Context, key string) (result kv.Result, theirs bool, err error) {
	fields, err := f.db.Redis.HMGet(ctx, key, "requester", "deliveries").Result()
	if err != nil {
		return kv.Stale, false, err
	}
	requester, _ := fields[0].(string)
	was, _ := fields[1].(string)
	is, changed, err := f.rewrite(was)
	if theirs = requester == f.user || changed; err != nil || !theirs || f.look {
		return kv.Written, theirs, kv.About("batch", key, err)
	}
	if requester == f.user {
		requester = order.FormerPerson
	}
	code, err := f.db.Run(ctx, "forget_in_batch", script.Keys{"batch": key}, script.Args{"requester": requester, "was": was, "is": is})
	return kv.Result(code), true, err
}

// index removes the person's lists. [forgetting.write] took their orders off before.
func (f *forgetting) index(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if f.look || !strings.HasSuffix(key, ":"+f.user) {
			continue
		}
		if err := f.db.Redis.Del(ctx, key).Err(); err != nil {
			return err
		}
	}
	return nil
}

// orders removes the person from the orders that name them.
func (f *forgetting) orders(ctx context.Context, keys []string) error {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = strings.TrimPrefix(key, f.db.Key("order", ""))
	}
	found, err := kv.AskAll(ctx, f.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.StringSliceCmd {
		return p.HVals(ctx, f.db.Key("order", id)) // verdicts and followers have fields of their own
	})
	if err != nil {
		return err
	}
	events, err := kv.AskAll(ctx, f.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.StringSliceCmd {
		return p.LRange(ctx, f.db.Key("events", id), 0, -1)
	})
	if err != nil {
		return err
	}
	snapshots, err := kv.AskAll(ctx, f.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.StringCmd {
		return p.Get(ctx, f.db.Key("snapshot", id))
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	for i, id := range ids {
		texts := slices.Concat(found[i].Val(), events[i].Val(), []string{snapshots[i].Val()})
		if !strings.Contains(strings.Join(texts, "\n"), f.user) {
			continue
		}
		if err := f.order(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// order removes the person from an order. It repeats after a concurrent change.
func (f *forgetting) order(ctx context.Context, id string) error {
	var r rewritten
	err := kv.RetryOnConflict(kv.About("order", id, store.ErrStale), func() (kv.Result, error) {
		was, err := f.readAll(ctx, id)
		if errors.Is(err, store.ErrNotTracked) {
			return kv.Written, nil // deleted meanwhile
		}
		if err != nil {
			return kv.Stale, err
		}
		if r, err = f.anonymous(was); err != nil || f.look || r.empty() {
			return kv.Written, kv.About("order", id, err)
		}
		return f.write(ctx, was.Tracked, r)
	})
	if err == nil && !r.empty() {
		f.counts.Orders++
		f.counts.Actions += r.actions
		if r.requested {
			f.counts.Requested++
		}
	}
	return err
}

// write writes the changed documents of an order, with the job that edits its card.
func (f *forgetting) write(ctx context.Context, old store.Tracked, r rewritten) (kv.Result, error) {
	keys, next := f.People.orders.Keys(old), old
	keys["former_orders"] = f.db.Key("requester", old.Owner.Team, order.FormerPerson)
	keys["requester_orders"] = f.db.Key("requester", old.Owner.Team, f.user)
	next.Version++
	active, announce, poll := f.news.NewsArgs(ctx, next)
	code, err := f.db.Run(ctx, "forget_order", keys, script.Args{
		"id": old.ID, "version": old.Version, "fields": r.fields, "events": r.events, "requested": r.requested,
		"snapshot_was": r.snapshotWas, "snapshot_is": r.snapshotIs, "active": active, "announce": announce, "poll": poll,
	})
	if code == 0 && err == nil {
		return kv.Raced, nil // another version: read again
	}
	return kv.Result(code), kv.About("order", old.ID, err)
}
