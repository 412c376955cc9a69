package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"darkroom/store/kv"

	"github.com/redis/go-redis/v9"
)

// Removal is the progress of forgetting a workspace that removed the app. It proceeds in steps of a limited time;
// each goes on where the last one was cut off. The zero value: nothing is being forgotten.
type Removal struct {
	Since time.Time           `json:"since"`           // the [Connection]'s Forgetting that it is of
	At    time.Time           `json:"at"`              // when it last came further
	Again bool                `json:"again,omitempty"` // all was forgotten before, and no job is under way any more: it looks for what those left behind
	Walk  WorkspaceForgetting `json:"walk,omitzero"`
}

// removalRests is how long nothing may be seen of one that somebody goes on with.
const removalRests = 5 * time.Minute

// Removing reports whether the data is being forgotten as that of a workspace that removed the app, and not to its end yet.
func (c Connection) Removing() bool {
	return !c.Forgetting.IsZero() && !c.Forgotten && c.Removal.Since.Equal(c.Forgetting)
}

// BeginRemoval is [Removals.BeginForgetting] for a workspace that removed the app.
func (s *Removals) BeginRemoval(ctx context.Context, since time.Time, again bool) (Removal, error) {
	r := Removal{Since: since.UTC(), At: since.UTC(), Again: again}
	err := s.BeginForgetting(ctx, r.Since)
	if err == nil {
		_, err = s.KeepRemoval(ctx, r)
	}
	return r, err
}

// KeepRemoval keeps how far it has come, to be gone on with by whoever looks next, and tells whether it is to go on:
// another decision, or a new account, ends it.
func (s *Removals) KeepRemoval(ctx context.Context, r Removal) (goesOn bool, err error) {
	doc, err := json.Marshal(r)
	if err != nil {
		return false, kv.About("the", "connection", err)
	}
	pipe := s.db.Redis.TxPipeline()
	pipe.HSet(ctx, s.db.Key("connection"), "removal", doc)
	forgetting := pipe.HGet(ctx, s.db.Key("connection"), "forgetting")
	if _, err = pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return false, kv.About("the", "connection", err)
	}
	text, err := Connection{Forgetting: r.Since}.forgettingText()
	return forgetting.Val() == text, kv.About("the", "connection", err)
}
