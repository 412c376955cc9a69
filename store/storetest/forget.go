package storetest

import (
	"os"
	"path/filepath"
	"slices"
)

// Mark is how far its append-only file has come: see [Server.Forget].
func (s *Server) Mark() int64 {
	s.tb.Helper()
	info, err := os.Stat(s.tail())
	if err != nil {
		s.tb.Fatal(err)
	}
	return info.Size()
}

// Forget kills it and starts it again without what it wrote since that mark, as after a
// power cut, or when a replica takes over that was behind: what it had confirmed is gone.
func (s *Server) Forget(since int64) {
	s.tb.Helper()
	s.Kill()
	if err := os.Truncate(s.tail(), since); err != nil {
		s.tb.Fatal(err)
	}
	s.Restart()
}

// tail is the file to which it appends.
func (s *Server) tail() string {
	s.tb.Helper()
	found, err := filepath.Glob(filepath.Join(s.dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(found) == 0 {
		s.tb.Fatal("redis-server has no append-only file", err)
	}
	return slices.Max(found)
}
