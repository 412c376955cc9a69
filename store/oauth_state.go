package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"darkroom/store/keyspace"
)

// StateLife is how long somebody may take at Slack to add the app.
const StateLife = 10 * time.Minute

// statePlace is what a state is sealed for.
const statePlace = "oauth-state"

// NewState begins an installation and returns the secret by which [Directory.UseState] knows it: until when it counts,
// sealed. Redis has but its hash.
func (d *Directory) NewState(ctx context.Context) (string, error) {
	state := d.keys.Seal([]byte(encode(time.Now().Add(StateLife))), statePlace)
	err := d.rdb.Set(ctx, stateKey(state), 1, StateLife).Err()
	if err != nil {
		return "", about("the", "state", err)
	}
	return state, nil
}

// IsState reports whether [Directory.NewState] made a secret, and it still counts. It asks nobody.
func (d *Directory) IsState(state string) bool {
	var until time.Time
	plain, _, err := d.keys.Open(state, statePlace)
	return err == nil && json.Unmarshal(plain, &until) == nil && time.Now().Before(until)
}

// UseState ends an installation that was begun with that secret, once. false: none was, or it took too long, or has
// ended already.
func (d *Directory) UseState(ctx context.Context, state string) (known bool, err error) {
	n, err := d.rdb.Del(ctx, stateKey(state)).Result()
	return n == 1, about("the", "state", err)
}

func stateKey(state string) string {
	sum := sha256.Sum256([]byte(state))
	return keyspace.Keyspace{}.Key("oauth-state", hex.EncodeToString(sum[:]))
}
