package tenants

import (
	"context"
	"encoding/json"
	"time"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
)

// Entry is what an operator may know of a workspace or an organisation: nothing secret is in it.
type Entry struct {
	ID           string
	Name         string // for people; "" of a workspace that has the app by its organisation
	Organisation string // whose installation it is; "": its own
	Enterprise   string // the Grid organisation that it belonged to when it added the app by itself; "": none
	By           string // who added the app
	BotUser      string // who it is there; "" of a workspace that has the app by its organisation
	Scopes       []string
	At           time.Time
	Gone         time.Time // when the app was removed; zero: it is there
	Expires      time.Time // when its token ends; zero: never, or no token of its own
	Renewable    bool      // and another is to be had then
	Connected    bool      // to an order service
	Host         string    // of that service, or of the one it was connected to
	OwnNames     bool      // that service keeps names of its own, see [Names]

	Token, Account Sealed // how what is secret is kept
}

// Sealed is how a secret is kept, for whoever has keys.
type Sealed string

// The values of Sealed.
const (
	SealedNone    Sealed = ""           // no secret
	SealedNewest  Sealed = "newest"     // with the newest key
	SealedOlder   Sealed = "older"      // with one that only reads
	SealedUnknown Sealed = "unknown"    // there is one, and nobody looked whether it opens
	SealedNot     Sealed = "unreadable" // it does not open
)

// entryPage is how many entries are read at a time.
const entryPage = 200

// Entries lists and erases workspaces and organisations.
type Entries struct{ docs *documents }

// EachEntry calls f with what is known of each workspace and organisation of a shard, by id, until f fails. A directory
// that was made without keys does not look whether secrets open.
func (d *Entries) EachEntry(ctx context.Context, shard int, f func(e Entry) error) error {
	ids, err := d.docs.ids(ctx, shard)
	if err != nil {
		return err
	}
	for from := 0; from < len(ids); from += entryPage {
		page, err := d.entries(ctx, ids[from:min(from+entryPage, len(ids))])
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

// Entry is what is known of one; false: nothing.
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

// Any tells whether any workspace or organisation is known.
func (d *Entries) Any(ctx context.Context) (bool, error) {
	for shard := range keyspace.Shards {
		n, err := d.docs.rdb.SCard(ctx, keyspace.Shard(shard).Key("workspaces")).Result()
		if err != nil || n > 0 {
			return n > 0, kv.About("the", "workspaces", err)
		}
	}
	return false, nil
}

// entries reads those of some ids of one shard.
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
	if n >= len(values) {
		return ""
	}
	text, _ := values[n].(string)
	return text
}

// entry reads the documents of one. What cannot be read is there all the same, as a secret that does not open.
func (d *Entries) entry(id, installation, account string) Entry {
	var i keptInstallation
	var a keptAccount
	e := Entry{ID: id, Connected: account != ""}
	if installation != "" && json.Unmarshal([]byte(installation), &i) != nil {
		e.Token = SealedNot
	}
	if account != "" && json.Unmarshal([]byte(account), &a) != nil {
		e.Account = SealedNot
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

// sealed tells how a secret is kept, and reads it.
func (d *Entries) sealed(text, bound string, into any) Sealed {
	switch {
	case d.docs.keys == nil:
		return SealedUnknown
	case d.docs.open(text, bound, into) != nil:
		return SealedNot
	case d.docs.keys.Newest(text):
		return SealedNewest
	}
	return SealedOlder
}
