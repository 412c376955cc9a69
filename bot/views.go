package bot

import (
	"context"

	"github.com/slack-go/slack"
)

// OpenView opens a modal for whoever's gesture gave trigger, which lives 3 s and works
// once ([ErrTrigger]). The view returned has its ids and hash but no blocks. After
// [ErrUnknownOutcome] it may be open: updating it by its external id finds out.
func (c *Client) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	if trigger == "" {
		return nil, &Error{Method: "views.open", class: []error{ErrTrigger}}
	}
	resp, err := c.api.OpenViewContext(ctx, trigger, v)
	return c.view("views.open", resp, err)
}

// UpdateView replaces an open modal, addressed by its external id or else by its view
// id. With a hash it is replaced only if it is still the one seen ([ErrHashConflict]);
// [ErrGone] = closed. Repeating it without a hash is harmless.
func (c *Client) UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) (*slack.View, error) {
	if externalID != "" {
		viewID = "" // Slack takes one of them
	}
	resp, err := c.api.UpdateViewContext(ctx, v, externalID, hash, viewID)
	return c.view("views.update", resp, err)
}

// PublishHome sets a person's App Home; hash as in UpdateView.
func (c *Client) PublishHome(ctx context.Context, user, hash string, v slack.HomeTabViewRequest) error {
	req := slack.PublishViewContextRequest{UserID: user, View: v}
	if hash != "" {
		req.Hash = &hash
	}
	_, err := c.api.PublishViewContext(ctx, req)
	return c.wrap("views.publish", err)
}

func (c *Client) view(method string, resp *slack.ViewResponse, err error) (*slack.View, error) {
	if err != nil {
		return nil, c.wrap(method, err)
	}
	return &resp.View, nil
}

// PushView puts a modal on top of the one that trigger came from; a stack holds three.
func (c *Client) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	if trigger == "" {
		return nil, &Error{Method: "views.push", class: []error{ErrTrigger}}
	}
	resp, err := c.api.PushViewContext(ctx, trigger, v)
	return c.view("views.push", resp, err)
}
