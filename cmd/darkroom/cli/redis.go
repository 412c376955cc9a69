package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/cmd/darkroom/config"
	"darkroom/store/conn"
)

// WithRedis connects to Redis, which needs only REDIS_URL. It pings first, so that one sentence says that Redis
// is away. The driver's own messages do not reach the terminal.
func WithRedis(ctx context.Context, w *World, do func(redis.UniversalClient) error) error {
	vars, err := Needed(w, "REDIS_URL")
	if err != nil {
		return err
	}
	redis.SetLogger(RedisLog{Log: slog.New(slog.DiscardHandler)})
	rdb, err := conn.Connect(vars["REDIS_URL"])
	if err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	return errors.Join(answering(ctx, rdb, do), rdb.Close())
}

// Needed returns all variables if the named ones are set and can be used.
func Needed(w *World, names ...string) (map[string]string, error) {
	var problems config.Error
	vars := config.WithFiles(w.Environ, &problems)
	for _, name := range names {
		problems.When(vars[name] == "", name, "is missing")
	}
	var says []string
	for _, p := range problems.Problems {
		if slices.Contains(names, p.Name) {
			says = append(says, p.Message)
		}
	}
	if len(says) > 0 {
		return nil, fmt.Errorf("%s. Nothing was done; no other variable is needed", strings.Join(says, "; "))
	}
	return vars, nil
}

// answering calls its argument do, if Redis answers.
func answering(ctx context.Context, rdb redis.UniversalClient, do func(redis.UniversalClient) error) error {
	soon, cancel := context.WithTimeout(ctx, redisWait)
	defer cancel()
	if err := rdb.Ping(soon).Err(); err != nil {
		return RedisAway(err)
	}
	return do(rdb)
}

// redisWait is how long Redis may take to answer at the beginning of a command.
const redisWait = 10 * time.Second

// RedisAway returns the error that Redis does not answer, with the remedy.
func RedisAway(err error) error {
	return fmt.Errorf("REDIS_URL: Redis does not answer (%w); start it, or correct the address", err)
}

// RedisLog writes the Redis library's messages to the app's log. By default they go to standard
// error, for every try during an outage.
type RedisLog struct{ Log *slog.Logger }

// Printf implements the library's logger.
func (r RedisLog) Printf(ctx context.Context, format string, v ...any) {
	r.Log.DebugContext(ctx, "redis client", "says", fmt.Sprintf(format, v...))
}
