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

// An order's hash has a field for each follower, so that concurrent changes do not overwrite each other.
// They leave the order's version alone.

// MaxFollowers is how many people follow one order at most.
const MaxFollowers = 50

// ErrFollowersFull says that an order has [MaxFollowers] followers.
var ErrFollowersFull = errors.New("as many people follow the order as may")

// Follower is a person who gets a direct message for each event of an order.
type Follower struct {
	User    string `json:"by"`
	From    int64  `json:"from"`              // Seq of the newest event when they began
	Told    int64  `json:"told"`              // Seq of the newest event that they were notified of, or that was theirs
	Thread  string `json:"thread,omitempty"`  // ts of their first message about the order, "" before it
	Channel string `json:"channel,omitempty"` // of that message

	doc string // as Redis has it
}

// Follower returns the order's follower with that user id; false if they do not follow it.
func (t Tracked) Follower(user string) (Follower, bool) {
	at := slices.IndexFunc(t.Followers, func(f Follower) bool { return f.User == user })
	if at < 0 {
		return Follower{}, false
	}
	return t.Followers[at], true
}

// Followable reports whether further events of the order may come.
func (t Tracked) Followable() bool { return !t.Untracked && !t.Order.Status.Final() }

// Follows saves who follows an order.
type Follows part

// Follow adds a follower to an order, for events from now on. Doing it twice is doing it once. It returns
// [ErrNotTracked] for an unknown or untracked order, and [ErrFollowersFull] if the order has too many followers.
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

// Unfollow removes a follower. Unknown followers and orders are no error.
func (s *Follows) Unfollow(ctx context.Context, id, user string) error {
	return orderError(id, s.db.Redis.HDel(ctx, s.db.Key("order", id), FollowField+user).Err())
}

// FollowerTold saves a follower's new state. It returns false if they unfollowed or followed anew meanwhile.
func (s *Follows) FollowerTold(ctx context.Context, id string, was, is Follower) (Follower, bool, error) {
	is.doc = kv.Encode(is)
	ours, err := s.editFollower(ctx, id, was, is.doc)
	return is, ours, err
}

// DropFollower removes a follower who cannot get messages any more, unless they followed anew meanwhile.
func (s *Follows) DropFollower(ctx context.Context, id string, was Follower) error {
	_, err := s.editFollower(ctx, id, was, "")
	return err
}

func (s *Follows) editFollower(ctx context.Context, id string, was Follower, is string) (bool, error) {
	code, err := s.db.Run(ctx, "edit_field", script.Keys{"order": s.db.Key("order", id)}, script.Args{
		"field": FollowField + was.User, "was": was.doc, "is": is,
	})
	return code == 1, orderError(id, err)
}

// addFollower adds a follower from their document.
func (t *Tracked) addFollower(doc string) error {
	f := Follower{doc: doc}
	if err := json.Unmarshal([]byte(doc), &f); err != nil {
		return err
	}
	t.Followers = append(t.Followers, f)
	slices.SortFunc(t.Followers, func(a, b Follower) int { return strings.Compare(a.User, b.User) })
	return nil
}
