package conn

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrWait says that wait_replicas or wait_timeout of a Redis URL is malformed.
var ErrWait = errors.New("redis: wait_replicas is a whole number from 1, wait_timeout a time from 1ms to 2s beside it, each given once; nothing else begins with wait_")

const (
	defaultWait = 500 * time.Millisecond
	// longestWait leaves time for an answer within Slack's three seconds.
	longestWait = 2 * time.Second
)

// waiting says how many replicas must confirm a write, and how long that may take; the zero value waits
// for no replica.
type waiting struct {
	replicas int
	timeout  time.Duration
}

// takeWait reads our options and removes them from the query of u, because the library rejects them.
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

// set returns false for an unknown option or a malformed value.
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
