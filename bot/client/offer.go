package client

import (
	"errors"
	"slices"

	"github.com/slack-go/slack"
)

// Shape is what of a message or a view is left out, because Slack refused it.
type Shape struct {
	Older   bool     // blocks that are new to Slack: it has their plain versions instead
	Missing []string // addresses of pictures that it could not fetch
}

// mostMissing is how often something is sent again without a picture that Slack could not fetch: it
// may name one at a time.
const mostMissing = 3

// Offer sends a message or a view until Slack takes it: a picture that it cannot fetch costs only
// itself, blocks that it does not know only the newer shape. What it offers it with first is given;
// Offer returns the last shape it tried. send draws a shape and sends it, and tells what it sent.
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

// fileFailed is in Slack's words on an uploaded picture that it cannot show, or does not show yet.
const fileFailed = "invalid slack file"

// fileRefused reports whether Slack refused a payload because of an uploaded picture: that says nothing of its blocks.
func fileRefused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && mentions(e.Messages, fileFailed)
}
