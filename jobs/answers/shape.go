package answers

import (
	"context"
	"errors"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
)

// Slack may refuse a picture that it cannot fetch, or a block that it does not know yet, and the whole view with it. So
// a view with pictures has several shapes.

// ViewFunc makes a modal with the pictures that Slack takes.
type ViewFunc func(thumbs cards.Thumbs) slack.ModalViewRequest

// ShowBest calls show with the best shape that Slack takes, see [client.Offer], and at last without pictures. show
// returns the blocks that it sent, and Slack's error.
func (j *Forms) ShowBest(ctx context.Context, show func(cards.Thumbs) ([]slack.Block, error)) error {
	_, err := client.Offer(client.Shape{}, func(s client.Shape) ([]slack.Block, error) {
		return show(cards.Thumbs{Show: true, Plain: s.Older, Missing: s.Missing, Mark: j.Mark})
	})
	if errors.Is(err, client.ErrPayload) {
		j.Log.WarnContext(ctx, "shown without pictures", "err", err)
		_, err = show(cards.Thumbs{Plain: true, Mark: j.Mark})
	}
	return err
}

// ShowView is [Forms.ShowBest] for a modal. If Slack still refuses it, its other images are removed, too.
func (j *Forms) ShowView(ctx context.Context, view ViewFunc, paint func(slack.ModalViewRequest) error) error {
	draw := func(thumbs cards.Thumbs) slack.ModalViewRequest {
		drawn := view(thumbs)
		if thumbs.Plain {
			drawn.Blocks.BlockSet = kit.Older(drawn.Blocks.BlockSet)
		}
		return drawn
	}
	err := j.ShowBest(ctx, func(thumbs cards.Thumbs) ([]slack.Block, error) {
		drawn := draw(thumbs)
		return drawn.Blocks.BlockSet, paint(drawn)
	})
	if bare := draw(cards.Thumbs{Plain: true, Mark: j.Mark}); errors.Is(err, client.ErrPayload) && kit.HasPictures(bare.Blocks.BlockSet) {
		bare.Blocks.BlockSet = kit.WithoutPictures(bare.Blocks.BlockSet, func(string) bool { return true })
		return paint(bare)
	}
	return err
}

// Drawn returns a view that was made before Slack's answer. Refused pictures are removed from it, those of other
// servers first.
func Drawn(view slack.ModalViewRequest) ViewFunc {
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		view := view
		view.Blocks.BlockSet = kit.WithoutPictures(view.Blocks.BlockSet, func(address string) bool {
			return !thumbs.Show && address != "" || slices.Contains(thumbs.Missing, address)
		})
		return view
	}
}
