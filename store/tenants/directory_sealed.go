package tenants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"darkroom/store/kv"
	"darkroom/store/seal"
)

// keptInstallation is an [Installation] as Redis has it.
type keptInstallation struct {
	ID         string    `json:"id"`
	Of         string    `json:"of,omitempty"` // the organisation whose installation it is; the rest is there
	Team       string    `json:"team,omitempty"`
	Enterprise string    `json:"enterprise,omitempty"`
	Name       string    `json:"name,omitempty"`
	AppID      string    `json:"app,omitempty"`
	BotUser    string    `json:"bot_user,omitempty"`
	Scopes     []string  `json:"scopes,omitempty"`
	OrgWide    bool      `json:"org_wide,omitempty"`
	Expires    time.Time `json:"expires,omitzero"`
	Renewed    time.Time `json:"renewed,omitzero"`
	Renewing   time.Time `json:"renewing,omitzero"`
	By         string    `json:"by,omitempty"`
	At         time.Time `json:"at,omitzero"`
	Gone       time.Time `json:"gone,omitzero"`
	Sealed     string    `json:"sealed,omitempty"` // [tokens] as JSON; "" when the app is gone
}

// tokens are what is secret of an installation.
type tokens struct {
	Token   string `json:"token"`
	Refresh string `json:"refresh,omitempty"`
}

// keptAccount is a [ServiceAccount] as Redis has it.
type keptAccount struct {
	Params    string    `json:"params,omitempty"`
	Signature string    `json:"signature,omitempty"`
	Numbers   string    `json:"numbers,omitempty"`
	BasicAuth bool      `json:"basic_auth,omitempty"`
	By        string    `json:"by,omitempty"`
	At        time.Time `json:"at,omitzero"`
	Sealed    string    `json:"sealed"` // [credentials] as JSON
}

// credentials are what is secret of an account. The address is among them: whoever could write another one beside
// a sealed key would be sent what the key signs.
type credentials struct {
	URL    string `json:"url"`
	Key    string `json:"key"`
	Secret string `json:"secret"`
}

// place is what a document's secrets are bound to.
func place(id, doc string) string { return id + ":" + doc }

func (d *Installations) sealInstallation(i Installation) string {
	kept := keptInstallation{
		ID: i.ID, Team: i.Team, Enterprise: i.Enterprise, Name: i.Name, AppID: i.AppID, BotUser: i.BotUser, Scopes: i.Scopes,
		OrgWide: i.OrgWide, Expires: i.Expires, Renewed: i.Renewed, Renewing: i.Renewing, By: i.By, At: i.At, Gone: i.Gone,
	}
	if i.Gone.IsZero() {
		kept.Sealed = d.docs.keys.Seal([]byte(kv.Encode(tokens{i.Token, i.Refresh})), place(i.ID, installationDoc))
	}
	return kv.Encode(kept)
}

// openInstallation opens what is kept under an id, whatever id it says itself.
func (d *Installations) openInstallation(id string, kept keptInstallation) (Installation, error) {
	i := Installation{
		ID: id, Team: kept.Team, Enterprise: cmp.Or(kept.Enterprise, kept.Of), Name: kept.Name, AppID: kept.AppID, BotUser: kept.BotUser, Scopes: kept.Scopes,
		OrgWide: kept.OrgWide, Expires: kept.Expires, Renewed: kept.Renewed, Renewing: kept.Renewing, By: kept.By, At: kept.At, Gone: kept.Gone,
	}
	if kept.Sealed == "" {
		return i, nil
	}
	var t tokens
	err := d.docs.open(kept.Sealed, place(id, installationDoc), &t)
	i.Token, i.Refresh = t.Token, t.Refresh
	return i, err
}

// parseInstallation reads a document.
func (d *Installations) parseInstallation(id, raw string) (Installation, error) {
	var kept keptInstallation
	if raw == "" {
		return Installation{}, ErrNotInstalled
	}
	if err := json.Unmarshal([]byte(raw), &kept); err != nil {
		return Installation{}, err
	}
	return d.openInstallation(id, kept)
}

func (d *Accounts) sealAccount(workspace string, a ServiceAccount) string {
	secret := kv.Encode(credentials{a.URL, a.Key, a.Secret})
	return kv.Encode(keptAccount{
		Params: a.Params, Signature: a.Signature, Numbers: a.Numbers, BasicAuth: a.BasicAuth, By: a.By, At: a.At,
		Sealed: d.docs.keys.Seal([]byte(secret), place(workspace, accountDoc)),
	})
}

func (d *Accounts) openAccount(workspace, raw string) (ServiceAccount, error) {
	var kept keptAccount
	if err := json.Unmarshal([]byte(raw), &kept); err != nil {
		return ServiceAccount{}, err
	}
	var c credentials
	err := d.docs.open(kept.Sealed, place(workspace, accountDoc), &c)
	return ServiceAccount{
		URL: c.URL, Key: c.Key, Secret: c.Secret, Params: kept.Params, Signature: kept.Signature, Numbers: kept.Numbers,
		BasicAuth: kept.BasicAuth, By: kept.By, At: kept.At,
	}, err
}

// open reads what was sealed for a place.
func (d *documents) open(sealed, bound string, into any) error {
	plain, _, err := d.keys.Open(sealed, bound)
	if err == nil && json.Unmarshal(plain, into) != nil {
		err = errSealed // the library's error would quote it
	}
	return err
}

// Reseal seals anew, with the newest key, what older keys sealed of a shard, and says how many documents that were.
// Once it says 0 for every shard the older keys may go. What does not open stays as it is, and keeps nothing else from
// being sealed: the error tells of the first.
func (d *Entries) Reseal(ctx context.Context, shard int) (n int, err error) {
	ids, err := d.docs.ids(ctx, shard)
	if err != nil {
		return 0, err
	}
	var first error
	for _, id := range ids {
		for _, doc := range []string{installationDoc, accountDoc} {
			again, err := d.reseal(ctx, id, doc)
			if again {
				n++
			}
			switch {
			case unreadable(err):
				first = cmp.Or(first, kv.About(doc+" of", id, err))
			case err != nil:
				return n, kv.About(doc+" of", id, err)
			}
		}
	}
	return n, first
}

// unreadable tells whether an error is of a sealed text, and not of Redis.
func unreadable(err error) bool {
	return errors.Is(err, seal.ErrUnknownKey) || errors.Is(err, seal.ErrNotOurs) || errors.Is(err, seal.ErrMalformed)
}

// reseal does it for one document, whose other fields stay as they are.
func (d *Entries) reseal(ctx context.Context, id, doc string) (again bool, err error) {
	err = d.docs.edit(ctx, id, doc, func(raw string) (string, error) {
		again = false
		if raw == "" {
			return raw, nil
		}
		var fields map[string]json.RawMessage
		var sealed string
		if err := json.Unmarshal([]byte(raw), &fields); err != nil {
			return "", err
		}
		if err := json.Unmarshal(fields["sealed"], &sealed); fields["sealed"] != nil && err != nil {
			return "", err
		}
		if sealed == "" || d.docs.keys.Newest(sealed) {
			return raw, nil
		}
		plain, _, err := d.docs.keys.Open(sealed, place(id, doc))
		if err != nil {
			return "", err
		}
		again = true
		fields["sealed"] = json.RawMessage(kv.Encode(d.docs.keys.Seal(plain, place(id, doc))))
		return kv.Encode(fields), nil
	})
	return again && err == nil, err
}
