package tenants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/semaphore"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/script"
	"darkroom/store/seal"
)

// Directory is what one app for many workspaces knows of them: where it is installed, and which account at an order
// service each has. What is secret of that is sealed. A workspace's documents are in its own keyspace, an
// organisation's in one by its id; keys.go lists them. It is safe for concurrent use.
type Directory struct {
	Installations *Installations
	Accounts      *Accounts
	Renewals      *Renewals
	States        *OAuthStates
	Entries       *Entries
}

// NewDirectory returns a directory over rdb whose secrets are sealed with the keys.
func NewDirectory(rdb redis.UniversalClient, keys *seal.Keys) *Directory {
	docs := &documents{rdb, keys}
	installations := &Installations{docs}
	return &Directory{
		installations, &Accounts{docs},
		&Renewals{docs: docs, installations: installations, unsaved: map[string]renewed{}, renewals: semaphore.NewWeighted(mostRenewals)},
		&OAuthStates{docs}, &Entries{docs},
	}
}

// documents keeps the documents of workspaces and organisations, with their secrets sealed.
type documents struct {
	rdb  redis.UniversalClient
	keys *seal.Keys
}

// The documents of a workspace, by the last part of their keys.
const (
	installationDoc = "installation"
	accountDoc      = "account"
)

// LateEvents is how long after the app was removed Slack may still bring events from before.
const LateEvents = 24 * time.Hour

// errContended says that others were always faster to write.
var errContended = errors.New("changed by others all the time")

// WorkspaceID is what ids of workspaces and organisations look like.
var WorkspaceID = regexp.MustCompile(`^[TE][A-Za-z0-9]{1,40}$`)

// errID keeps a malformed id out of keys.
func errID(id string) error {
	if WorkspaceID.MatchString(id) {
		return nil
	}
	return fmt.Errorf("%.60q is no id of a workspace or an organisation", id)
}

func isOrganisation(id string) bool { return strings.HasPrefix(id, "E") }

// Installations keeps where the app is installed.
type Installations struct{ docs *documents }

// Install keeps what Slack gave, in place of what was there before.
func (d *Installations) Install(ctx context.Context, i Installation) error {
	err := d.docs.edit(ctx, i.ID, installationDoc, func(string) (string, error) { return d.sealInstallation(i), nil })
	return kv.About("installation", i.ID, err)
}

// Installed is the installation for a workspace: its own, or else that of the organisation which has the app there.
// [ErrNotInstalled]: not installed.
func (d *Installations) Installed(ctx context.Context, team string) (Installation, error) {
	own, _, err := d.ofTeam(ctx, team)
	var i Installation
	switch {
	case err != nil:
	case own.Sealed != "":
		i, err = d.openInstallation(team, own)
	case own.Of != "" && own.Gone.IsZero():
		i, err = d.ofOrganisation(ctx, own.Of)
	default:
		err = ErrNotInstalled
	}
	if err != nil {
		return Installation{}, kv.About("installation", team, err)
	}
	i.Team = cmp.Or(team, i.Team)
	return i, nil
}

// ofOrganisation is an organisation's installation, if it has one.
func (d *Installations) ofOrganisation(ctx context.Context, id string) (Installation, error) {
	i, err := d.Known(ctx, id)
	if err == nil && !i.Gone.IsZero() {
		err = ErrNotInstalled
	}
	return i, err
}

// Meet notes that a workspace has the app by an organisation, as an event says that Slack sent to the organisation's
// installation for that workspace at a time; it tells whether that is so. What somebody took away since stays away, and so
// does what the organisation took from this workspace alone.
func (d *Installations) Meet(ctx context.Context, team, enterprise string, at time.Time) (bool, error) {
	own, _, err := d.ofTeam(ctx, team)
	if err != nil || own.Sealed != "" || own.Of != "" && !own.Gone.IsZero() || !own.Gone.IsZero() && !after(at, own.Gone) {
		return false, kv.About("installation", team, err)
	}
	if _, err = d.ofOrganisation(ctx, enterprise); err == nil {
		err = d.Grant(ctx, team, enterprise, at)
	}
	return err == nil, unless(err, ErrNotInstalled)
}

