package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/slack-go/slack"

	"darkroom/bot"
)

// screen is what people see, as JSON; it is the Slack of these tests.
type screen struct {
	sync.Mutex
	views  []string                          // external ids in the order they were opened
	modals map[string]slack.ModalViewRequest // as they are now
	shown  map[string]string                 // the same as text
	paints map[string]int                    // how often they were painted: their hash
	closed bool                              // the person closed the modal
	told   []string                          // ephemeral
	dms    []string
	busy   int   // that many direct messages meet a 429
	mute   bool  // what is told a person alone meets a 429
	denied error // nothing may be shown or told
	guests map[string]bool
	out    map[string]bool // people who are not in the channel
	where  slack.Channel
	homes  map[string]string // by user
	stale  bool              // response URLs are used up
	late   int               // that many triggers come too late
	moved  int               // that many views have changed since their hash was read
	asked  int               // how often membership of a channel was asked about
	marks  []string          // "ts emoji" in the order they were put on messages
	blind  bool              // no picture can be fetched

	rooms     map[string]room // channels that are not like the others
	admins    map[string]bool
	nobody    error              // the app does not learn who it is
	unknown   error              // nor who others are
	unlisted  error              // nor which channels they are in
	strangers map[string]bool    // from another organisation
	teams     map[string]string  // whose account is of which workspace; else of ours
	threads   map[string]*thread // what threads begin with, by timestamp

	files map[string]seenFile // what files.info says; of others nothing just now
}

// seenFile is an answer of files.info.
type seenFile struct {
	file slack.File
	err  error
}

func (s *screen) File(_ context.Context, id string) (slack.File, error) {
	s.Lock()
	defer s.Unlock()
	if seen, known := s.files[id]; known {
		return seen.file, seen.err
	}
	return slack.File{}, fmt.Errorf("files.info: %w", bot.ErrTryLater)
}

func (s *screen) OpenView(_ context.Context, _ string, v slack.ModalViewRequest) (*slack.View, error) {
	s.Lock()
	if s.late > 0 {
		s.late--
		s.Unlock()
		return nil, fmt.Errorf("views.open: %w", bot.ErrTrigger)
	}
	defer s.Unlock()
	s.views, s.closed = append(s.views, v.ExternalID), false
	return s.put(v.ExternalID, v), nil
}

func (s *screen) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	return s.OpenView(ctx, trigger, v)
}

func (s *screen) UpdateView(_ context.Context, external, _, hash string, v slack.ModalViewRequest) (*slack.View, error) {
	s.Lock()
	defer s.Unlock()
	if s.denied != nil {
		return nil, fmt.Errorf("views.update: %w", s.denied)
	}
	if s.closed {
		return nil, fmt.Errorf("views.update: %w", bot.ErrGone)
	}
	if s.blind && strings.Contains(text(v), `"image_url"`) {
		return nil, fmt.Errorf("views.update: %w", errors.Join(bot.ErrImage, bot.ErrPayload))
	}
	if hash != "" && s.moved > 0 {
		s.moved--
		return nil, fmt.Errorf("views.update: %w", bot.ErrHashConflict)
	}
	if external == "" {
		external = v.ExternalID
	}
	// A test may begin in a window that it did not open; an empty one is never its own.
	if _, open := s.modals[external]; !open && (hash != "" || strings.HasSuffix(external, ":empty")) {
		return nil, fmt.Errorf("views.update: %w", bot.ErrGone)
	}
	if hash != "" && hash != fmt.Sprint(s.paints[external]) {
		return nil, fmt.Errorf("views.update: %w", bot.ErrHashConflict)
	}
	if v.ExternalID != "" && v.ExternalID != external {
		s.rename(external, v.ExternalID)
		external = v.ExternalID
	}
	return s.put(external, v), nil
}

// put shows a view under the external id of its window.
func (s *screen) put(external string, v slack.ModalViewRequest) *slack.View {
	if s.modals == nil {
		s.modals, s.paints = map[string]slack.ModalViewRequest{}, map[string]int{}
	}
	s.modals[external], s.shown[external] = v, text(v)
	s.paints[external]++
	return &slack.View{ID: "V" + external, ExternalID: external, Hash: fmt.Sprint(s.paints[external])}
}

// rename gives a window the external id of the view that is put into it.
func (s *screen) rename(from, to string) {
	s.paints[to] = s.paints[from]
	delete(s.modals, from)
	delete(s.shown, from)
	delete(s.paints, from)
	for i := range s.views {
		if s.views[i] == from {
			s.views[i] = to
		}
	}
}

func (s *screen) Tell(_ context.Context, where bot.Where, says string, blocks ...slack.Block) (bot.Reached, error) {
	s.Lock()
	defer s.Unlock()
	if s.denied != nil {
		return "", fmt.Errorf("chat.postEphemeral: %w", s.denied)
	}
	if s.mute {
		return "", fmt.Errorf("chat.postEphemeral: %w", bot.ErrTryLater)
	}
	if s.blind && strings.Contains(text(blocks), "image_url") {
		return "", fmt.Errorf("response_url: %w", bot.ErrPayload)
	}
	if where.Channel == "" && where.ResponseURL == "" {
		s.dms = append(s.dms, says+text(blocks))
		return bot.ByDM, nil
	}
	s.told = append(s.told, says+text(blocks))
	return bot.ByEphemeral, nil
}

