package page

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/workspace"
)

const (
	maxFile   = 64 << 20  // bytes of one file
	maxFiles  = 50        // of one upload
	maxSets   = 20        // uploads of one person that wait to be said or given
	maxStaged = 512 << 20 // bytes of everybody's that wait
	stageTime = 5 * time.Minute
)

// shelf holds the files that people picked and did not send yet. Page.mu guards it. When
// it is full, what waits longest goes.
type shelf struct {
	sets []stagedSet // oldest first
}

// stagedSet is what one upload brought.
type stagedSet struct {
	user  string
	files []stagedFile
}

type stagedFile struct {
	ref string
	workspace.Upload
}

func (s stagedSet) bytes() int {
	total := 0
	for _, f := range s.files {
		total += len(f.Content)
	}
	return total
}

// put adds a set and drops the oldest until it fits.
func (s *shelf) put(set stagedSet) {
	s.sets = append(s.sets, set)
	mine := func(o stagedSet) bool { return o.user == set.user }
	count, total := 0, 0
	for _, o := range s.sets {
		total += o.bytes()
		if mine(o) {
			count++
		}
	}
	if count > maxSets {
		s.sets = slices.Delete(s.sets, slices.IndexFunc(s.sets, mine), slices.IndexFunc(s.sets, mine)+1)
	}
	for total > maxStaged && len(s.sets) > 1 {
		total -= s.sets[0].bytes()
		s.sets = slices.Delete(s.sets, 0, 1)
	}
}

// find is the person's staged file.
func (s *shelf) find(user, ref string) (workspace.Upload, bool) {
	for _, set := range s.sets {
		for _, f := range set.files {
			if set.user == user && f.ref == ref {
				return f.Upload, true
			}
		}
	}
	return workspace.Upload{}, false
}

// drop takes a file off the shelf.
func (s *shelf) drop(ref string) {
	for i := range s.sets {
		s.sets[i].files = slices.DeleteFunc(s.sets[i].files, func(f stagedFile) bool { return f.ref == ref })
	}
	s.sets = slices.DeleteFunc(s.sets, func(set stagedSet) bool { return len(set.files) == 0 })
}

var errStale = refusal{http.StatusGone, "A file you picked is not there any more. Pick it again."}

// staged are the person's files of the refs; all, or none and an error.
func (p *Page) staged(s *seat, refs []string) ([]workspace.Upload, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	files := make([]workspace.Upload, 0, len(refs))
	for _, ref := range refs {
		f, found := p.shelf.find(s.user.ID, ref)
		if !found {
			return nil, errStale
		}
		files = append(files, f)
	}
	return files, nil
}

// unstage takes files off the shelf: they were said or given.
func (p *Page) unstage(refs []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ref := range refs {
		p.shelf.drop(ref)
	}
}

// upload keeps files until they are said or given.
func (p *Page) upload(rw http.ResponseWriter, r *http.Request, s *seat) {
	_ = http.NewResponseController(rw).SetReadDeadline(time.Now().Add(stageTime)) // without one the upload may just take longer
	r.Body = http.MaxBytesReader(rw, r.Body, maxStaged)
	set, err := readSet(r, s.user.ID)
	if err != nil {
		refuse(rw, err)
		return
	}
	p.mu.Lock()
	p.shelf.put(set)
	p.mu.Unlock()
	files := []map[string]any{}
	for _, f := range set.files {
		files = append(files, map[string]any{
			"ref": f.ref, "name": f.Name, "type": f.Kind(), "size": len(f.Content), "url": fileAddress(f.ref, s.user.ID),
		})
	}
	answer(rw, http.StatusOK, map[string]any{"files": files})
}

// readSet reads the files of a multipart body.
func readSet(r *http.Request, user string) (stagedSet, error) {
	set := stagedSet{user: user}
	parts, err := r.MultipartReader()
	if err != nil {
		return set, errors.New("files come as multipart/form-data")
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return set, fmt.Errorf("the upload broke off: %w", err)
		}
		if part.FormName() != "files" {
			continue
		}
		if len(set.files) == maxFiles {
			return set, tooMuch("At most %d files at once.", maxFiles)
		}
		f := workspace.Upload{Name: fileName(part.FileName())}
		if f.Content, err = io.ReadAll(io.LimitReader(part, maxFile+1)); err != nil {
			return set, fmt.Errorf("the upload broke off: %w", err)
		}
		if len(f.Content) > maxFile {
			return set, tooMuch("A file may have at most %d MB, and %s has more.", maxFile>>20, f.Name)
		}
		set.files = append(set.files, stagedFile{ref: "S" + rand.Text(), Upload: f})
	}
	if len(set.files) == 0 {
		return set, errors.New("there is no file in the upload")
	}
	return set, nil
}

func tooMuch(format string, a ...any) error {
	return refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf(format, a...)}
}

// fileName is the last part of a path on whatever system, and never empty.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" {
		return "file"
	}
	return name
}

// shown are the pictures that a browser draws by itself and that carry no script.
var shown = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// file serves a file of the workspace, or a staged one, to who may see it; the id may be
// the address that the app was given for it.
func (p *Page) file(rw http.ResponseWriter, r *http.Request) {
	s := p.seat(r.URL.Query().Get("as"))
	if s == nil {
		refuse(rw, errNobody)
		return
	}
	id := r.PathValue("id")
	kept, found := s.win.File(id)
	if !found {
		p.mu.Lock()
		var u workspace.Upload
		u, found = p.shelf.find(s.user.ID, id)
		p.mu.Unlock()
		kept = workspace.File{Name: u.Name, Type: u.Kind(), Content: u.Content}
	}
	if !found {
		refuse(rw, errNoFile)
		return
	}
	disposition := "attachment"
	if slices.Contains(shown, kept.Type) {
		disposition = "inline"
	} else {
		kept.Type = "application/octet-stream"
	}
	rw.Header().Set("Content-Type", kept.Type)
	rw.Header().Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": kept.Name}))
	http.ServeContent(rw, r, "", time.Time{}, bytes.NewReader(kept.Content))
}
