package photos

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// filesPath is where pictures are downloaded, below the prefix.
const filesPath = "/files/"

// file is a picture that can be downloaded by who knows its address.
type file struct {
	name, kind string

	content []byte // nil: not to be had although it has an address
	at      time.Time
}

// publish gives a picture an address nobody can guess and returns its path; the
// mutex is held.
func (s *Service) publish(folder, name, kind string, content []byte) string {
	key := s.newID(24, func(string) bool { return false })
	path := filesPath + folder + "/" + key + "/" + name
	s.files[path] = file{name: name, kind: kind, content: content, at: s.opts.Now()}
	return (&url.URL{Path: path}).EscapedPath()
}

// file finds what publish gave a path; the mutex is held.
func (s *Service) file(escaped string) (file, bool) {
	path, err := url.PathUnescape(escaped)
	f, ok := s.files[path]
	return f, ok && err == nil
}

func (s *Service) serveFile(w http.ResponseWriter, r *http.Request, path string) {
	s.mu.Lock()
	f, ok := s.files[path]
	s.mu.Unlock()
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.log.unknown(r)
		writeHTML(w, http.StatusNotFound, "Not Found")
		return
	}
	if f.content == nil {
		writeHTML(w, http.StatusNotFound, "Not Found")
		return
	}
	if !s.delay(r, path, f) {
		reset(w)
		return
	}
	fault := s.faults.take(File)
	if fault.before != nil && fault.before(s, w) {
		return
	}
	whole := answer{status: http.StatusOK, kind: f.kind, raw: f.content}
	if fault.after != nil && fault.after(s, w, whole) {
		return
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if strings.HasPrefix(path, filesPath+"originals/") {
		w.Header().Set("Cache-Control", "private")
		w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(f.name))
	}
	http.ServeContent(w, r, f.name, f.at, bytes.NewReader(f.content))
}
