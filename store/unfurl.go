package store

import (
	"context"
	"fmt"

	"darkroom/store/kv"
	"darkroom/store/queue"
)

// UnfurlKind is the kind of the job that answers a message which names orders by their references.
const UnfurlKind = "unfurl"

// UnfurlJob is the body of that job, which is done by the announcer alone.
type UnfurlJob struct {
	Team       string   `json:"team"`
	Channel    string   `json:"channel"`
	Message    string   `json:"message"` // its timestamp
	Thread     string   `json:"thread"`  // the one that it is in, or begins
	References []string `json:"references"`
}

// PutUnfurl puts that job, once for each message. Its lane is its own: no news waits for it.
func (s *Announcements) PutUnfurl(ctx context.Context, job UnfurlJob) error {
	lane := fmt.Sprintf("unfurl:%s:%s", job.Team, job.Channel)
	_, err := s.records.queue.Put(ctx, queue.Job{ID: lane + ":" + job.Message, Lane: lane, Kind: UnfurlKind, Body: []byte(kv.Encode(job))})
	return kv.About("references in a message of", job.Channel, err)
}
