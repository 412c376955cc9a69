package resolve

import (
	"context"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// Form is the input of a verb's window.
type Form struct {
	Order  store.Tracked // the person may act on it
	Line   string        // rest of the command line as typed
	Text   string        // the same with Slack's markup as plain text
	Window string
}

// Content returns the view of a verb's window.
type Content func(ctx context.Context, f Form) (answers.ViewFunc, error)

// Windows opens the window of the order that a request means.
type Windows struct {
	slack   answers.Slack
	access  *access.Control
	finder  *Finder
	windows *answer.Windows
}

// NewWindows returns an opener of order windows.
func NewWindows(slack answers.Slack, access *access.Control, finder *Finder, windows *answer.Windows) *Windows {
	return &Windows{slack: slack, access: access, finder: finder, windows: windows}
}

// Open opens the window of the request's order with fill's view. An unknown order and a hidden one give the same
// answer.
func (c *Windows) Open(ctx context.Context, r bot.Request, verb, title string, fill Content) error {
	p, late, err := c.finder.OrderInTime(ctx, r, verb)
	if err != nil {
		return err
	}
	if p.ID == "" && !late {
		return c.finder.AskWhich(ctx, r, verb, p)
	}
	return c.windows.Open(ctx, r, verb, title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if late {
			if p, err = c.finder.Order(ctx, r, verb); err != nil {
				return nil, err
			}
			if p.ID == "" {
				if err := c.finder.AskWhich(ctx, r, verb, p); err != nil {
					return nil, err
				}
				return nil, answer.Refuse(cards.AskedBelow, "")
			}
		}
		form, err := c.formOf(ctx, r, p, window)
		if err != nil {
			return nil, err
		}
		return fill(ctx, form)
	})
}

// formOf returns the window's input, if the person may act on the order.
func (c *Windows) formOf(ctx context.Context, r bot.Request, p Ref, window string) (Form, error) {
	t, err := c.finder.Visible(ctx, r, p)
	if err != nil {
		return Form{}, err
	}
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := answer.CannotPost(t.Owner.Channel, why, client.AsTyped(p.Text), err); err != nil {
		return Form{}, err
	}
	text, err := client.Plain(ctx, c.slack, p.Text)
	return Form{t, p.Text, text, window}, err
}
