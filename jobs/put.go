package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/store/queue"
)

// Put appends a job; a job of the same id, done or not, is the same job.
func (j *Jobs) Put(ctx context.Context, kind, id, lane string, body any) error {
	_, err := j.add(ctx, kind, id, lane, body)
	return err
}

// add is Put that says whether there was no such job before: see [queue.Queue.Put].
func (j *Jobs) add(ctx context.Context, kind, id, lane string, body any) (added bool, err error) {
	job, err := NewJob(kind, id, lane, body)
	if err != nil {
		return false, err
	}
	return j.queue.Put(ctx, job)
}

// NewJob is a job with a body in JSON.
func NewJob(kind, id, lane string, body any) (queue.Job, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return queue.Job{}, fmt.Errorf("job %s: %w", id, err)
	}
	return queue.Job{ID: id, Lane: lane, Kind: kind, Body: raw}, nil
}

// ShortRef is a short name of a request or a job, the same in the log, on the screen and in
// the operator's list of dead jobs.
func ShortRef(id string) string { return strings.ToUpper(Hash(id)[:6]) }

// Hash makes an id that is safe in keys and in Slack's ids.
func Hash(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}
