package tenants

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
)

// Entry describes a workspace or an organisation for operators. It has no secrets.
type Entry struct {
	ID           string
	Name         string // for people; "" if it has the app by its organisation
	Organisation string // the organisation that it has the app by; "": it has its own installation
	Enterprise   string // the Grid organisation that it belonged to when it added the app itself; "": no organisation
	By           string // the user id of the person who added the app
	BotUser      string // the app's user id; "" if it has the app by its organisation
	Scopes       []string
	At           time.Time
	Gone         time.Time // when the app was removed; zero: it is installed
	Expires      time.Time // when its token expires; zero: never, or it has no own token
	Renewable    bool      // the token can be renewed
	Connected    bool      // to an order service
	Host         string    // of its present or last order service
	OwnNames     bool      // the service changes the names of orders, see [Names]

	Token, Account Sealed
}

// Sealed says which key sealed a secret.
type Sealed string

// The values of Sealed.
const (
	SealedNone       Sealed = ""           // no secret
	SealedNewest     Sealed = "newest"     // with the newest key
	SealedOlder      Sealed = "older"      // with an older key, which only opens
	SealedUnknown    Sealed = "unknown"    // not checked
	SealedUnreadable Sealed = "unreadable" // no key opens it
)

// entryPage is how many entries are read at a time.
const entryPage = 200

// Entries lists and erases workspaces and organisations.
type Entries struct{ docs *documents }

// EachEntry calls f with each workspace and organisation of a shard, by id, until f fails. A directory without keys
// returns [SealedUnknown] for secrets.
func (d *Entries) EachEntry(ctx context.Context, shard int, f func(e Entry) error) error {
	ids, err := d.docs.ids(ctx, shard)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, entryPage) {
		page, err := d.entries(ctx, some)
		if err != nil {
			return kv.About("workspaces of", keyspace.Shard(shard).Key(), err)
		}
		for _, e := range page {
			if err := f(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// Entry returns the entry of an id; false: unknown id.
func (d *Entries) Entry(ctx context.Context, id string) (Entry, bool, error) {
	if err := errID(id); err != nil {
		return Entry{}, false, err
	}
	known, err := d.docs.rdb.SIsMember(ctx, d.docs.shardKey(id), id).Result()
	if err != nil || !known {
		return Entry{}, false, kv.About("workspace", id, err)
	}
	found, err := d.entries(ctx, []string{id})
	if err != nil {
		return Entry{}, false, kv.About("workspace", id, err)
	}
	return found[0], true, nil
}

// Any reports whether any workspace or organisation is known.
func (d *Entries) Any(ctx context.Context) (bool, error) {
	for shard := range keyspace.Shards {
		n, err := d.docs.rdb.SCard(ctx, keyspace.Shard(shard).Key("workspaces")).Result()
		if err != nil || n > 0 {
			return n > 0, kv.About("the", "workspaces", err)
		}
	}
	return false, nil
}

// entries reads the entries of some ids of one shard.
func (d *Entries) entries(ctx context.Context, ids []string) ([]Entry, error) {
	pipe := d.docs.rdb.Pipeline()
	read := make([]func() Entry, len(ids))
	for n, id := range ids {
		documents := pipe.MGet(ctx, d.docs.key(id, installationDoc), d.docs.key(id, accountDoc))
		connection := pipe.HMGet(ctx, d.docs.key(id, "connection"), "host", "print", namesOf, namesOwn)
		read[n] = func() Entry {
			e := d.entry(id, textOf(documents.Val(), 0), textOf(documents.Val(), 1))
			e.Host = textOf(connection.Val(), 0)
			e.OwnNames = e.Connected && textOf(connection.Val(), 3) != "" && textOf(connection.Val(), 1) == textOf(connection.Val(), 2)
			return e
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	all := make([]Entry, len(ids))
	for n, one := range read {
		all[n] = one()
	}
	return all, nil
}

// textOf returns one of several values of Redis; "": no value.
func textOf(values []any, n int) string {
	text, _ := values[n].(string)
	return text
}

// entry decodes the documents of an id. A malformed document counts as a secret that no key opens.
func (d *Entries) entry(id, installation, account string) Entry {
	var i savedInstallation
	var a savedAccount
	e := Entry{ID: id, Connected: account != ""}
	if installation != "" && json.Unmarshal([]byte(installation), &i) != nil {
		e.Token = SealedUnreadable
	}
	if account != "" && json.Unmarshal([]byte(account), &a) != nil {
		e.Account = SealedUnreadable
	}
	e.Name, e.By, e.Scopes, e.At, e.Gone, e.Expires, e.Organisation = i.Name, i.By, i.Scopes, i.At, i.Gone, i.Expires, i.Of
	e.Enterprise, e.BotUser = i.Enterprise, i.BotUser
	if i.Sealed != "" {
		var t tokens
		e.Token = d.sealed(i.Sealed, place(id, installationDoc), &t)
		e.Renewable = t.Refresh != ""
	}
	if a.Sealed != "" {
		e.Account = d.sealed(a.Sealed, place(id, accountDoc), &credentials{})
	}
	return e
}

// sealed opens a secret into a value, and says which key sealed it.
func (d *Entries) sealed(text, bound string, into any) Sealed {
	switch {
	case d.docs.keys == nil:
		return SealedUnknown
	case d.docs.open(text, bound, into) != nil:
		return SealedUnreadable
	case d.docs.keys.Newest(text):
		return SealedNewest
	}
	return SealedOlder
}
