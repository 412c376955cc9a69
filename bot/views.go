package bot

import (
	"context"

	"github.com/slack-go/slack"
)

// OpenView opens a modal for whoever's gesture gave trigger, which lives 3 s and works
// once ([ErrTrigger]). The view returned has its ids and hash but no blocks. After
// [ErrUnknownOutcome] it may be open: updating it by its external id finds out.
func (c *Client) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	return c.showView(ctx, "views.open", trigger, v)
}

// PushView puts a modal on top of the one that trigger came from; a stack holds three.
func (c *Client) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	return c.showView(ctx, "views.push", trigger, v)
}

func (c *Client) showView(ctx context.Context, method, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	if trigger == "" {
		return nil, &Error{Method: method, class: []error{ErrTrigger}}
	}
	return c.view(ctx, method, args{"trigger_id": trigger, "view": v})
}

// UpdateView replaces an open modal, addressed by its external id or else by its view
// id. With a hash it is replaced only if it is still the one seen ([ErrHashConflict]);
// [ErrGone] = closed. Repeating it without a hash is harmless.
func (c *Client) UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) (*slack.View, error) {
	if externalID != "" {
		viewID = "" // Slack takes one of them
	}
	return c.view(ctx, "views.update", args{"external_id": externalID, "view_id": viewID, "hash": hash, "view": v})
}

// PublishHome sets a person's App Home; hash as in UpdateView.
func (c *Client) PublishHome(ctx context.Context, user, hash string, v slack.HomeTabViewRequest) error {
	_, err := c.call(ctx, "views.publish", args{"user_id": user, "hash": hash, "view": v}, nil)
	return err
}

// view makes a call about a modal and reads from the answer how that is known to Slack.
func (c *Client) view(ctx context.Context, method string, with args) (*slack.View, error) {
	var answer struct {
		View struct {
			ID         string `json:"id"`
			ExternalID string `json:"external_id"`
			Hash       string `json:"hash"`
		} `json:"view"`
	}
	if _, err := c.call(ctx, method, with, &answer); err != nil {
		return nil, err
	}
	return &slack.View{ID: answer.View.ID, ExternalID: answer.View.ExternalID, Hash: answer.View.Hash}, nil
}
