package queue

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Mention is a job that [Inspector.Mentioning] found.
type Mention struct {
	Job
	Dead bool
}

// mentionPage is how many keys one step of [Inspector.Mentioning] reads.
const mentionPage = 200

// Mentioning returns unsettled and dead jobs, at most limit, whose lane, body, state or reason holds what matches looks for.
// node is the Redis with the queue's keys.
func (in Inspector) Mentioning(ctx context.Context, node redis.Cmdable, matches func(text string) bool, limit int) ([]Mention, error) {
	var found []Mention
	for cursor := uint64(0); ; {
		keys, next, err := node.Scan(ctx, cursor, in.space.key("job", in.space.name("*")), mentionPage).Result()
		if err != nil {
			return found, errorf("scan", "jobs", err)
		}
		for _, key := range keys {
			id := strings.TrimPrefix(key, in.space.key("job", ""))
			m, holds, err := in.mentionOf(ctx, id, matches)
			if err != nil {
				return found, err
			}
			if holds && !slices.ContainsFunc(found, func(had Mention) bool { return had.ID == m.ID && had.Tenant == m.Tenant }) {
				found = append(found, m)
			}
			if len(found) >= limit {
				return found, nil
			}
		}
		if cursor = next; cursor == 0 {
			return found, nil
		}
	}
}

func (in Inspector) mentionOf(ctx context.Context, id string, matches func(text string) bool) (m Mention, holds bool, err error) {
	job, err := in.space.rdb.HMGet(ctx, in.space.key("job", id), "lane", "kind", "body", "state", "reason").Result()
	if err != nil {
		return m, false, errorf("read", id, err)
	}
	fields := make([]string, len(job))
	for i, value := range job {
		fields[i], _ = value.(string)
		holds = holds || i != 1 && matches(fields[i])
	}
	if !holds {
		return m, false, nil
	}
	dead, err := in.space.rdb.ZScore(ctx, in.space.key("dead"), id).Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return Mention{in.space.job(id, fields[0], fields[1], fields[2]), dead > 0}, true, errorf("read", id, err)
}
