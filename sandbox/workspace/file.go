package workspace

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	filePath   = "/files-pri/"
	uploadPath = "/upload/"
	maxUpload  = 64 << 20
)

// Upload is a file on a person's laptop.
type Upload struct {
	Name    string
	Content []byte
}

// File is a file kept by the workspace. It is private to its owner until it
// is shared in a channel or given to the app in a modal.
type File struct {
	ID, Name, Title string
	Type            string // MIME type, sniffed, else by the name
	Owner           string
	Content         []byte
	Channels        []string
	before          []string // channels and people that were shown it in a message or view that has changed
	toApp           bool     // given to the app in a modal, or its own
	size            int64
	created         time.Time
	ready           time.Time // when Slack has looked at it; zero: not uploaded yet
}

// keep stores an upload; the caller holds the lock.
func (w *Workspace) keep(owner string, u Upload) *File {
	f := &File{ID: w.id("F"), Name: u.Name, Title: u.Name, Owner: owner, Content: u.Content, Type: typeOf(u), created: w.now(), ready: w.processed()}
	w.files[f.ID] = f
	return f
}

// processed is when Slack will have looked at a file that is complete now.
func (w *Workspace) processed() time.Time { return w.now().Add(w.o.FileProcessing) }

// kinds are the types Slack goes by the name for.
var kinds = map[string]string{
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp",
	".heic": "image/heic", ".heif": "image/heif", ".tif": "image/tiff", ".tiff": "image/tiff", ".svg": "image/svg+xml",
	".csv": "text/csv", ".html": "text/html", ".pdf": "application/pdf", ".txt": "text/plain", ".zip": "application/zip",
}

// Kind is what Slack says the file is, as a MIME type.
func (u Upload) Kind() string { return typeOf(u) }

// typeOf is what Slack says a file is. It believes the name of what it cannot
// tell apart, so a page called beach.jpg is an image/jpeg.
func typeOf(u Upload) string {
	kind := sniffed(u.Content)
	byName := kinds[strings.ToLower(path.Ext(u.Name))]
	if byName != "" && (kind == "application/octet-stream" || strings.HasPrefix(kind, "text/")) {
		return byName
	}
	return kind
}

// appReads tells whether the app may read the file: it got it, or it is in a
// channel where the file was shared. The caller holds the lock.
func (w *Workspace) appReads(f *File) bool {
	return f.toApp || slices.ContainsFunc(f.Channels, func(id string) bool { return w.channel(id).has(w.o.BotUserID) })
}

// Give puts files into a file input: they are private, and the app of the
// modal may read them. The result is the element's new state.
func (win *Window) Give(files ...Upload) map[string]any {
	w := win.w
	defer w.change()()
	var wired []any
	for _, u := range files {
		f := w.keep(win.user, u)
		f.toApp = true
		wired = append(wired, w.wireFile(f))
	}
	return StateOf("file_input", wired)
}

// file finds a file by id or URL.
func (w *Workspace) file(idOrURL string) *File {
	if f := w.files[idOrURL]; f != nil {
		return f
	}
	for _, f := range w.files {
		if w.fileURL(f) == idOrURL {
			return f
		}
	}
	return nil
}

// fileURL ends in the name as Slack writes it there: small letters, digits, dots and
// underscores, whatever the file is called.
func (w *Workspace) fileURL(f *File) string {
	return w.base + filePath + w.o.TeamID + "-" + f.ID + "/" + strings.Map(inAddress, f.Name)
}

func inAddress(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-':
		return r
	}
	return '_'
}

// serveFile serves a private file to who has the token; others read a login
// page with status 200, as at Slack.
func (w *Workspace) serveFile(rw http.ResponseWriter, r *http.Request, rest string) {
	name, _, _ := strings.Cut(rest, "/")
	_, id, _ := strings.Cut(name, "-")
	request := w.noteRequest("files-pri", object{"file": id, "http_method": r.Method})
	fault := w.nextFault("files-pri")
	w.held("files-pri")
	if fault.before(w, rw, request) {
		return
	}
	w.mu.Lock()
	f := w.files[id]
	readable := f != nil && w.appReads(f)
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	allowed := w.authorised(method{}, token) == nil && w.scoped("files:read") == nil
	w.mu.Unlock()
	if fault.after(w, rw, request) {
		return
	}
	w.noteAnswer(request, http.StatusOK, "")
	switch {
	case !allowed, !readable:
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		write(rw, http.StatusOK, "<!DOCTYPE html><html><body>Sign in to Slack</body></html>")
	default:
		rw.Header().Set("Content-Type", f.Type)
		serveContent(rw, r, f)
	}
}

// serveUpload takes the bytes of a file the app uploads.
func (w *Workspace) serveUpload(rw http.ResponseWriter, r *http.Request, id string) {
	content, err := uploaded(rw, r)
	w.noteAnswer(w.noteRequest("upload", object{"file": id, "bytes": len(content)}), http.StatusOK, "")
	defer w.change()()
	f := w.files[id]
	if err != nil || f == nil || int64(len(content)) != f.size {
		http.Error(rw, "upload failed", http.StatusBadRequest)
		return
	}
	f.Content = content
	f.Type = typeOf(Upload{Name: f.Name, Content: content})
	write(rw, http.StatusOK, "OK - "+strconv.Itoa(len(content)))
}

// uploaded are the bytes of a raw or multipart body.
func uploaded(rw http.ResponseWriter, r *http.Request) ([]byte, error) {
	r.Body = http.MaxBytesReader(rw, r.Body, maxUpload)
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "multipart/form-data" {
		return io.ReadAll(r.Body)
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return nil, fmt.Errorf("upload: %w", err)
		}
		if slices.Contains([]string{"file", "filename"}, part.FormName()) {
			return io.ReadAll(part)
		}
	}
}

// FileContent is what a file holds, as whoever sees it does; nil: there is no such file.
func (w *Workspace) FileContent(id string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.files[id]; f != nil {
		return slices.Clone(f.Content)
	}
	return nil
}
