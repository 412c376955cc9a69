package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/script"
)

// Backlog is what stands at the head of the lanes, for whoever watches the queue.
type Backlog struct {
	// PutOff counts the lanes that wait: for another attempt, for Slack's pace, for the end of an outage.
	PutOff int
	// Oldest is how long the oldest first job of a lane has been due, by kind.
	Oldest map[string]time.Duration
	// Kept are the jobs of the wanted kinds that were delivered and are not settled.
	Kept []Kept
	// Now is the time by the clock of Redis.
	Now time.Time
}

// Kept is a job under way, and what its handler left with [Delivery.SetState].
type Kept struct {
	Kind  string
	State json.RawMessage
}

// mostHeads bounds how long a look holds Redis up, to some ten milliseconds. Of more lanes any so many are
// looked at: when there are, many jobs are old.
const mostHeads = 2000

// Backlog looks at the first job of every lane, of 2,000 at most, in one atomic step, and reads what those of the wanted
// kinds keep. Of one that was never delivered, or keeps nothing, nothing is told.
func (q *Queue) Backlog(ctx context.Context, wanted ...string) (Backlog, error) {
	if wanted == nil {
		wanted = []string{} // the embedded Redis reads null otherwise
	}
	parts, err := q.script(ctx, "backlog", script.Args{"kinds": wanted, "most": mostHeads}).Slice()
	if err == nil && len(parts) != 4 {
		err = fmt.Errorf("an answer of %d parts", len(parts))
	}
	if err != nil {
		return Backlog{}, errorf("look at", "lanes", err)
	}
	putOff, _ := parts[0].(int64)
	now, _ := parts[1].(string)
	b := Backlog{PutOff: int(putOff), Now: time.UnixMilli(number(now)), Oldest: map[string]time.Duration{}}
	for pair := range pairs(parts[2]) {
		b.Oldest[pair[0]] = max(0, b.Now.Sub(time.UnixMilli(number(pair[1]))))
	}
	for pair := range pairs(parts[3]) {
		b.Kept = append(b.Kept, Kept{Kind: pair[0], State: raw(pair[1])})
	}
	return b, nil
}

// pairs are the texts of a list in an answer of Redis, two by two.
func pairs(list any) func(yield func([]string) bool) {
	texts, _ := redis.NewCmdResult(list, nil).StringSlice() // the script writes nothing else
	return slices.Chunk(texts[:len(texts)/2*2], 2)
}
