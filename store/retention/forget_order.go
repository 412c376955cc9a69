package retention

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// allOf has the documents of an order that may name a person, as Redis has them.
type allOf struct {
	store.Tracked
	fields   map[string]string
	events   []string
	snapshot string // "": no snapshot
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
	return all, kv.About("order", id, ignoreAbsent(err))
}

// rewritten has the changes of an order's documents, as arguments of the script.
type rewritten struct {
	fields, events          []script.Args
	snapshotWas, snapshotIs string
	requested               bool
	actions                 int
}

func (r rewritten) empty() bool { return len(r.fields)+len(r.events) == 0 && r.snapshotIs == "" }

// anonymous removes the person from an order's documents. The service's own data stays: the order's name,
// its pictures, and the conversation with the editor.
func (f *forgetting) anonymous(all allOf) (rewritten, error) {
	r := rewritten{fields: []script.Args{}, events: []script.Args{}}
	if all.Owner.Requester == f.user {
		r.requested = true
		r.field("requester", all.fields["requester"], order.FormerPerson)
	}
	if i := all.Intent; i != nil && i.Actor == f.user {
		r.field("intent", all.fields["intent"], "") // no job of theirs is under way
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
			r.actions++
			r.events = append(r.events, script.Args{"at": at, "was": was, "is": is})
		}
	}
	is, changed, err := f.rewriteSnapshot(all.snapshot)
	if changed {
		r.snapshotWas, r.snapshotIs = all.snapshot, is
	}
	return r, err
}

// verdictsIn returns the names of an order's verdict fields.
func verdictsIn(fields map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(fields)), func(name string) bool { return !strings.HasPrefix(name, store.VerdictField) })
}

func (r *rewritten) field(name, was, is string) {
	r.fields = append(r.fields, script.Args{"name": name, "was": was, "is": is})
}

// rewrite removes the person from a document. It keeps fields that this version does not know.
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

// rewriteSnapshot is rewrite for the snapshot of a shrunk order: it changes only the brief.
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

// parse decodes a document and keeps numbers as they are written.
func parse(doc string) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(doc)))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// words are the fields with a person's words, in objects that also name the person.
var words = []string{"words", "per_image", "said", "instructions", "instruction", "raw", "text"}

// without removes the person from a part of a document: their id, and the words of their own actions.
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
			if name != "order" && name != "id" { // the service's data, and the event's id
				v[name] = f.without(v[name])
			}
		}
		if theirs {
			removeWords(v)
		}
	}
	return part
}

// removeWords removes the words that a person typed from a part of a document.
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
				delete(source, "url")  // as typed: a link may give access to everybody who has it
				delete(source, "file") // their photo in Slack
			}
		}
		removeWords(v["sources"])
	}
}
