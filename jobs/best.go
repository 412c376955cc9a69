package jobs

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
)

// What a person is shown with pictures comes in shapes: Slack may refuse a picture that it cannot
// fetch, or a block that it does not know yet, and with it all the rest.

// ViewFunc makes a modal that shows of its pictures what Slack takes.
type ViewFunc func(thumbs cards.Thumbs) slack.ModalViewRequest

// olderBlocksTime is how long somebody who waits for a window waits to learn in which blocks to draw it:
// a Redis that stands still must not cost the window that says so.
const olderBlocksTime = time.Second

// olderBlocks says that the workspace's Slack refused newer blocks a while ago.
func (j *Jobs) olderBlocks(ctx context.Context, team string) bool {
	ctx, cancel := context.WithTimeout(ctx, olderBlocksTime)
	defer cancel()
	older, err := j.store.OlderBlocks(ctx, team)
	if err != nil {
		j.log.InfoContext(ctx, "not known whether newer blocks are taken", "team", team, "err", err)
	}
	return older
}

// ShowBest shows something in the best shape that Slack takes, see [bot.Offer]; that it takes only
// older blocks is remembered for the workspace. In the end it is shown without pictures. show returns
// the blocks that it sent, and what Slack said.
func (j *Jobs) ShowBest(ctx context.Context, team string, show func(cards.Thumbs) ([]slack.Block, error)) error {
	first := bot.Shape{Older: j.olderBlocks(ctx, team)}
	last, err := bot.Offer(first, func(s bot.Shape) ([]slack.Block, error) {
		return show(cards.Thumbs{Show: true, Plain: s.Older, Missing: s.Missing})
	})
	if err == nil && last.Older && !first.Older {
		j.noteOlderBlocks(ctx, team)
	}
	if errors.Is(err, bot.ErrPayload) {
		j.log.WarnContext(ctx, "shown without pictures", "team", team, "err", err)
		_, err = show(cards.Thumbs{Plain: true})
	}
	return err
}

func (j *Jobs) noteOlderBlocks(ctx context.Context, team string) {
	j.log.WarnContext(ctx, "newer blocks refused: older ones are used for a while", "team", team)
	if err := j.store.NoteOlderBlocks(ctx, team); err != nil {
		j.log.InfoContext(ctx, "refusal of newer blocks not noted", "team", team, "err", err)
	}
}

// ShowView is [Jobs.ShowBest] of a modal; what Slack refuses even then is shown without any picture.
func (j *Jobs) ShowView(ctx context.Context, team string, view ViewFunc, paint func(slack.ModalViewRequest) error) error {
	draw := func(thumbs cards.Thumbs) slack.ModalViewRequest {
		drawn := view(thumbs)
		if thumbs.Plain {
			drawn.Blocks.BlockSet = cards.Older(drawn.Blocks.BlockSet)
		}
		return drawn
	}
	err := j.ShowBest(ctx, team, func(thumbs cards.Thumbs) ([]slack.Block, error) {
		drawn := draw(thumbs)
		return drawn.Blocks.BlockSet, paint(drawn)
	})
	if bare := draw(cards.Thumbs{Plain: true}); errors.Is(err, bot.ErrPayload) && cards.HasPictures(bare.Blocks.BlockSet) {
		bare.Blocks.BlockSet = cards.WithoutPictures(bare.Blocks.BlockSet, func(string) bool { return true })
		return paint(bare)
	}
	return err
}

// Drawn is a view that was drawn before it was known what Slack takes of it: pictures that it does not
// take are left out of it, those of other servers first.
func Drawn(view slack.ModalViewRequest) ViewFunc {
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		view := view
		view.Blocks.BlockSet = cards.WithoutPictures(view.Blocks.BlockSet, func(address string) bool {
			return !thumbs.Show && address != "" || slices.Contains(thumbs.Missing, address)
		})
		return view
	}
}
