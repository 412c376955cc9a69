package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"darkroom/store/kv"
	"darkroom/store/script"
)

// Who follows an order is kept with it, a field for each person, so that two who begin or end at once both
// count. It is no change of the order: its version stays.

// MaxFollowers is how many people follow one order at most.
const MaxFollowers = 50

// ErrFollowersFull says that as many people follow an order as may.
var ErrFollowersFull = errors.New("as many people follow the order as may")

// Follower is somebody who is told of each event of an order by direct message.
type Follower struct {
	User    string `json:"by"`
	From    int64  `json:"from"`              // Seq of the newest event when they began
	Told    int64  `json:"told"`              // Seq of the newest event that they were told of, or that was theirs
	Thread  string `json:"thread,omitempty"`  // ts of their first message about the order, "" before it
	Channel string `json:"channel,omitempty"` // of their direct messages, where that is

	doc string // as Redis has it
}

// Follower is the one of an order who has that user id; false when they do not follow it.
func (t Tracked) Follower(user string) (Follower, bool) {
	at := slices.IndexFunc(t.Followers, func(f Follower) bool { return f.User == user })
	if at < 0 {
		return Follower{}, false
	}
	return t.Followers[at], true
}

// Followable says that there may be news of the order for somebody who begins to follow it.
func (t Tracked) Followable() bool { return !t.Untracked && !t.Order.Status.Final() }

// Follows keeps who follows an order.
type Follows part

// Follow has somebody told of what happens to an order from now on. Doing it twice is doing it once. It is
// [ErrNotTracked] of an order that is not there or was untracked, [ErrFollowersFull] when too many do already.
func (s *Follows) Follow(ctx context.Context, id, user string) error {
	t, err := s.records.order(ctx, id)
	if err != nil {
		return err
	}
	f := Follower{User: user, From: t.LastEvent, Told: t.LastEvent}
	code, err := s.db.Run(ctx, "follow", script.Keys{"order": s.db.Key("order", id)}, script.Args{
		"field": FollowField + user, "prefix": FollowField, "doc": kv.Encode(f), "most": MaxFollowers,
	})
	switch {
	case err != nil:
	case code == 0:
		err = ErrNotTracked
	case code == 2:
		err = ErrFollowersFull
	}
	return orderError(id, err)
}

// Unfollow ends that. Who does not follow the order, or an order that is not there, is fine.
func (s *Follows) Unfollow(ctx context.Context, id, user string) error {
	return orderError(id, s.db.Redis.HDel(ctx, s.db.Key("order", id), FollowField+user).Err())
}

// FollowerTold keeps how far somebody was told, unless they ended it meanwhile, or began anew: then it is false.
func (s *Follows) FollowerTold(ctx context.Context, id string, was, is Follower) (Follower, bool, error) {
	is.doc = kv.Encode(is)
	ours, err := s.editFollower(ctx, id, was, is.doc)
	return is, ours, err
}

// DropFollower ends what somebody follows who cannot be told any more, unless they began anew meanwhile.
func (s *Follows) DropFollower(ctx context.Context, id string, was Follower) error {
	_, err := s.editFollower(ctx, id, was, "")
	return err
}

func (s *Follows) editFollower(ctx context.Context, id string, was Follower, is string) (bool, error) {
	code, err := s.db.Run(ctx, "edit_follower", script.Keys{"order": s.db.Key("order", id)}, script.Args{
		"field": FollowField + was.User, "was": was.doc, "is": is,
	})
	return code == 1, orderError(id, err)
}

// addFollower reads one.
func (t *Tracked) addFollower(doc string) error {
	f := Follower{doc: doc}
	if err := json.Unmarshal([]byte(doc), &f); err != nil {
		return err
	}
	t.Followers = append(t.Followers, f)
	slices.SortFunc(t.Followers, func(a, b Follower) int { return strings.Compare(a.User, b.User) })
	return nil
}
