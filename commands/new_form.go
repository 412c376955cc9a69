package commands

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// replaceForm shows a draft's form in the window in which a button was pressed. Fields
// of the same draft keep what is in them, but for photos that were chosen and not sent yet:
// Slack need not tell of them before, nor keep them. Other drafts are offered when a form
// opens, not in the middle.
func (c *Commands) replaceForm(ctx context.Context, r bot.Request, draft store.Draft, balance string, round int) error {
	around := cards.Around{Problems: draft.Problems, Balance: balance, Upload: c.files != nil, UploadGen: round}
	around.Unsure = inForm(r) && len(cards.DecodeTyped(*r.View).Photos) == 0
	return c.replaceView(ctx, r, draft, cards.NewOrder(draft, around, r.View.ExternalID))
}

// replaceView puts a view in the place of the one that was acted on. One that changed
// meanwhile is replaced only while its draft is still being filled in: what says how the
// order stands is not painted over.
func (c *Commands) replaceView(ctx context.Context, r bot.Request, draft store.Draft, view slack.ModalViewRequest) error {
	if err := c.supersede(ctx, r); err != nil {
		return err
	}
	_, err := c.slack.UpdateView(ctx, "", r.View.ID, r.View.Hash, view)
	if errors.Is(err, bot.ErrHashConflict) {
		kept, lost := c.store.Draft(ctx, draft.ID)
		if lost != nil {
			return lost
		}
		if !fillable(kept) || kept.Attempt != draft.Attempt {
			return nil
		}
		_, err = c.slack.UpdateView(ctx, r.View.ExternalID, r.View.ID, "", view)
	}
	if errors.Is(err, bot.ErrGone) {
		return nil
	}
	return err
}
