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

// What a person is shown with pictures comes in shapes: Slack may refuse a picture that it cannot
// fetch, or a block that it does not know yet, and with it all the rest.

// ViewFunc makes a modal that shows of its pictures what Slack takes.
type ViewFunc func(thumbs cards.Thumbs) slack.ModalViewRequest

// ShowBest shows something in the best shape that Slack takes, see [client.Offer], and at last without
// pictures. show returns the blocks that it sent, and what Slack said.
func (j *Forms) ShowBest(ctx context.Context, show func(cards.Thumbs) ([]slack.Block, error)) error {
	_, err := client.Offer(client.Shape{}, func(s client.Shape) ([]slack.Block, error) {
		return show(cards.Thumbs{Show: true, Plain: s.Older, Missing: s.Missing})
	})
	if errors.Is(err, client.ErrPayload) {
		j.Log.WarnContext(ctx, "shown without pictures", "err", err)
		_, err = show(cards.Thumbs{Plain: true})
	}
	return err
}

// ShowView is [Forms.ShowBest] of a modal; what Slack refuses even then is shown without any picture.
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
	if bare := draw(cards.Thumbs{Plain: true}); errors.Is(err, client.ErrPayload) && kit.HasPictures(bare.Blocks.BlockSet) {
		bare.Blocks.BlockSet = kit.WithoutPictures(bare.Blocks.BlockSet, func(string) bool { return true })
		return paint(bare)
	}
	return err
}

// Drawn is a view that was drawn before it was known what Slack takes of it: pictures that it does not
// take are left out of it, those of other servers first.
func Drawn(view slack.ModalViewRequest) ViewFunc {
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		view := view
		view.Blocks.BlockSet = kit.WithoutPictures(view.Blocks.BlockSet, func(address string) bool {
			return !thumbs.Show && address != "" || slices.Contains(thumbs.Missing, address)
		})
		return view
	}
}
