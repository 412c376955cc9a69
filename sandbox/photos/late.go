package photos

import (
	"net/http"
	"strings"
	"time"
)

// Never is longer than anybody waits for a picture.
const Never = 24 * time.Hour

// lateness is how long a preview keeps who asks for it waiting.
type lateness struct {
	wait  time.Duration
	agent string
}

// DelayPreviews has the previews of edits with this name keep everybody waiting who asks for one, [Never]
// being for ever; with an agent only those whose User-Agent begins with it: Slack's, say, which may be
// served worse than others. 0 ends it.
func (s *Service) DelayPreviews(name string, wait time.Duration, agent string) {
	defer s.change()()
	s.late[name] = lateness{wait, agent}
}

// delay waits as long as a picture keeps this client waiting; false: it has left, or the service closed.
func (s *Service) delay(r *http.Request, path string, f file) bool {
	s.mu.Lock()
	late := s.late[f.name]
	s.mu.Unlock()
	if late.wait <= 0 || !strings.HasPrefix(path, filesPath+"thumbs/") || !strings.HasPrefix(r.UserAgent(), late.agent) {
		return true
	}
	timer := time.NewTimer(late.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
	return false
}
