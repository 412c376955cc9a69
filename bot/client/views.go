package client

import (
	"context"

	"github.com/slack-go/slack"
)

// Views opens and updates modals and publishes App Homes.
type Views struct{ api *api }

// OpenView opens a modal for the person whose click gave trigger. A trigger works once, within 3 s
// ([ErrTrigger]). After [ErrUnknownOutcome] the modal may be open: update it by its external id to find
// out.
func (c *Views) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	return c.showView(ctx, "views.open", trigger, v)
}

// PushView opens a modal on top of the one that trigger came from; a stack holds three.
func (c *Views) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	return c.showView(ctx, "views.push", trigger, v)
}

func (c *Views) showView(ctx context.Context, method, trigger string, v slack.ModalViewRequest) error {
	if trigger == "" {
		return &Error{Method: method, Class: []error{ErrTrigger}}
	}
	return c.api.do(ctx, method, args{"trigger_id": trigger, "view": v})
}

// UpdateView replaces an open modal, addressed by its external id, or else by its view id. With a hash, it
// fails with [ErrHashConflict] if the view has changed. [ErrGone] means that the modal is closed.
// Repeating it without a hash is harmless.
func (c *Views) UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) error {
	if externalID != "" {
		viewID = "" // Slack accepts only one of them
	}
	return c.api.do(ctx, "views.update", args{"external_id": externalID, "view_id": viewID, "hash": hash, "view": v})
}

// PublishHome sets a person's App Home.
func (c *Views) PublishHome(ctx context.Context, user string, v slack.HomeTabViewRequest) error {
	return c.api.do(ctx, "views.publish", args{"user_id": user, "view": v})
}
