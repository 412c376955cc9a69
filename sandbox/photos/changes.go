package photos

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

const errWrongStatus = "invalid order status"

// cancel withdraws an order on which the first round of work is not done and
// gives its credits back.
func (s *Service) cancel(c *call) answer {
	reason, err := c.params.words("cancel_reason")
	if err != nil {
		return refusal(err.Error())
	}
	return s.withOrder(c.params.text("order_id"), func(o *order) answer {
		now := s.opts.Now()
		if now.Sub(o.orderedAt) > cancelWindow {
			return refusal(fmt.Sprintf("%d min deadline passed", cancelWindow/time.Minute))
		}
		if o.status != editing && (o.status != paused || o.before != editing) {
			return refusal(errWrongStatus)
		}
		o.forgetTimer()
		o.status, o.canceledAt, o.cancelReason = canceled, now, reason
		s.credits = s.credits.Add(o.price)
		s.did(o, DeedCanceled, "")
		v := o.identity()
		v.CanceledAt = timestamp(now)
		return success(v)
	})
}

// revise sends an order that is being reviewed back to the editor.
func (s *Service) revise(c *call) answer {
	instructions, err := readRevision(c.params["instructions"])
	return s.withOrder(c.id, func(o *order) answer {
		if err != nil {
			return refusal(err.Error())
		}
		if o.status != reviewing {
			return refusal(errWrongStatus)
		}
		wanted, unknown := o.sourcesOf(instructions)
		if len(unknown) > 0 {
			return refusal(unknown...)
		}
		s.sendBack(o, instructions, wanted)
		return success(o.revised())
	})
}

// sendBack begins the next round of work on an order; the mutex is held.
func (s *Service) sendBack(o *order, instructions map[string][]string, wanted []int) {
	now := s.opts.Now()
	o.status, o.wanted = revising, wanted
	if !s.opts.Habits.SameNumber {
		o.revision++
	}
	o.revisionRequestedAt, o.estimatedAt = now, now.Add(s.opts.Turnaround)
	o.revisions = append(o.revisions, instructions)
	s.did(o, DeedRevised, "")
	s.schedule(o)
}

// revised is the answer to revise, and to anything answered like it.
func (o *order) revised() orderJSON {
	v := o.summary()
	v.RevisionRequestedAt = timestamp(o.revisionRequestedAt)
	v.EstimatedDelivery = timestamp(o.estimatedAt)
	return v
}

func readRevision(value any) (map[string][]string, error) {
	members, ok := value.(object)
	if !ok || len(members) == 0 {
		return nil, errors.New("instructions is required: a map from image id to an array of strings")
	}
	instructions := make(map[string][]string, len(members))
	for _, m := range members {
		words, err := stringsOf("instructions of "+m.name, m.value)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 {
			return nil, fmt.Errorf("instructions of %s is empty", m.name)
		}
		instructions[m.name] = words
	}
	return instructions, nil
}

// sourcesOf finds the pictures behind edited images of any round, and names
// every id that is not of the order.
func (o *order) sourcesOf(instructions map[string][]string) (wanted []int, unknown []string) {
	for _, id := range slices.Sorted(maps.Keys(instructions)) {
		at := slices.IndexFunc(o.edited, func(e edited) bool { return e.id == id })
		if at < 0 {
			unknown = append(unknown, "image ID not found: "+id)
			continue
		}
		wanted = append(wanted, o.edited[at].source)
	}
	slices.Sort(wanted)
	return slices.Compact(wanted), unknown
}

// approve closes an order that is being reviewed.
func (s *Service) approve(c *call) answer {
	feedback, err := c.params.words("feedback")
	return s.withOrder(c.id, func(o *order) answer {
		if err != nil {
			return refusal(err.Error())
		}
		if o.status != reviewing {
			return refusal(errWrongStatus)
		}
		o.status, o.closedAt, o.feedback = closed, s.opts.Now(), feedback
		o.approvals++
		s.did(o, DeedApproved, "")
		v := o.summary()
		v.ClosedAt = timestamp(o.closedAt)
		return success(v)
	})
}
