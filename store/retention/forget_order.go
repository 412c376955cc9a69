package retention

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// allOf is everything of an order that may name a person, as Redis has it.
type allOf struct {
	store.Tracked
	fields   map[string]string
	events   []string
	snapshot string // "": it has none
}

func (s *People) readAll(ctx context.Context, id string) (all allOf, err error) {
	if all.Tracked, err = s.orders.Order(ctx, id); err != nil {
		return all, err
	}
	if all.fields, err = s.db.Redis.HGetAll(ctx, s.db.Key("order", id)).Result(); err != nil {
		return all, kv.About("order", id, err)
	}
	if all.events, err = s.db.Redis.LRange(ctx, s.db.Key("events", id), 0, -1).Result(); err != nil {
		return all, kv.About("order", id, err)
	}
	all.snapshot, err = s.db.Redis.Get(ctx, s.db.Key("snapshot", id)).Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return all, kv.About("order", id, err)
}

// rewritten is what changes of an order's documents, as the script takes it.
type rewritten struct {
	fields, events          []script.Args
	snapshotWas, snapshotIs string
	requested               bool
	deeds                   int
}

func (r rewritten) empty() bool { return len(r.fields)+len(r.events) == 0 && r.snapshotIs == "" }

// anonymous is what an order's documents are without the person. What the service knows of the order is
// the service's: its name, its pictures, what was written to its editor.
func (f *forgetting) anonymous(all allOf) (rewritten, error) {
	r := rewritten{fields: []script.Args{}, events: []script.Args{}}
	if all.Owner.Requester == f.user {
		r.requested = true
		r.field("requester", all.fields["requester"], order.FormerPerson)
	}
	if i := all.Intent; i != nil && i.Actor == f.user {
		r.field("intent", all.fields["intent"], "") // no job is under way that it could explain
	}
	for _, name := range append([]string{"order_brief", "waits"}, verdictsIn(all.fields)...) {
		was := all.fields[name]
		is, changed, err := f.rewrite(was)
		if err != nil {
			return r, kv.About("field", name, err)
		}
		if changed {
			r.field(name, was, is)
		}
	}
	if field := store.FollowField + f.user; all.fields[field] != "" {
		r.field(field, all.fields[field], "")
	}
	for at, was := range all.events {
		is, changed, err := f.rewrite(was)
		if err != nil {
			return r, kv.About("event of", all.ID, err)
		}
		if changed {
			r.deeds++
			r.events = append(r.events, script.Args{"at": at, "was": was, "is": is})
		}
	}
	is, changed, err := f.rewriteSnapshot(all.snapshot)
	if changed {
		r.snapshotWas, r.snapshotIs = all.snapshot, is
	}
	return r, err
}

// verdictsIn are the fields of an order that say who judged an image.
func verdictsIn(fields map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(fields)), func(name string) bool { return !strings.HasPrefix(name, store.VerdictField) })
}

func (r *rewritten) field(name, was, is string) {
	r.fields = append(r.fields, script.Args{"name": name, "was": was, "is": is})
}

// rewrite is a document without the person; what this version does not know of it stays.
func (f *forgetting) rewrite(doc string) (is string, changed bool, err error) {
	if !f.named.MatchString(doc) {
		return doc, false, nil
	}
	tree, err := parse(doc)
	if err != nil {
		return doc, false, err
	}
	tree = f.without(tree)
	is = kv.Encode(tree)
	return is, is != doc, nil
}

// rewriteSnapshot is that of an order that has shrunk: only what was asked for is ours.
func (f *forgetting) rewriteSnapshot(doc string) (is string, changed bool, err error) {
	if !f.named.MatchString(doc) {
		return doc, false, nil
	}
	tree, err := parse(doc)
	whole, _ := tree.(map[string]any)
	brief, has := whole["brief"]
	if err != nil || !has {
		return doc, false, err
	}
	whole["brief"] = f.without(brief)
	is = kv.Encode(whole)
	return is, is != doc, nil
}

// parse keeps numbers as they are written.
func parse(doc string) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(doc)))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// words are the fields that hold what somebody typed, beside the one that says who did.
var words = []string{"words", "per_image", "said", "instructions", "instruction", "raw", "text"}

// without is a part of a document without the person: where they did something, and where others name them.
func (f *forgetting) without(part any) any {
	switch v := part.(type) {
	case string:
		return f.named.ReplaceAllString(v, order.FormerPerson)
	case []any:
		for i := range v {
			v[i] = f.without(v[i])
		}
	case map[string]any:
		theirs := v["actor"] == f.user || v["by"] == f.user
		for name := range v {
			if name != "order" && name != "id" { // the service's, and what we know it by
				v[name] = f.without(v[name])
			}
		}
		if theirs {
			removeWords(v)
		}
	}
	return part
}

// removeWords takes what was typed out of a part of a document.
func removeWords(part any) {
	switch v := part.(type) {
	case []any:
		for i := range v {
			removeWords(v[i])
		}
	case map[string]any:
		for _, name := range words {
			delete(v, name)
		}
		sources, _ := v["sources"].([]any)
		for _, s := range sources {
			if source, is := s.(map[string]any); is {
				delete(source, "url")  // as typed: a link may let in whoever has it
				delete(source, "file") // their photo in Slack
			}
		}
		removeWords(v["sources"])
	}
}
