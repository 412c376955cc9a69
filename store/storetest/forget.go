package storetest

import (
	"os"
	"path/filepath"
	"slices"
)

// Mark returns the length of the append-only file, for [Server.Forget].
func (s *Server) Mark() int64 {
	s.tb.Helper()
	info, err := os.Stat(s.tail())
	s.try(err)
	return info.Size()
}

// Forget kills the server and starts it again without its writes since that mark. Confirmed writes
// are lost, as after a power cut, or a failover to a replica that was behind.
func (s *Server) Forget(since int64) {
	s.tb.Helper()
	s.Kill()
	s.try(os.Truncate(s.tail(), since))
	s.Restart()
}

// tail returns the file that the server appends to.
func (s *Server) tail() string {
	s.tb.Helper()
	found, err := filepath.Glob(filepath.Join(s.dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(found) == 0 {
		s.tb.Fatal("redis-server has no append-only file", err)
	}
	return slices.Max(found)
}
