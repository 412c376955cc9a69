package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// leastVersion is the oldest Redis that the app runs on: XAUTOCLAIM, by which the lanes of a dead
// worker are taken over, came with it.
var leastVersion = [2]int{6, 2}

// TooOld says, in a sentence, that this Redis lacks what the app needs; "" when it does not, or does
// not tell its version.
func (s *Store) TooOld(ctx context.Context) string {
	server, err := s.info(ctx, "server")
	if err != nil {
		return ""
	}
	// Valkey and others tell here which Redis they stand for, and their own version elsewhere.
	says := server["redis_version"]
	major, rest, _ := strings.Cut(says, ".")
	minor, _, _ := strings.Cut(rest, ".")
	has := [2]int{}
	for i, text := range []string{major, minor} {
		if has[i], err = strconv.Atoi(text); err != nil {
			return ""
		}
	}
	if has[0] > leastVersion[0] || has[0] == leastVersion[0] && has[1] >= leastVersion[1] {
		return ""
	}
	return fmt.Sprintf("Redis is version %s, and Darkroom needs %d.%d or newer (or Valkey): the queue cannot take over the work of a process that died without XAUTOCLAIM.", says, leastVersion[0], leastVersion[1])
}

// Ping returns nil when the server that has our keys answers.
func (s *Store) Ping(ctx context.Context) error {
	node, err := s.node(ctx)
	if err != nil {
		return err
	}
	return node.Ping(ctx).Err()
}
