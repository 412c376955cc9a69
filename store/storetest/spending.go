package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Spent is what a Redis did since its statistics began: how many commands, those inside scripts included,
// and its time for those that it was sent, in which those inside scripts are counted with them.
type Spent struct {
	Commands int
	Time     time.Duration
}

// Less is what was spent since an earlier look, but for the command of that look.
func (s Spent) Less(before Spent) Spent {
	return Spent{Commands: s.Commands - before.Commands - 1, Time: s.Time - before.Time}
}

// greetings are the commands of a client that connects.
var greetings = []string{"hello", "client|setinfo", "select"}

// Spending asks a real Redis what it did so far. What greets it is left out.
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
