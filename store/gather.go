package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
	"darkroom/store/script"
)

const (
	gatheredFor = 26 * time.Hour // that a review is known to have been gathered: longer than a job is by its id
	gatherJoin  = time.Hour      // that others join, should nobody come to tell of them
)

// Ready is a review that stands in its order's thread, and of which the channel is told with others.
type Ready struct {
	Order      string
	Generation int   // of its order's owner
	Event      int64 // Seq of the delivery
}

// String names it, for good.
func (r Ready) String() string { return fmt.Sprintf("%d:%d:%s", r.Generation, r.Event, r.Order) }

// parseReady reads such a name; false when it is none.
func parseReady(name string) (r Ready, ok bool) {
	generation, rest, _ := strings.Cut(name, ":")
	event, id, ok := strings.Cut(rest, ":")
	g, err := strconv.Atoi(generation)
	n, wrong := strconv.ParseInt(event, 10, 64)
	return Ready{Order: id, Generation: g, Event: n}, ok && err == nil && wrong == nil
}

// Gather adds a review to those that a channel is told of together, and says which they are: when the first of
// them came. One that is among them, or was within a day, changes nothing.
func (s *Store) Gather(ctx context.Context, place Place, review Ready) (first time.Time, err error) {
	ms, err := s.gathering(ctx, "gather", place, script.Args{"review": review.String(), "keep": gatheredFor, "join": gatherJoin}).Int64()
	return time.UnixMilli(ms), about("reviews gathered for", place.Channel, err)
}

// Gathered lets no more reviews join those that began then, and returns them. Whoever asks again gets the same.
func (s *Store) Gathered(ctx context.Context, place Place, first time.Time) ([]Ready, error) {
	names, err := s.gathering(ctx, "take_gathered", place, script.Args{"first": first.UnixMilli()}).StringSlice()
	reviews := make([]Ready, 0, len(names))
	for _, name := range names {
		if review, ok := parseReady(name); ok {
			reviews = append(reviews, review)
		}
	}
	return reviews, about("reviews gathered for", place.Channel, err)
}

func (s *Store) gathering(ctx context.Context, name string, place Place, args script.Args) *redis.Cmd {
	return scripts.Run(ctx, s.rdb, name, script.Keys{
		"gathered": s.key("gathered", place.Team, place.Channel), "gathering": s.key("gathering", place.Team, place.Channel),
	}, args)
}

// GatherKind is the kind of the job that tells a channel of the reviews that were gathered for it.
const GatherKind = "gather"

// GatherJob is the body of that job, which is done by the announcer alone.
type GatherJob struct {
	Team    string    `json:"team"`
	Channel string    `json:"channel"`
	First   time.Time `json:"first"`           // when the first of them came
	Tries   int       `json:"tries,omitempty"` // how often the channel was out of reach
}

// Job is the job itself: there is one for those that came first then.
func (j GatherJob) Job() queue.Job {
	id := fmt.Sprintf("gather:%s:%s:%d:%d", j.Team, j.Channel, j.First.UnixMilli(), j.Tries)
	return channelJob(j.Team, j.Channel, GatherKind, id, j)
}
