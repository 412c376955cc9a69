package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"darkroom/store/keyspace"
)

// StateLife is how long somebody may take at Slack to add the app.
const StateLife = 10 * time.Minute

// NewState begins an installation and returns the secret by which [Directory.UseState] knows it. Redis has but its hash.
func (d *Directory) NewState(ctx context.Context) (string, error) {
	state := rand.Text()
	err := d.rdb.Set(ctx, stateKey(state), 1, StateLife).Err()
	if err != nil {
		return "", about("the", "state", err)
	}
	return state, nil
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
