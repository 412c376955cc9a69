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

// StateLife is how long somebody may take at Slack to add the app.
const StateLife = 10 * time.Minute

// statePlace is what a state is sealed for.
const statePlace = "oauth-state"

// OAuthStates keeps the installations that somebody has begun.
type OAuthStates struct{ docs *documents }

// NewState begins an installation and returns the secret by which [OAuthStates.UseState] knows it: until when it counts,
// sealed. Redis has but its hash.
func (d *OAuthStates) NewState(ctx context.Context) (string, error) {
	state := d.docs.keys.Seal([]byte(kv.Encode(time.Now().Add(StateLife))), statePlace)
	err := d.docs.rdb.Set(ctx, stateKey(state), 1, StateLife).Err()
	if err != nil {
		return "", kv.About("the", "state", err)
	}
	return state, nil
}

// IsState reports whether [OAuthStates.NewState] made a secret, and it still counts. It asks nobody.
func (d *OAuthStates) IsState(state string) bool {
	var until time.Time
	plain, _, err := d.docs.keys.Open(state, statePlace)
	return err == nil && json.Unmarshal(plain, &until) == nil && time.Now().Before(until)
}

// UseState ends an installation that was begun with that secret, once. false: none was, or it took too long, or has
// ended already.
func (d *OAuthStates) UseState(ctx context.Context, state string) (known bool, err error) {
	n, err := d.docs.rdb.Del(ctx, stateKey(state)).Result()
	return n == 1, kv.About("the", "state", err)
}

func stateKey(state string) string {
	sum := sha256.Sum256([]byte(state))
	return keyspace.Keyspace{}.Key("oauth-state", hex.EncodeToString(sum[:]))
}
