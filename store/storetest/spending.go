package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Spent is the work of a Redis since its statistics began.
type Spent struct {
	Commands int           // commands in scripts included
	Time     time.Duration // of scripts and of reading the stream
}

// Less returns the work since an earlier look, without the command of that look.
func (s Spent) Less(before Spent) Spent {
	return Spent{Commands: s.Commands - before.Commands - 1, Time: s.Time - before.Time}
}

// greetings are the commands of a client that connects.
var greetings = []string{"hello", "client|setinfo", "select"}

// Spending asks a real Redis for its work so far, without greetings.
func Spending(tb testing.TB, rdb redis.UniversalClient) (s Spent) {
	tb.Helper()
	info, err := Main(tb.Context(), rdb).InfoMap(tb.Context(), "commandstats").Result()
	if err != nil {
		tb.Fatal(err)
	}
	for name, stats := range info["Commandstats"] {
		var calls, micros int
		if _, err := fmt.Sscanf(stats, "calls=%d,usec=%d", &calls, &micros); err != nil {
			tb.Fatal(name, ": ", err)
		}
		name = strings.TrimPrefix(name, "cmdstat_")
		if slices.Contains(greetings, name) {
			continue
		}
		s.Commands += calls
		if name == "evalsha" || name == "xreadgroup" {
			s.Time += time.Duration(micros) * time.Microsecond
		}
	}
	return s
}
