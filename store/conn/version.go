package conn

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// leastVersion is the oldest Redis that the app runs on. It introduced XAUTOCLAIM, which takes over the lanes of a
// dead worker.
const leastVersion = "6.2"

// TooOld returns a sentence if this Redis is too old for the app; "" if it is not, or does
// not tell its version.
func (s *Server) TooOld(ctx context.Context) string {
	if f := s.version(ctx); f.Level == Bad {
		return f.Message + " " + f.Do
	}
	return ""
}

// version checks whether this Redis is new enough.
func (s *Server) version(ctx context.Context) Finding {
	const do = "Use Redis " + leastVersion + " or newer, or Valkey."
	f := Finding{About: "version", Level: Caution, Message: "Redis does not tell its version.", Do: do}
	info, err := s.info(ctx, "server")
	version := numbers(info["redis_version"]) // Valkey and others tell here which Redis they are compatible with
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

// numbers parses a version; nil if a part is not a number.
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

// Ping returns nil if the node that has our keys answers.
func (s *Server) Ping(ctx context.Context) error {
	node, err := s.db.Node(ctx)
	if err != nil {
		return err
	}
	return node.Ping(ctx).Err()
}
