package client

import (
	"errors"
	"slices"

	"github.com/slack-go/slack"
)

// Shape says which parts of a message or view are left out because Slack refused them.
type Shape struct {
	Older   bool     // plain versions replace blocks that are new to Slack
	Missing []string // addresses of pictures that Slack could not fetch
}

// mostMissing bounds the retries without a picture. Slack may name one picture at a time.
const mostMissing = 3

// Offer sends a message or view until Slack accepts it. It leaves out pictures that Slack cannot fetch,
// and replaces blocks that Slack does not know. It starts with shape s and returns the last shape it
// tried. send draws a shape, sends it, and returns the blocks it sent.
func Offer(s Shape, send func(Shape) ([]slack.Block, error)) (Shape, error) {
	for again := 0; ; {
		blocks, err := send(s)
		switch {
		case !errors.Is(err, ErrPayload):
			return s, err
		case errors.Is(err, ErrImage):
			named := slices.DeleteFunc(PicturesNamed(err, blocks), func(address string) bool { return slices.Contains(s.Missing, address) })
			if again++; again > mostMissing || len(named) == 0 {
				return s, err
			}
			s.Missing = slices.Concat(s.Missing, named)
		case s.Older, fileRefused(err):
			return s, err
		default:
			s.Older = true
		}
	}
}

// fileFailed is part of Slack's message about an uploaded picture that it cannot show, or not yet.
const fileFailed = "invalid slack file"

// fileRefused reports whether Slack refused a payload because of an uploaded picture, and not because of
// its blocks.
func fileRefused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && mentions(e.Messages, fileFailed)
}
