package storetest

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// databases is how many the shared server has.
const databases = 4096

// common is the server whose databases tests get. Each process has one, because starting it takes
// longer than most tests.
var common struct {
	once  sync.Once
	port  int
	err   error
	given atomic.Int64 // databases so far
	life  io.Closer    // the server's standard input
}

// shareScript runs a redis-server while its own standard input is open. The system closes
// that when this process ends or crashes.
const shareScript = `dir=$(mktemp -d) || exit
"$2" --bind 127.0.0.1 --port "$0" --databases "$1" --dir "$dir" \
	--appendonly yes --appendfsync no --save "" >/dev/null &
cat >/dev/null
kill -9 $!
rm -rf "$dir"`

// share starts the common server and returns its port.
func share(tb testing.TB) (port int, problem error) {
	tb.Helper()
	for range starts {
		var err error
		if port, err = freePort(tb); err != nil {
			return 0, err
		}
		cmd := exec.CommandContext(context.Background(), "sh", "-c", shareScript, strconv.Itoa(port), strconv.Itoa(databases), Program())
		input, err := cmd.StdinPipe()
		if err != nil {
			return 0, err
		}
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		if problem = answers(port); problem == nil {
			common.life = input
			return port, nil
		}
		_ = input.Close()
		_ = cmd.Wait()
	}
	return 0, problem
}

// answers returns nil once the server at a port answers. It is ours: no other has so many databases.
func answers(port int) error {
	rdb := redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", port), DB: databases - 1, MaxRetries: -1})
	defer func() { _ = rdb.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		err := rdb.Ping(ctx).Err()
		if err == nil || ctx.Err() != nil {
			return err
		}
		<-tick.C
	}
}
