package storetest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Backup is a copy of what a server held.
type Backup struct {
	dir  string
	file string // of the server's folder
}

// The files that a backup copies.
const (
	SnapshotFile   = "dump.rdb"
	AppendOnlyFile = "appendonlydir"
)

// Backup copies the server's snapshot, which is made for it, or its append-only file, while it serves, as
// an operator does.
func (s *Server) Backup(file string) Backup {
	s.tb.Helper()
	ctx, rdb := context.Background(), s.Client()
	b := Backup{dir: s.tb.TempDir(), file: file}
	if file == SnapshotFile {
		s.try(rdb.BgSave(ctx).Err())
		s.settled("rdb_bgsave_in_progress:0")
	} else { // no rewrite replaces the files that are copied
		s.try(rdb.ConfigSet(ctx, "auto-aof-rewrite-percentage", "0").Err())
		s.settled("aof_rewrite_in_progress:0")
	}
	from := filepath.Join(s.dir, file)
	if file == AppendOnlyFile {
		s.try(os.CopyFS(filepath.Join(b.dir, file), os.DirFS(from)))
		s.try(rdb.ConfigSet(ctx, "auto-aof-rewrite-percentage", "100").Err())
		return b
	}
	raw, err := os.ReadFile(from) //nolint:gosec // our own folder
	s.try(err)
	s.try(os.WriteFile(filepath.Join(b.dir, file), raw, 0o600))
	return b
}

// Restore kills the server, replaces what it holds by the copy, and starts it again.
func (s *Server) Restore(b Backup) {
	s.tb.Helper()
	s.Kill()
	s.try(os.RemoveAll(filepath.Join(s.dir, AppendOnlyFile)))
	s.try(os.RemoveAll(filepath.Join(s.dir, SnapshotFile)))
	s.try(os.CopyFS(s.dir, os.DirFS(b.dir)))
	if b.file == AppendOnlyFile {
		s.Restart()
		return
	}
	s.try(s.serveWith("no")) // with an append-only file that is not there it would begin empty
	s.try(s.Client().ConfigSet(context.Background(), "appendonly", "yes").Err())
	s.settled("aof_rewrite_in_progress:0")
}

// settled waits until Redis reports that state of its files.
func (s *Server) settled(says string) {
	s.tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		info, err := s.Client().Info(context.Background(), "persistence").Result()
		s.try(err)
		if strings.Contains(info, says) && !strings.Contains(info, "aof_rewrite_scheduled:1") {
			return
		}
	}
	s.tb.Fatal("redis-server does not come to rest: " + says)
}

func (s *Server) try(err error) {
	s.tb.Helper()
	if err != nil {
		s.tb.Fatal(err)
	}
}
