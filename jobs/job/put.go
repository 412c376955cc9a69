package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/store/queue"
)

// Putter puts jobs.
type Putter struct{ Queue *queue.Queue }

// Put appends a job. A second put of the same id does nothing, even if that job is done.
func (j *Putter) Put(ctx context.Context, kind, id, lane string, body any) error {
	_, err := j.Add(ctx, kind, id, lane, body)
	return err
}

// Add is [Putter.Put] that reports whether the job is new, see [queue.Queue.Put].
func (j *Putter) Add(ctx context.Context, kind, id, lane string, body any) (added bool, err error) {
	job, err := New(kind, id, lane, body)
	if err != nil {
		return false, err
	}
	return j.Queue.Put(ctx, job)
}

// New returns a job with body in JSON.
func New(kind, id, lane string, body any) (queue.Job, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return queue.Job{}, fmt.Errorf("job %s: %w", id, err)
	}
	return queue.Job{ID: id, Lane: lane, Kind: kind, Body: raw}, nil
}

// ShortRef returns the short name of a request or a job that the log, the screen and the list of dead letters share.
func ShortRef(id string) string { return strings.ToUpper(Hash(id)[:6]) }

// Hash returns an id that is safe in keys and in Slack's ids.
func Hash(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}
