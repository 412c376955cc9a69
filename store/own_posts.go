package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"darkroom/store/kv"

	"github.com/redis/go-redis/v9"
)

const (
	ownPostsLife = 24 * time.Hour // how long a channel's posts are saved; jobs look for one within minutes
	mostOwnPosts = 500            // of a channel
)

// OwnPost is a message of the app's that Slack reported with the event message_metadata_posted.
type OwnPost struct {
	TS       string          `json:"ts"`
	Metadata json.RawMessage `json:"metadata"` // as Slack has it
}

// OwnPosts saves the app's messages that Slack reported.
type OwnPosts struct{ db kv.DB }

// NoteOwnPost saves that a message of the app's is out. Doing it twice is doing it once.
func (s *OwnPosts) NoteOwnPost(ctx context.Context, channel string, p OwnPost) error {
	key := s.db.Key("own-posts", channel)
	_, err := s.db.Redis.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.ZRemRangeByScore(ctx, key, scoreOf(p.TS), scoreOf(p.TS))
		pipe.ZAdd(ctx, key, redis.Z{Score: float64(microseconds(p.TS)), Member: kv.Encode(p)})
		pipe.ZRemRangeByRank(ctx, key, 0, -mostOwnPosts-1)
		pipe.PExpire(ctx, key, ownPostsLife)
		return nil
	})
	return kv.About("own posts in", channel, err)
}

// DropOwnPost removes a message that was deleted in Slack.
func (s *OwnPosts) DropOwnPost(ctx context.Context, channel, ts string) error {
	return kv.About("own posts in", channel, s.db.Redis.ZRemRangeByScore(ctx, s.db.Key("own-posts", channel), scoreOf(ts), scoreOf(ts)).Err())
}

// Since returns the known posts of a channel and its threads since that time, oldest first.
func (s *OwnPosts) Since(ctx context.Context, channel string, since time.Time) ([]OwnPost, error) {
	docs, err := s.db.Redis.ZRangeByScore(ctx, s.db.Key("own-posts", channel), &redis.ZRangeBy{
		Min: strconv.FormatInt(since.UnixMicro(), 10), Max: "+inf",
	}).Result()
	if err != nil {
		return nil, kv.About("own posts in", channel, err)
	}
	posts := make([]OwnPost, 0, len(docs))
	for _, doc := range docs {
		var p OwnPost
		if err := json.Unmarshal([]byte(doc), &p); err != nil {
			return nil, kv.About("own posts in", channel, err)
		}
		posts = append(posts, p)
	}
	return posts, nil
}

// microseconds returns Slack's timestamp in µs, which a score of Redis holds exactly; 0 if it is malformed.
func microseconds(ts string) int64 {
	seconds, rest, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(seconds+(rest + "000000")[:6], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func scoreOf(ts string) string { return strconv.FormatInt(microseconds(ts), 10) }
