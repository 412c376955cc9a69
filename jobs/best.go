package jobs

import (
	"context"
	"errors"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
)

// What a person is shown with pictures comes in shapes: Slack may refuse a picture that it cannot
// fetch, or a block that it does not know yet, and with it all the rest.

// ViewFunc makes a modal that shows of its pictures what Slack takes.
type ViewFunc func(thumbs cards.Thumbs) slack.ModalViewRequest

// mostMissing is how often something is shown again without a picture that Slack could not fetch: it
// may name one at a time.
const mostMissing = 3

// Thumbs is how pictures are first shown to a workspace: with older blocks where its Slack refused
// the newer ones a while ago.
func (j *Jobs) Thumbs(ctx context.Context, team string) cards.Thumbs {
	older, err := j.store.OlderBlocks(ctx, team)
	if err != nil {
		j.log.InfoContext(ctx, "not known whether newer blocks are taken", "team", team, "err", err)
	}
	return cards.Thumbs{Show: true, Plain: older}
}

// ShowBest shows something in the best shape that Slack takes. A picture that it cannot fetch costs
// only itself, a block that it does not know only the newer shape, which is remembered for the
// workspace; show returns the blocks that it sent, and what Slack said.
func (j *Jobs) ShowBest(ctx context.Context, team string, show func(cards.Thumbs) ([]slack.Block, error)) error {
	thumbs, tried := j.Thumbs(ctx, team), 0
	refused := false // and taken with older blocks, if it is taken
	for {
		blocks, err := show(thumbs)
		if !errors.Is(err, bot.ErrPayload) {
			if refused && err == nil {
				j.noteOlderBlocks(ctx, team)
			}
			return err
		}
		j.log.WarnContext(ctx, "shown plainer", "team", team, "err", err)
		tried++
		missing := missingBesides(thumbs.Missing, bot.PicturesNamed(err, blocks))
		switch {
		case !thumbs.Show:
			return err
		case errors.Is(err, bot.ErrImage) && missing != nil && tried <= mostMissing:
			thumbs.Missing = missing
		case errors.Is(err, bot.ErrImage) || thumbs.Plain:
			thumbs, refused = cards.Thumbs{}, false
		default:
			thumbs.Plain, refused = true, true
		}
	}
}

// missingBesides are the pictures that cannot be shown, with those that Slack has just named; nil when
// it named no other.
func missingBesides(had, named []string) []string {
	all := slices.Clone(had)
	for _, address := range named {
		if !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	if len(all) == len(had) {
		return nil
	}
	return all
}

func (j *Jobs) noteOlderBlocks(ctx context.Context, team string) {
	j.log.WarnContext(ctx, "newer blocks refused: older ones are used for a while", "team", team)
	if err := j.store.NoteOlderBlocks(ctx, team); err != nil {
		j.log.InfoContext(ctx, "refusal of newer blocks not noted", "team", team, "err", err)
	}
}

// ShowView is [Jobs.ShowBest] of a modal; in the end it is shown without any picture.
func (j *Jobs) ShowView(ctx context.Context, team string, view ViewFunc, paint func(slack.ModalViewRequest) error) error {
	err := j.ShowBest(ctx, team, func(thumbs cards.Thumbs) ([]slack.Block, error) {
		drawn := view(thumbs)
		return drawn.Blocks.BlockSet, paint(drawn)
	})
	if !errors.Is(err, bot.ErrPayload) {
		return err
	}
	if bare, found := WithoutPictures(view(cards.Thumbs{})); found {
		return paint(bare)
	}
	return err
}
