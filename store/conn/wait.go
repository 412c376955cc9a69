package conn

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrWait is a Redis URL whose wait_replicas or wait_timeout cannot be used.
var ErrWait = errors.New("redis: wait_replicas is a whole number from 1, wait_timeout a time from 1ms to 2s beside it, each given once; nothing else begins with wait_")

const (
	defaultWait = 500 * time.Millisecond
	// longestWait leaves time for an answer within Slack's three seconds.
	longestWait = 2 * time.Second
)

// waiting is how many replicas must have a write before it counts, and how long that may
// take; the zero value waits for none.
type waiting struct {
	replicas int
	timeout  time.Duration
}

// takeWait takes what is ours out of the query of u: the library knows nothing of it.
func takeWait(u *url.URL) (waiting, error) {
	w, query := waiting{timeout: defaultWait}, u.Query()
	for name, values := range query {
		if !strings.HasPrefix(name, "wait_") {
			continue
		}
		if len(values) != 1 || !w.set(name, values[0]) {
			return waiting{}, ErrWait
		}
		query.Del(name)
	}
	if u.Query().Has("wait_timeout") && w.replicas == 0 {
		return waiting{}, ErrWait
	}
	u.RawQuery = query.Encode()
	return w, nil
}

// set says false when that is no such option or no value for it.
func (w *waiting) set(name, value string) bool {
	var err error
	switch name {
	case "wait_replicas":
		w.replicas, err = strconv.Atoi(value)
		return err == nil && w.replicas >= 1
	case "wait_timeout":
		w.timeout, err = time.ParseDuration(value)
		return err == nil && w.timeout >= time.Millisecond && w.timeout <= longestWait
	}
	return false
}