// Respond shows a message in the place of the last one, as a response URL does.
func (s *screen) Respond(_ context.Context, _, says string, replace bool, blocks ...slack.Block) error {
	s.Lock()
	defer s.Unlock()
	if s.stale {
		return fmt.Errorf("response_url: %w", bot.ErrGone)
	}
	if replace && len(s.told) > 0 {
		s.told = s.told[:len(s.told)-1]
	}
	s.told = append(s.told, says+text(blocks))
	return nil
}

func (s *screen) DM(_ context.Context, _ string, p bot.Post) (channel, ts string, err error) {
	s.Lock()
	defer s.Unlock()
	if s.denied != nil {
		return "", "", fmt.Errorf("chat.postMessage: %w", s.denied)
	}
	if s.busy > 0 {
		s.busy--
		return "", "", fmt.Errorf("chat.postMessage: %w", bot.ErrTryLater)
	}
	s.dms = append(s.dms, p.Text+text(p.Blocks))
	return "D1", "1.1", nil
}

func (s *screen) Channel(_ context.Context, id string) (slack.Channel, error) {
	s.Lock()
	defer s.Unlock()
	if room, known := s.rooms[id]; known {
		return room.info(id)
	}
	return s.where, nil
}

func (s *screen) Join(context.Context, string) error { return nil }

func (s *screen) IsMember(_ context.Context, channel, user string) (bool, error) {
	s.Lock()
	defer s.Unlock()
	s.asked++
	if room, known := s.rooms[channel]; known {
		return room.isMember(user)
	}
	return !s.out[user], nil
}

func (s *screen) IsMemberNow(ctx context.Context, channel, user string) (bool, error) {
	return s.IsMember(ctx, channel, user)
}

func (s *screen) Members(_ context.Context, channel string) (map[string]bool, bool, error) {
	s.Lock()
	defer s.Unlock()
	in := map[string]bool{}
	for _, user := range s.rooms[channel].members {
		in[user] = true
	}
	return in, true, nil
}

func (s *screen) Forget(string, string) {}

func (s *screen) User(_ context.Context, id string) (slack.User, error) {
	s.Lock()
	defer s.Unlock()
	if s.unknown != nil {
		return slack.User{}, fmt.Errorf("users.info: %w", s.unknown)
	}
	team, elsewhere := s.teams[id]
	if !elsewhere {
		team = "T1"
	}
	return slack.User{ID: id, TeamID: team, Enterprise: slack.EnterpriseUser{Teams: []string{"T1"}}, IsRestricted: s.guests[id], IsAdmin: s.admins[id], IsStranger: s.strangers[id]}, nil
}

func (s *screen) UserNow(ctx context.Context, id string) (slack.User, error) { return s.User(ctx, id) }

func (s *screen) UserChannels(_ context.Context, user string) ([]string, error) {
	s.Lock()
	defer s.Unlock()
	if s.unlisted != nil {
		return nil, fmt.Errorf("users.conversations: %w", s.unlisted)
	}
	if s.rooms != nil {
		return s.roomsOf(user), nil
	}
	return []string{"C1"}, nil
}

func (s *screen) Identity(context.Context) (bot.Identity, error) {
	if s.nobody != nil {
		return bot.Identity{}, s.nobody
	}
	return bot.Identity{Team: "T1", BotUser: "UDARKROOM", BotID: "BDARKROOM"}, nil
}

func (s *screen) PublishHome(_ context.Context, user, _ string, v slack.HomeTabViewRequest) error {
	s.Lock()
	defer s.Unlock()
	if s.homes == nil {
		s.homes = map[string]string{}
	}
	s.homes[user] = text(v)
	return nil
}

func (s *screen) setRooms(rooms map[string]room) {
	s.Lock()
	defer s.Unlock()
	s.rooms = rooms
}

func (s *screen) last() string {
	s.Lock()
	defer s.Unlock()
	return s.views[len(s.views)-1]
}

func (s *screen) modal() string {
	last := s.last()
	s.Lock()
	defer s.Unlock()
	return s.shown[last]
}

// window is what a modal shows, "" when nothing was put into it.
func (s *screen) window(external string) string {
	s.Lock()
	defer s.Unlock()
	return s.shown[external]
}

func (s *screen) view(external string) slack.View {
	s.Lock()
	defer s.Unlock()
	v := s.modals[external]
	return slack.View{ExternalID: external, PrivateMetadata: v.PrivateMetadata, Blocks: v.Blocks, CallbackID: v.CallbackID}
}

func (s *screen) lastTold() string {
	s.Lock()
	defer s.Unlock()
	if len(s.told) == 0 {
		return ""
	}
	return s.told[len(s.told)-1]
}

func (s *screen) closes() {
	s.Lock()
	defer s.Unlock()
	s.closed = true
}

func text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return out.String()
}
