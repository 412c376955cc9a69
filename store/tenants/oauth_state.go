package tenants

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
)

// StateLife is how long a person may take at Slack to add the app.
const StateLife = 10 * time.Minute

// statePlace is the context that a state is sealed for.
const statePlace = "oauth-state"

// OAuthStates saves the installations that were begun.
type OAuthStates struct{ docs *documents }

// NewState begins an installation and returns its secret for [OAuthStates.UseState]: its sealed time of expiry. Redis
// has only the secret's hash.
func (d *OAuthStates) NewState(ctx context.Context) (string, error) {
	state := d.docs.keys.Seal([]byte(kv.Encode(time.Now().Add(StateLife))), statePlace)
	err := d.docs.rdb.Set(ctx, stateKey(state), 1, StateLife).Err()
	if err != nil {
		return "", kv.About("the", "state", err)
	}
	return state, nil
}

// IsState reports whether [OAuthStates.NewState] made a secret, and it has not expired. It does not ask Redis.
func (d *OAuthStates) IsState(state string) bool {
	var until time.Time
	plain, _, err := d.docs.keys.Open(state, statePlace)
	return err == nil && json.Unmarshal(plain, &until) == nil && time.Now().Before(until)
}

// UseState ends the installation that was begun with that secret, once. It returns false if the secret is unknown,
// expired or used.
func (d *OAuthStates) UseState(ctx context.Context, state string) (known bool, err error) {
	n, err := d.docs.rdb.Del(ctx, stateKey(state)).Result()
	return n == 1, kv.About("the", "state", err)
}

func stateKey(state string) string {
	sum := sha256.Sum256([]byte(state))
	return keyspace.Keyspace{}.Key("oauth-state", hex.EncodeToString(sum[:]))
}
