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

// Form is what the modal of a verb is made of.
type Form struct {
	Order  store.Tracked // on which the person may act
	Line   string        // the rest of the command line as it was typed
	Words  string        // and as it reads
	Window string
}

// Content makes such a modal.
type Content func(ctx context.Context, f Form) (answers.ViewFunc, error)

// Windows opens the window of the order that a request means.
type Windows struct {
	slack   answers.Slack
	access  *access.Control
	finder  *Finder
	windows *answer.Windows
}

// NewWindows makes the handler from what it uses.
func NewWindows(slack answers.Slack, access *access.Control, finder *Finder, windows *answer.Windows) *Windows {
	return &Windows{slack: slack, access: access, finder: finder, windows: windows}
}

// Open opens the modal of the order that a click or a line is about, made by fill. Whether
// an id that is shown to nobody exists, or is hidden from this person, nothing tells.
func (c *Windows) Open(ctx context.Context, r bot.Request, verb, title string, fill Content) error {
	p, late, err := c.finder.Soon(ctx, r, verb)
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
				return nil, answer.Sorry(cards.AskedBelow, "")
			}
		}
		form, err := c.formOf(ctx, r, p, window)
		if err != nil {
			return nil, err
		}
		return fill(ctx, form)
	})
}

// formOf is what the modal of that order is made of, when the person may act on it.
func (c *Windows) formOf(ctx context.Context, r bot.Request, p Ref, window string) (Form, error) {
	t, err := c.finder.Visible(ctx, r, p)
	if err != nil {
		return Form{}, err
	}
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := answer.CannotPost(t.Owner.Channel, why, client.AsTyped(p.Words), err); err != nil {
		return Form{}, err
	}
	words, err := client.Plain(ctx, c.slack, p.Words)
	return Form{t, p.Words, words, window}, err
}