// unless is an error that is not an expected one.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// ofTeam reads the document of a workspace, if one is named and it has one.
func (d *Installations) ofTeam(ctx context.Context, team string) (kept keptInstallation, there bool, err error) {
	if team == "" {
		return kept, false, nil
	}
	raw, err := d.docs.read(ctx, team, installationDoc)
	if err == nil && raw != "" {
		err = json.Unmarshal([]byte(raw), &kept)
	}
	return kept, raw != "", err
}

// Known is what is known of an installation by its id, also of one that is gone. [ErrNotInstalled]: nothing.
func (d *Installations) Known(ctx context.Context, id string) (Installation, error) {
	kept, there, err := d.ofTeam(ctx, id)
	if err == nil && !there {
		err = ErrNotInstalled
	}
	if err != nil {
		return Installation{}, kv.About("installation", id, err)
	}
	i, err := d.openInstallation(id, kept)
	return i, kv.About("installation", id, err)
}

// Grant notes that the app, which an organisation has for all its workspaces, is in one of them since then. A workspace's
// own installation stays.
func (d *Installations) Grant(ctx context.Context, team, enterprise string, at time.Time) error {
	if err := errID(enterprise); err != nil {
		return kv.About("installation", team, err)
	}
	err := d.docs.edit(ctx, team, installationDoc, func(raw string) (string, error) {
		var old keptInstallation
		if raw != "" {
			if err := json.Unmarshal([]byte(raw), &old); err != nil {
				return "", err
			}
		}
		if old.Sealed != "" || after(old.Gone, at) {
			return raw, nil
		}
		return kv.Encode(keptInstallation{ID: team, Of: enterprise, At: at}), nil
	})
	return kv.About("installation", team, err)
}

// Withdraw notes that an organisation took the app, which it has, from one of its workspaces at a time, and tells whether
// that changed anything. A workspace's own installation stays, and so does what another organisation gave it.
func (d *Installations) Withdraw(ctx context.Context, team, enterprise string, at time.Time) (changed bool, err error) {
	if err := errID(enterprise); err != nil {
		return false, kv.About("installation", team, err)
	}
	return d.leave(ctx, team, at, func(old keptInstallation) (bool, error) { return old.Sealed == "" && old.Of == enterprise, nil })
}

// Leave notes that the app was removed from a workspace or an organisation at a time, as Slack tells it, and erases
// its tokens at once. Whoever hears of it twice, or after the app was added again, changes nothing.
func (d *Installations) Leave(ctx context.Context, id string, at time.Time) error {
	_, err := d.leave(ctx, id, at, func(keptInstallation) (bool, error) { return true, nil })
	return err
}

// LeaveWith is [Installations.Leave] as what Slack says to a token tells it, and tells whether that changed anything: when
// another is kept by now, nothing.
func (d *Installations) LeaveWith(ctx context.Context, id, token string, at time.Time) (changed bool, err error) {
	return d.leave(ctx, id, at, func(old keptInstallation) (bool, error) {
		i, err := d.openInstallation(id, old)
		return err == nil && i.Token == token && token != "", err
	})
}

// leave is [Installations.Leave] for one of which is is true.
func (d *Installations) leave(ctx context.Context, id string, at time.Time, is func(old keptInstallation) (bool, error)) (changed bool, err error) {
	err = d.docs.edit(ctx, id, installationDoc, func(raw string) (string, error) {
		changed = false
		if raw == "" {
			return "", nil
		}
		var old keptInstallation
		if err := json.Unmarshal([]byte(raw), &old); err != nil {
			return "", err
		}
		if meant, err := is(old); err != nil || !meant || !old.Gone.IsZero() || after(old.At, at) {
			return raw, err
		}
		changed = true
		old.Gone, old.Sealed, old.Expires, old.Renewing = at, "", time.Time{}, time.Time{}
		return kv.Encode(old), nil
	})
	return changed && err == nil, kv.About("installation", id, err)
}

// after tells whether one time is in a later second than another: Slack tells whole ones.
func after(one, other time.Time) bool { return !one.IsZero() && one.Unix() > other.Unix() }

// Accounts keeps the accounts at order services.
type Accounts struct{ docs *documents }

// Connect keeps the account that a workspace orders with.
func (d *Accounts) Connect(ctx context.Context, workspace string, a ServiceAccount) error {
	err := d.docs.edit(ctx, workspace, accountDoc, func(string) (string, error) { return d.sealAccount(workspace, a), nil })
	return kv.About("account of", workspace, err)
}

