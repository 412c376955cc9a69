package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// A channel may relay every reply, and a person may not know. Their first reply in it is confirmed to them, and waits
// [talk.TakeBackTime] in a lane of its own. The relay job and the button *Take Back* then claim the message: the first
// of them decides.

// claim is who claimed a message.
type claim string

const (
	claimSent  claim = "sent"  // the relay job
	claimTaken claim = "taken" // its writer took it back, or deleted it
)

func claimDoc(team, channel, ts string) string {
	return "claim:" + strings.Join([]string{team, channel, ts}, ":")
}

// overheardDoc names the document with the first reply of a person that a channel relayed.
func overheardDoc(team, channel, user string) string {
	return "overheard:" + strings.Join([]string{team, channel, user}, ":")
}

// ownLane returns the lane in which a person's first overheard reply in a channel waits. The replies of others go on.
func ownLane(team, channel, root, user string) string {
	return threadLane(team, channel, root) + ":" + user
}

// claimed claims a message, and returns whose claim holds.
func (j *Talk) claimed(ctx context.Context, name string, by claim) (claim, error) {
	for {
		put, err := j.store.Documents.PutIfAbsent(ctx, name, by, relayLife)
		if err != nil || put {
			return by, err
		}
		var holds claim
		if err := j.store.Documents.Get(ctx, name, &holds); !errors.Is(err, store.ErrAbsent) {
			return holds, err
		} // the other claim was just released
	}
}

// IsFirstOverheard reports whether no reply of the person was relayed yet in the channel because the channel relays
// all.
func (j *Threads) IsFirstOverheard(ctx context.Context, team, channel, user string) (bool, error) {
	var ts string
	err := j.store.Documents.Get(ctx, overheardDoc(team, channel, user), &ts)
	if errors.Is(err, store.ErrAbsent) {
		return true, nil
	}
	return false, err
}

// confirmed confirms a person's first overheard reply to them, and waits for them to take it back. It returns false for
// a reply that needs no confirmation.
func (j *Threads) confirmed(ctx context.Context, d *queue.Delivery, body ThreadArgs, t store.Tracked) (bool, error) {
	if !body.First {
		return false, nil
	}
	at, err := queue.State[time.Time](d)
	if err != nil {
		return false, err
	}
	if at.IsZero() {
		if cards.NoMessage(t) != "" || strings.TrimSpace(body.Raw) == "" {
			return false, nil
		}
		if confirms, err := j.confirms(ctx, body, t); err != nil || !confirms {
			return false, err
		}
		if err := j.messages.Hint(ctx, body.Asker, talk.RelayOverheard(t, body.Channel, body.TS)); err != nil {
			return false, err
		}
		at = d.Now()
		if err := d.SetState(ctx, at); err != nil {
			return false, err
		}
	}
	if wait := talk.TakeBackTime - d.Now().Sub(at); wait > 0 {
		return false, queue.Wait(wait)
	}
	return true, nil
}

// confirms reports whether this is the reply to confirm: a person wrote it, did not mention the app, may write to the
// editor, and has no earlier one.
func (j *Threads) confirms(ctx context.Context, body ThreadArgs, t store.Tracked) (bool, error) {
	me, err := j.slack.Identity(ctx)
	if err != nil || body.User == me.BotUser {
		return false, err
	}
	if called, err := j.called(ctx, body); err != nil || called {
		return false, err
	}
	permit, err := j.talk.access.Authorize(ctx, body.AsRequest(), t)
	if err != nil || !permit.Acts() {
		return false, err
	}
	name, first := overheardDoc(body.Team, body.Channel, body.User), body.TS
	put, err := j.store.Documents.PutIfAbsent(ctx, name, first, relayLife)
	if err == nil && !put {
		err = j.store.Documents.GetIfThere(ctx, name, &first)
	}
	return first == body.TS, err // a repeated delivery finds its own
}

// claimToSend claims the message for its relay job, if its writer was offered to take it back.
func (b RelayArgs) claimToSend(ctx context.Context, e *outbound) (end, error) {
	if !b.Offered {
		return noEnd, nil
	}
	by, err := e.talk.claimed(ctx, claimDoc(b.Team, b.Channel, b.TS), claimSent)
	if err == nil && by == claimTaken {
		return endNothing, nil
	}
	return noEnd, err
}

// release lets the writer take back a message that surely was not sent.
func (b RelayArgs) release(ctx context.Context, e *outbound) error {
	if !b.Offered {
		return nil
	}
	return e.talk.store.Documents.Delete(ctx, claimDoc(b.Team, b.Channel, b.TS))
}

// TakenBack is the outcome of *Take Back*.
type TakenBack struct {
	Taken bool   // nothing was or will be sent
	Note  string // not taken: the name of a saved [Correction]; "": the message is not known any more
}

// TakeBack takes back the message that its writer was told of. Only that person may.
func (j *Talk) TakeBack(ctx context.Context, team, user, value string) (TakenBack, error) {
	channel, ts, _ := talk.ParseTakeBack(value)
	was, err := j.readRelay(ctx, relayDoc(team, channel, ts))
	if err != nil || was.Author == "" || was.Author != user {
		return TakenBack{}, err
	}
	by, err := j.claimed(ctx, claimDoc(team, channel, ts), claimTaken)
	if err != nil || by == claimTaken {
		return TakenBack{Taken: err == nil}, err
	}
	if was, err = j.readRelay(ctx, relayDoc(team, channel, ts)); err != nil { // its job knows the order by now
		return TakenBack{}, err
	}
	note := "correct:" + job.Hash(relayDoc(team, channel, ts))
	return TakenBack{Note: note}, j.store.Documents.PutPersonal(ctx, user, note, Correction{Order: was.Order, User: user}, answers.TypedLife)
}
