package tenants

import (
	"cmp"
	"context"
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

// Directory has the installations and accounts of an app for many workspaces, with their secrets sealed. A
// workspace's or an organisation's documents are in the keyspace of its id; store/keys.go lists them. It is safe for
// concurrent use.
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

// documents saves the documents of workspaces and organisations, with their secrets sealed.
type documents struct {
	rdb  redis.UniversalClient
	keys *seal.Keys
}

// The documents of a workspace, by the last part of their keys.
const (
	installationDoc = "installation"
	accountDoc      = "account"
)

// LateEvents is how long Slack may still deliver events from before the app was removed.
const LateEvents = 24 * time.Hour

// errContended says that another writer won each time.
var errContended = errors.New("changed by others all the time")

// WorkspaceID matches the ids of workspaces and organisations.
var WorkspaceID = regexp.MustCompile(`^[TE][A-Za-z0-9]{1,40}$`)

// errID keeps a malformed id out of keys.
func errID(id string) error {
	if WorkspaceID.MatchString(id) {
		return nil
	}
	return fmt.Errorf("%.60q is no id of a workspace or an organisation", id)
}

func isOrganisation(id string) bool { return strings.HasPrefix(id, "E") }

// Installations saves where the app is installed.
type Installations struct{ docs *documents }

// Install saves an installation, in place of an earlier one.
func (d *Installations) Install(ctx context.Context, i Installation) error {
	err := d.docs.edit(ctx, i.ID, installationDoc, func(string) (string, error) { return d.sealInstallation(i), nil })
	return kv.About("installation", i.ID, err)
}

// Installed returns the installation for a workspace: its own, or its organisation's. [ErrNotInstalled]: the app
// is not installed there.
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

// ofOrganisation returns an organisation's installation, or [ErrNotInstalled].
func (d *Installations) ofOrganisation(ctx context.Context, id string) (Installation, error) {
	i, err := d.Known(ctx, id)
	if err == nil && !i.Gone.IsZero() {
		err = ErrNotInstalled
	}
	return i, err
}

// Meet notes that a workspace has the app by its organisation, as an event shows that Slack sent for it at that time. It
// returns false if nothing was noted: the workspace installed the app itself, the organisation withdrew it from the
// workspace, it was removed later, or the organisation does not have it.
func (d *Installations) Meet(ctx context.Context, team, enterprise string, at time.Time) (bool, error) {
	own, _, err := d.ofTeam(ctx, team)
	installed, gone := own.Sealed != "", !own.Gone.IsZero()
	withdrawn, removedLater := gone && own.Of != "", gone && !after(at, own.Gone)
	if err != nil || installed || withdrawn || removedLater {
		return false, kv.About("installation", team, err)
	}
	if _, err = d.ofOrganisation(ctx, enterprise); err == nil {
		err = d.Grant(ctx, team, enterprise, at)
	}
	if errors.Is(err, ErrNotInstalled) {
		return false, nil
	}
	return err == nil, err
}

// ofTeam reads the document of a workspace; the zero value if it has no document, or team is "".
func (d *Installations) ofTeam(ctx context.Context, team string) (saved savedInstallation, exists bool, err error) {
	if team == "" {
		return saved, false, nil
	}
	raw, err := d.docs.read(ctx, team, installationDoc)
	if err == nil {
		saved, err = decodeInstallation(raw)
	}
	return saved, raw != "", err
}

// Known returns an installation by its id, with Gone set if the app was removed. [ErrNotInstalled]: unknown id.
func (d *Installations) Known(ctx context.Context, id string) (Installation, error) {
	saved, exists, err := d.ofTeam(ctx, id)
	if err == nil && !exists {
		err = ErrNotInstalled
	}
	if err != nil {
		return Installation{}, kv.About("installation", id, err)
	}
	i, err := d.openInstallation(id, saved)
	return i, kv.About("installation", id, err)
}

// Grant notes that a workspace has the app by its organisation since then. A workspace's own installation stays.
func (d *Installations) Grant(ctx context.Context, team, enterprise string, at time.Time) error {
	if err := errID(enterprise); err != nil {
		return kv.About("installation", team, err)
	}
	err := d.docs.edit(ctx, team, installationDoc, func(raw string) (string, error) {
		old, err := decodeInstallation(raw)
		if err != nil || old.Sealed != "" || after(old.Gone, at) {
			return raw, err
		}
		return kv.Encode(savedInstallation{ID: team, Of: enterprise, At: at}), nil
	})
	return kv.About("installation", team, err)
}

// Withdraw notes that an organisation took the app from one of its workspaces at that time. It reports whether that
// changed anything. A workspace's own installation stays, and so does a grant of another organisation.
func (d *Installations) Withdraw(ctx context.Context, team, enterprise string, at time.Time) (changed bool, err error) {
	if err := errID(enterprise); err != nil {
		return false, kv.About("installation", team, err)
	}
	return d.leave(ctx, team, at, func(old savedInstallation) (bool, error) { return old.Sealed == "" && old.Of == enterprise, nil })
}

// Leave notes that the app was removed from a workspace or an organisation at that time, by Slack's clock, and erases
// its tokens at once. It changes nothing if it is repeated, or if the app was added again.
func (d *Installations) Leave(ctx context.Context, id string, at time.Time) error {
	_, err := d.leave(ctx, id, at, func(savedInstallation) (bool, error) { return true, nil })
	return err
}

// LeaveWith is [Installations.Leave] after Slack rejected a token. It reports whether that changed anything: it does
// not if another token is saved by now.
func (d *Installations) LeaveWith(ctx context.Context, id, token string, at time.Time) (changed bool, err error) {
	return d.leave(ctx, id, at, func(old savedInstallation) (bool, error) {
		i, err := d.openInstallation(id, old)
		return err == nil && i.Token == token && token != "", err
	})
}

// leave is [Installations.Leave] for an installation that matches.
func (d *Installations) leave(ctx context.Context, id string, at time.Time, match func(old savedInstallation) (bool, error)) (changed bool, err error) {
	err = d.docs.edit(ctx, id, installationDoc, func(raw string) (string, error) {
		changed = false
		old, err := decodeInstallation(raw)
		if err != nil || raw == "" {
			return raw, err
		}
		if matches, err := match(old); err != nil || !matches || !old.Gone.IsZero() || after(old.At, at) {
			return raw, err
		}
		changed = true
		old.Gone, old.Sealed, old.Expires, old.Renewing = at, "", time.Time{}, time.Time{}
		return kv.Encode(old), nil
	})
	return changed && err == nil, kv.About("installation", id, err)
}

// after reports whether one time is in a later second than another: Slack's times have whole seconds.
func after(one, other time.Time) bool { return !one.IsZero() && one.Unix() > other.Unix() }

// Accounts saves the accounts at order services.
type Accounts struct{ docs *documents }

// Connect saves the account that a workspace orders with.
func (d *Accounts) Connect(ctx context.Context, workspace string, a ServiceAccount) error {
	err := d.docs.edit(ctx, workspace, accountDoc, func(string) (string, error) { return d.sealAccount(workspace, a), nil })
	return kv.About("account of", workspace, err)
}

// Account returns the account that a workspace orders with, or [ErrNotConnected]. With [ErrUnreadable] it returns the
// fields that are not sealed.
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

// Disconnect erases the account of a workspace; a missing one is no error.
func (d *Accounts) Disconnect(ctx context.Context, workspace string) error {
	err := errID(workspace)
	if err == nil {
		err = d.docs.rdb.Del(ctx, d.docs.key(workspace, accountDoc)).Err()
	}
	return kv.About("account of", workspace, err)
}

// Erase forgets a workspace or an organisation: its installation, its account, and its entry in the directory.
func (d *Entries) Erase(ctx context.Context, id string) error {
	err := errID(id)
	if err == nil {
		_, err = d.erase(ctx, id, script.Args{"id": id})
	}
	return kv.About("workspace", id, err)
}

// EraseGone is [Entries.Erase] for an entry without the app. It reports whether it erased it: it does not if the
// app was added again since e was read.
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

// EachWorkspace calls f with each known workspace of a shard, also without the app, until f fails. A workspace of an
// organisation is known after [Installations.Grant], [Installations.Meet] or [Accounts.Connect].
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

// ids returns all ids of a shard, sorted; organisations included.
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

// shardKey names the set of ids in the shard of id.
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

// edit changes a document; "" means no document. It repeats after a concurrent change. An unchanged document is not
// written.
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
