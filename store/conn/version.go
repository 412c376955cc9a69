package conn

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// leastVersion is the oldest Redis that the app runs on: XAUTOCLAIM, by which the lanes of a dead
// worker are taken over, came with it.
const leastVersion = "6.2"

// TooOld says, in a sentence, that this Redis lacks what the app needs; "" when it does not, or does
// not tell its version.
func (s *Server) TooOld(ctx context.Context) string {
	if f := s.version(ctx); f.Level == Bad {
		return f.Message + " " + f.Do
	}
	return ""
}

// version says whether this is a Redis that has all we use.
func (s *Server) version(ctx context.Context) Finding {
	const do = "Use Redis " + leastVersion + " or newer, or Valkey."
	f := Finding{About: "version", Level: Caution, Message: "Redis does not tell its version.", Do: do}
	info, err := s.info(ctx, "server")
	version := numbers(info["redis_version"]) // Valkey and others tell here which Redis they stand for
	if err != nil || len(version) < 2 {
		return f
	}
	if slices.Compare(version, numbers(leastVersion)) < 0 {
		says := "This is Redis " + info["redis_version"] + ", which lacks XAUTOCLAIM: the queue cannot take over the work of a process that died."
		return Finding{"version", Bad, says, do}
	}
	if valkey := info["valkey_version"]; valkey != "" {
		return Finding{About: "version", Message: "This is Valkey " + valkey + "."}
	}
	return Finding{About: "version", Message: "This is Redis " + info["redis_version"] + "."}
}

// numbers are those of a version; nil when it has something else in it.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// Ping returns nil when the server that has our keys answers.
func (s *Server) Ping(ctx context.Context) error {
	node, err := s.db.Node(ctx)
	if err != nil {
		return err
	}
	return node.Ping(ctx).Err()
}