// Account is the account that a workspace orders with, or [ErrNotConnected]. With [ErrUnreadable] it has what is not
// sealed of it, as far as there is any.
func (d *Accounts) Account(ctx context.Context, workspace string) (ServiceAccount, error) {
	raw, err := d.docs.read(ctx, workspace, accountDoc)
	if err == nil && raw == "" {
		err = ErrNotConnected
	}
	if err != nil {
		return ServiceAccount{}, kv.About("account of", workspace, err)
	}
	a, err := d.openAccount(workspace, raw)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return a, kv.About("account of", workspace, err)
}

// Disconnect erases the account of a workspace; one that has none is fine.
func (d *Accounts) Disconnect(ctx context.Context, workspace string) error {
	err := errID(workspace)
	if err == nil {
		err = d.docs.rdb.Del(ctx, d.docs.key(workspace, accountDoc)).Err()
	}
	return kv.About("account of", workspace, err)
}

// Erase forgets a workspace or an organisation: its installation, its account, and that there was one.
func (d *Entries) Erase(ctx context.Context, id string) error {
	err := errID(id)
	if err == nil {
		_, err = d.erase(ctx, id, script.Args{"id": id})
	}
	return kv.About("workspace", id, err)
}

// EraseGone is [Entries.Erase] for one that is known to be as e says, and tells whether it still was: when the app was
// added again meanwhile, nothing is erased.
func (d *Entries) EraseGone(ctx context.Context, e Entry) (erased bool, err error) {
	raw, err := d.docs.read(ctx, e.ID, installationDoc)
	if err == nil {
		if now := d.entry(e.ID, raw, ""); now.Token != SealedNone || !now.Gone.Equal(e.Gone) || now.Organisation != e.Organisation {
			return false, nil
		}
		erased, err = d.erase(ctx, e.ID, script.Args{"id": e.ID, "installation": raw})
	}
	return erased, kv.About("workspace", e.ID, err)
}

func (d *Entries) erase(ctx context.Context, id string, args script.Args) (bool, error) {
	return scripts.Run(ctx, d.docs.rdb, "erase_workspace", script.Keys{
		"installation": d.docs.key(id, installationDoc), "account": d.docs.key(id, accountDoc), "workspaces": d.docs.shardKey(id),
	}, args).Bool()
}

// EachWorkspace calls f with each workspace of a shard that is known, also when the app is gone from it, until f
// fails. Those of an organisation are known once they were granted, met or connected.
func (d *Entries) EachWorkspace(ctx context.Context, shard int, f func(id string) error) error {
	ids, err := d.docs.ids(ctx, shard)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if isOrganisation(id) {
			continue
		}
		if err := f(id); err != nil {
			return err
		}
	}
	return nil
}

// ids are all ids of a shard, those of organisations too.
func (d *documents) ids(ctx context.Context, shard int) ([]string, error) {
	ids, err := d.rdb.SMembers(ctx, keyspace.Shard(shard).Key("workspaces")).Result()
	if err != nil {
		return nil, fmt.Errorf("workspaces of shard %d: %w", shard, err)
	}
	slices.Sort(ids)
	return ids, nil
}

func (d *documents) key(id string, parts ...string) string {
	return keyspace.OfWorkspace(id).Key(parts...)
}

// shardKey names the set of ids in the shard of one.
func (d *documents) shardKey(id string) string {
	return keyspace.Shard(keyspace.ShardOf(id)).Key("workspaces")
}

// read reads a document; "": no document.
func (d *documents) read(ctx context.Context, id, doc string) (string, error) {
	if err := errID(id); err != nil {
		return "", err
	}
	raw, err := d.rdb.Get(ctx, d.key(id, doc)).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	return raw, err
}

// edit changes a document, "" being none, again as long as somebody else changes it between its reading and its
// writing. What is to stay as it is costs nothing.
func (d *documents) edit(ctx context.Context, id, doc string, change func(raw string) (string, error)) error {
	return kv.RetryOnConflict(errContended, func() (kv.Result, error) {
		raw, err := d.read(ctx, id, doc)
		if err != nil {
			return kv.Stale, err
		}
		next, err := change(raw)
		if err != nil || next == raw {
			return kv.Written, err
		}
		code, err := scripts.Run(ctx, d.rdb, "replace_document",
			script.Keys{"document": d.key(id, doc), "workspaces": d.shardKey(id)},
			script.Args{"id": id, "old": raw, "new": next}).Int()
		return kv.Result(code), err
	})
}
