package commandstest

import (
	"context"
	"fmt"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// Channel is what Slack says of a channel.
func (s *Screen) Channel(_ context.Context, id string) (slack.Channel, error) {
	s.Lock()
	defer s.Unlock()
	if room, known := s.Rooms[id]; known {
		return room.info(id)
	}
	return s.where, nil
}

// Join lets the app into every channel.
func (s *Screen) Join(context.Context, string) error { return nil }

// IsMember tells whether somebody is in a channel.
func (s *Screen) IsMember(_ context.Context, channel, user string) (bool, error) {
	s.Lock()
	defer s.Unlock()
	s.Asked++
	if happens := s.Meanwhile; happens != nil {
		s.Meanwhile = nil
		happens()
	}
	if room, known := s.Rooms[channel]; known {
		return room.isMember(user)
	}
	return !s.Out[user], nil
}

// IsMemberNow is the same, but for those who have left since.
func (s *Screen) IsMemberNow(ctx context.Context, channel, user string) (bool, error) {
	member, err := s.IsMember(ctx, channel, user)
	s.Lock()
	defer s.Unlock()
	if s.Vague != nil {
		return false, fmt.Errorf("conversations.members: %w", s.Vague)
	}
	return member && !s.Left[user], err
}

// Members are who is in a channel.
func (s *Screen) Members(_ context.Context, channel string) (map[string]bool, bool, error) {
	s.Lock()
	defer s.Unlock()
	return s.in(channel, nil), true, nil
}

// MembersNow is the same, but for those who have left since.
func (s *Screen) MembersNow(_ context.Context, channel string) (map[string]bool, bool, error) {
	s.Lock()
	defer s.Unlock()
	return s.in(channel, s.Left), true, nil
}

// in are the members of a channel without those who left.
func (s *Screen) in(channel string, left map[string]bool) map[string]bool {
	in := map[string]bool{}
	for _, user := range s.Rooms[channel].Members {
		if !left[user] {
			in[user] = true
		}
	}
	return in
}

// Forget has nothing to forget.
func (s *Screen) Forget(string, string) {}

// User is what Slack says of a person.
func (s *Screen) User(_ context.Context, id string) (slack.User, error) {
	s.Lock()
	defer s.Unlock()
	if s.Unknown != nil {
		return slack.User{}, fmt.Errorf("users.info: %w", s.Unknown)
	}
	team, elsewhere := s.Teams[id]
	if !elsewhere {
		team = "T1"
	}
	return slack.User{ID: id, TeamID: team, Enterprise: slack.EnterpriseUser{Teams: []string{"T1"}}, IsRestricted: s.Guests[id], IsAdmin: s.admins[id], IsStranger: s.Strangers[id], TZ: s.Zones[id]}, nil
}

// UserKnown is the same, but for those of whom the app is to remember nothing.
func (s *Screen) UserKnown(id string) (slack.User, bool) {
	s.Lock()
	strange := s.Unremembered[id]
	s.Unlock()
	user, err := s.User(context.Background(), id)
	return user, err == nil && !strange
}

// UserNow is the same: nothing is kept here.
func (s *Screen) UserNow(ctx context.Context, id string) (slack.User, error) { return s.User(ctx, id) }

// UserLately is the same.
func (s *Screen) UserLately(ctx context.Context, id string) (slack.User, error) {
	return s.User(ctx, id)
}

// UserChannels are the channels that somebody is in, as far as the app can see.
func (s *Screen) UserChannels(_ context.Context, user string) ([]string, error) {
	s.Lock()
	defer s.Unlock()
	if s.Unlisted != nil {
		return nil, fmt.Errorf("users.conversations: %w", s.Unlisted)
	}
	if s.Rooms != nil {
		return s.roomsOf(user), nil
	}
	return []string{"C1"}, nil
}

// Identity is who the app is.
func (s *Screen) Identity(context.Context) (client.Identity, error) {
	s.Lock()
	defer s.Unlock()
	if s.Nobody != nil {
		return client.Identity{}, s.Nobody
	}
	return client.Identity{Team: "T1", BotUser: "UDARKROOM", BotID: "BDARKROOM", URL: "https://acme.slack.com/", Scopes: s.Scopes}, nil
}
