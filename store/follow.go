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
	// Requester says that they do not follow the order: they ordered it, and their channel sends its news by direct
	// message.
	Requester bool `json:"requester,omitempty"`

	doc string // as Redis has it
}

// Follower returns the order's follower with that user id; false if they get no news of it by direct message.
func (t Tracked) Follower(user string) (Follower, bool) {
	at := slices.IndexFunc(t.Followers, func(f Follower) bool { return f.User == user })
	if at < 0 {
		return Follower{}, false
	}
	return t.Followers[at], true
}

// Follows reports whether the person chose to follow the order.
func (t Tracked) Follows(user string) bool {
	f, gets := t.Follower(user)
	return gets && !f.Requester
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
	default:
		err = s.chooses(ctx, id, user)
	}
	return orderError(id, err)
}

// chooses makes a requester who gets the news anyway a follower who chose to.
func (s *Follows) chooses(ctx context.Context, id, user string) error {
	return kv.RetryOnConflict(kv.ErrBusy, func() (kv.Result, error) {
		t, err := s.records.order(ctx, id)
		was, gets := t.Follower(user)
		if err != nil || !gets || !was.Requester {
			return kv.Written, err
		}
		is := was
		is.Requester = false
		_, ours, err := s.FollowerTold(ctx, id, was, is)
		if !ours {
			return kv.Raced, err
		}
		return kv.Written, err
	})
}

// AddRequester adds the requester of an order, who gets its news by direct message from the event on. Somebody who gets
// it already stays as they are. It returns them.
func (s *Follows) AddRequester(ctx context.Context, id, user string, event int64) (Follower, error) {
	f := Follower{User: user, From: event - 1, Told: event - 1, Requester: true}
	doc, err := s.db.Script(ctx, "add_requester", script.Keys{"order": s.db.Key("order", id)}, script.Args{"field": FollowField + user, "doc": kv.Encode(f)}).Text()
	if err == nil && doc == "" {
		err = ErrNotTracked
	}
	if err == nil {
		f = Follower{doc: doc}
		err = json.Unmarshal([]byte(doc), &f)
	}
	return f, orderError(id, err)
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
