package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"darkroom/store/kv"

	"github.com/redis/go-redis/v9"
)

// Removal is the progress of forgetting a workspace that removed the app. Its steps have a limited time;
// each continues where the last one ended. The zero value: nothing is being forgotten.
type Removal struct {
	Since time.Time           `json:"since"`           // the Forgetting of its [Connection]
	At    time.Time           `json:"at"`              // of the last progress
	Again bool                `json:"again,omitempty"` // a second removal: it looks for data that jobs left behind after the first
	Walk  WorkspaceForgetting `json:"walk,omitzero"`
}

// removalRests is the longest time between two steps of a removal that is under way.
const removalRests = 5 * time.Minute

// Removing reports whether the data is being forgotten because the workspace removed the app.
func (c Connection) Removing() bool {
	return !c.Forgetting.IsZero() && !c.Forgotten && c.Removal.Since.Equal(c.Forgetting)
}

// BeginRemoval is [Removals.BeginForgetting] for a workspace that removed the app.
func (s *Removals) BeginRemoval(ctx context.Context, since time.Time, again bool) (Removal, error) {
	r := Removal{Since: since.UTC(), At: since.UTC(), Again: again}
	err := s.BeginForgetting(ctx, r.Since)
	if err == nil {
		_, err = s.SaveRemoval(ctx, r)
	}
	return r, err
}

// SaveRemoval saves the progress for the next step, and reports whether the removal goes on: another decision, or a
// new account, ends it.
func (s *Removals) SaveRemoval(ctx context.Context, r Removal) (goesOn bool, err error) {
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
