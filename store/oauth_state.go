package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"darkroom/store/keyspace"
)

// ErrState says that an installation was not begun here, was begun too long ago, or has ended already.
var ErrState = errors.New("no installation was begun with that state")

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

// UseState ends an installation that was begun with that secret, once; [ErrState] when there is none.
func (d *Directory) UseState(ctx context.Context, state string) error {
	n, err := d.rdb.Del(ctx, stateKey(state)).Result()
	if err == nil && n == 0 {
		err = ErrState
	}
	return about("the", "state", err)
}

func stateKey(state string) string {
	sum := sha256.Sum256([]byte(state))
	return keyspace.Keyspace{}.Key("oauth-state", hex.EncodeToString(sum[:]))
}
