package commandstest

import (
	"context"
	"fmt"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// Channel returns Slack's description of a channel.
func (s *Screen) Channel(_ context.Context, id string) (slack.Channel, error) {
	s.Lock()
	defer s.Unlock()
	if c, known := s.Channels[id]; known {
		return c.info(id)
	}
	return s.where, nil
}

// Join lets the app join every channel.
func (s *Screen) Join(context.Context, string) error { return nil }

// IsMember reports whether a person is in a channel.
func (s *Screen) IsMember(_ context.Context, channel, user string) (bool, error) {
	s.Lock()
	defer s.Unlock()
	s.Asked++
	if happens := s.Meanwhile; happens != nil {
		s.Meanwhile = nil
		happens()
	}
	if c, known := s.Channels[channel]; known {
		return c.isMember(user)
	}
	return !s.Out[user], nil
}

// IsMemberNow is IsMember without the people in Left.
func (s *Screen) IsMemberNow(ctx context.Context, channel, user string) (bool, error) {
	member, err := s.IsMember(ctx, channel, user)
	s.Lock()
	defer s.Unlock()
	if s.NoMembers != nil {
		return false, fmt.Errorf("conversations.members: %w", s.NoMembers)
	}
	return member && !s.Left[user], err
}

// Members returns the members of a channel.
func (s *Screen) Members(_ context.Context, channel string) (map[string]bool, bool, error) {
	s.Lock()
	defer s.Unlock()
	return s.in(channel, nil), true, nil
}

// MembersNow is Members without the people in Left.
func (s *Screen) MembersNow(_ context.Context, channel string) (map[string]bool, bool, error) {
	s.Lock()
	defer s.Unlock()
	return s.in(channel, s.Left), true, nil
}

// in returns the members of a channel without those in left.
func (s *Screen) in(channel string, left map[string]bool) map[string]bool {
	in := map[string]bool{}
	for _, user := range s.Channels[channel].Members {
		if !left[user] {
			in[user] = true
		}
	}
	return in
}

// Forget does nothing: there is no cache.
func (s *Screen) Forget(string, string) {}

// User returns Slack's description of a person.
func (s *Screen) User(_ context.Context, id string) (slack.User, error) {
	s.Lock()
	defer s.Unlock()
	if s.NoUsers != nil {
		return slack.User{}, fmt.Errorf("users.info: %w", s.NoUsers)
	}
	team, elsewhere := s.Teams[id]
	if !elsewhere {
		team = "T1"
	}
	return slack.User{ID: id, TeamID: team, Enterprise: slack.EnterpriseUser{Teams: []string{"T1"}}, IsRestricted: s.Guests[id], IsAdmin: s.admins[id], IsStranger: s.Strangers[id], TZ: s.Zones[id]}, nil
}

// UserKnown is User without the people in Unremembered.
func (s *Screen) UserKnown(id string) (slack.User, bool) {
	s.Lock()
	strange := s.Unremembered[id]
	s.Unlock()
	user, err := s.User(context.Background(), id)
	return user, err == nil && !strange
}

// UserNow is User: there is no cache.
func (s *Screen) UserNow(ctx context.Context, id string) (slack.User, error) { return s.User(ctx, id) }

// UserLately is User: there is no cache.
func (s *Screen) UserLately(ctx context.Context, id string) (slack.User, error) {
	return s.User(ctx, id)
}

// UserChannels returns a person's channels that the app can see.
func (s *Screen) UserChannels(_ context.Context, user string) ([]string, error) {
	s.Lock()
	defer s.Unlock()
	if s.NoUserChannels != nil {
		return nil, fmt.Errorf("users.conversations: %w", s.NoUserChannels)
	}
	if s.Channels != nil {
		return s.channelsOf(user), nil
	}
	return []string{"C1"}, nil
}

// Identity returns the app's identity.
func (s *Screen) Identity(context.Context) (client.Identity, error) {
	s.Lock()
	defer s.Unlock()
	if s.NoIdentity != nil {
		return client.Identity{}, s.NoIdentity
	}
	return client.Identity{Team: "T1", BotUser: "UDARKROOM", BotID: "BDARKROOM", URL: "https://acme.slack.com/", Scopes: s.Scopes}, nil
}
