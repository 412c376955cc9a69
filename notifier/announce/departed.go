package announce

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// departed is what somebody was called who is no longer here: their account is switched off, Slack does not know
// them, or they were forgotten. It is "" of everybody else, and while Slack does not tell: news waits for no such
// answer.
func (a *Announcer) departed(ctx context.Context, user string) string {
	switch user {
	case "":
		return ""
	case order.FormerPerson:
		return user
	}
	who, err := a.Slack.UserNow(ctx, user)
	switch {
	case errors.Is(err, bot.ErrNoUser):
		return order.FormerPerson
	case err != nil:
		a.Log.InfoContext(ctx, "not told whether somebody is still here", "user", user, "err", err)
		return ""
	case !who.Deleted:
		return ""
	}
	for _, name := range []string{who.Profile.DisplayName, who.RealName, who.Profile.RealName, who.Name} {
		if name != "" {
			return name
		}
	}
	return order.FormerPerson
}

// ownerless says of news that needs somebody that the requester, whom it would call, is no longer here.
func (v *announceRun) ownerless(ctx context.Context, e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady, order.EventPaused, order.EventReminder:
		return live && v.departed(ctx, v.t.Owner.Requester) != ""
	case order.EventEditor:
		return e.For == "" && v.departed(ctx, v.t.Owner.Requester) != ""
	}
	return false
}

// owned is the order as a reply shows it: one that says that the requester is gone says it by their name.
func (v *announceRun) owned(ctx context.Context, p store.Posted) store.Tracked {
	t := v.t
	if p.Ownerless {
		t.Owner.Departed = v.departed(ctx, t.Owner.Requester)
	}
	return t
}

// stillOwnerless says whether a reply still offers to take the order over: nobody has, and it asks for something.
// What happened after the order was read does not count yet: the reply would name who was its requester then.
func (v *announceRun) stillOwnerless(e order.Event, p store.Posted, events []order.Event, live bool) bool {
	if !p.Ownerless || v.t.Untracked || !live && e.Kind != order.EventEditor {
		return false
	}
	for _, other := range events {
		if other.Kind == order.EventTaken && other.Seq > e.Seq && other.Seq <= v.t.LastEvent {
			return false
		}
	}
	return true
}
