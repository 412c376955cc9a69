package announce_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/sandbox/workspace"
)

// picky is a Slack that refuses the first forms of replies.
type picky struct {
	whole
	left int // how many replies are refused yet
}

func (p *picky) Post(ctx context.Context, post client.Post) (string, error) {
	if post.Thread != "" && p.left > 0 {
		p.left--
		return "", client.ErrPayload
	}
	return p.whole.Post(ctx, post)
}

func TestAnEventThatSlackTakesInNoFormIsLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Slack = &picky{whole: r.slack, left: 4} // the four forms of the first reply
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	require.NoError(t, r.try(t))
	require.Equal(t, []string{"card", "ready:r0"}, r.thread(t, shoots))
	ids, err := r.Announcements.Unannounced(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestOnlyTheNewestReadyReplyHasButtons(t *testing.T) {
	t.Parallel()
	for name, together := range map[string]bool{"posted together": true, "posted apart": false} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			step := func() {
				if !together {
					r.announce(t)
				}
			}
			image := order.EditedImage{ID: "i1", Name: "beach.jpg", Origin: "https://example.com/1.jpg"}
			r.happens(t, order.StatusReviewing, 0, image)
			step()
			r.happens(t, order.StatusPaused, 0)
			step()
			image.ID, image.Origin = "i2", "https://example.com/2.jpg"
			r.happens(t, order.StatusReviewing, 0, image)
			r.announce(t)
			tracked, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			var live []int
			for _, m := range r.w.Thread(shoots, tracked.CardTS)[1:] {
				live = append(live, buttons(m))
			}
			require.Equal(t, []int{0, 0, 0, 2}, live, "placed, ready, paused, ready again")
		})
	}
}
