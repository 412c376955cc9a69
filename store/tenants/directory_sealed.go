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

// savedInstallation is an [Installation] as Redis has it.
type savedInstallation struct {
	ID         string    `json:"id"`
	Of         string    `json:"of,omitempty"` // the organisation that installed the app for this workspace; its document has the installation
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

// tokens are the secrets of an installation.
type tokens struct {
	Token   string `json:"token"`
	Refresh string `json:"refresh,omitempty"`
}

// savedAccount is a [ServiceAccount] as Redis has it.
type savedAccount struct {
	Params    string    `json:"params,omitempty"`
	Signature string    `json:"signature,omitempty"`
	Numbers   string    `json:"numbers,omitempty"`
	BasicAuth bool      `json:"basic_auth,omitempty"`
	Prices    string    `json:"prices,omitempty"`
	By        string    `json:"by,omitempty"`
	At        time.Time `json:"at,omitzero"`
	Sealed    string    `json:"sealed"` // [credentials] as JSON
}

// credentials are the secrets of an account. The address is sealed, too: a forged address beside a sealed key
// would receive signed requests.
type credentials struct {
	URL    string `json:"url"`
	Key    string `json:"key"`
	Secret string `json:"secret"`
}

// place returns the context that a document's secrets are sealed for.
func place(id, doc string) string { return id + ":" + doc }

func (d *Installations) sealInstallation(i Installation) string {
	saved := savedInstallation{
		ID: i.ID, Team: i.Team, Enterprise: i.Enterprise, Name: i.Name, AppID: i.AppID, BotUser: i.BotUser, Scopes: i.Scopes,
		OrgWide: i.OrgWide, Expires: i.Expires, Renewed: i.Renewed, Renewing: i.Renewing, By: i.By, At: i.At, Gone: i.Gone,
	}
	if i.Gone.IsZero() {
		saved.Sealed = d.docs.keys.Seal([]byte(kv.Encode(tokens{i.Token, i.Refresh})), place(i.ID, installationDoc))
	}
	return kv.Encode(saved)
}

// decodeInstallation decodes a document; the zero value for "".
func decodeInstallation(raw string) (saved savedInstallation, err error) {
	if raw != "" {
		err = json.Unmarshal([]byte(raw), &saved)
	}
	return saved, err
}

// openInstallation opens the document saved under an id. That id counts, whatever the document says.
func (d *Installations) openInstallation(id string, saved savedInstallation) (Installation, error) {
	i := Installation{
		ID: id, Team: saved.Team, Enterprise: cmp.Or(saved.Enterprise, saved.Of), Name: saved.Name, AppID: saved.AppID, BotUser: saved.BotUser, Scopes: saved.Scopes,
		OrgWide: saved.OrgWide, Expires: saved.Expires, Renewed: saved.Renewed, Renewing: saved.Renewing, By: saved.By, At: saved.At, Gone: saved.Gone,
	}
	if saved.Sealed == "" {
		return i, nil
	}
	var t tokens
	err := d.docs.open(saved.Sealed, place(id, installationDoc), &t)
	i.Token, i.Refresh = t.Token, t.Refresh
	return i, err
}

func (d *Accounts) sealAccount(workspace string, a ServiceAccount) string {
	secret := kv.Encode(credentials{a.URL, a.Key, a.Secret})
	return kv.Encode(savedAccount{
		Params: a.Params, Signature: a.Signature, Numbers: a.Numbers, BasicAuth: a.BasicAuth, Prices: a.Prices, By: a.By, At: a.At,
		Sealed: d.docs.keys.Seal([]byte(secret), place(workspace, accountDoc)),
	})
}

func (d *Accounts) openAccount(workspace, raw string) (ServiceAccount, error) {
	var saved savedAccount
	if err := json.Unmarshal([]byte(raw), &saved); err != nil {
		return ServiceAccount{}, err
	}
	var c credentials
	err := d.docs.open(saved.Sealed, place(workspace, accountDoc), &c)
	return ServiceAccount{
		URL: c.URL, Key: c.Key, Secret: c.Secret, Params: saved.Params, Signature: saved.Signature, Numbers: saved.Numbers,
		BasicAuth: saved.BasicAuth, Prices: saved.Prices, By: saved.By, At: saved.At,
	}, err
}

// open opens a text that was sealed for a place, and decodes it.
func (d *documents) open(sealed, bound string, into any) error {
	plain, _, err := d.keys.Open(sealed, bound)
	if err == nil && json.Unmarshal(plain, into) != nil {
		err = errSealed // the library's error would quote the secret
	}
	return err
}

// Reseal seals the secrets of a shard anew that older keys sealed, with the newest key. It returns the number of
// documents. Once it returns 0 for every shard, the older keys may go. Secrets that no key opens stay as they are; the
// error is about the first.
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
			case Unreadable(err):
				first = cmp.Or(first, kv.About(doc+" of", id, err))
			case err != nil:
				return n, kv.About(doc+" of", id, err)
			}
		}
	}
	return n, first
}

// Unreadable reports whether an error comes from opening a secret, and not from Redis.
func Unreadable(err error) bool {
	return errors.Is(err, seal.ErrUnknownKey) || errors.Is(err, seal.ErrNotOurs) || errors.Is(err, seal.ErrMalformed)
}

// reseal reseals one document; its other fields stay as they are.
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
