package client_test

import (
	"context"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTokenTravelsInItsHeaderAlone(t *testing.T) {
	calls := map[string]func(context.Context, *client.Client) error{
		"auth.test":             func(ctx context.Context, c *client.Client) error { _, err := c.People.Identity(ctx); return err },
		"chat.postMessage":      post,
		"chat.update":           edit,
		"chat.delete":           func(ctx context.Context, c *client.Client) error { return c.Messages.Delete(ctx, "C1", "1.2") },
		"reactions.add":         func(ctx context.Context, c *client.Client) error { return c.Messages.React(ctx, "C1", "1.2", "eyes") },
		"conversations.history": read,
		"conversations.replies": func(ctx context.Context, c *client.Client) error {
			_, err := c.Conversations.Replies(ctx, "C1", "1.2", time.Time{})
			return err
		},
		"conversations.info": func(ctx context.Context, c *client.Client) error { _, err := c.People.Channel(ctx, "C1"); return err },
		"conversations.join": func(ctx context.Context, c *client.Client) error { return c.People.Join(ctx, "C1") },
		"conversations.open": func(ctx context.Context, c *client.Client) error {
			_, _, err := c.Messages.DM(ctx, "U1", client.Post{Text: "x"})
			return err
		},
		"conversations.members": func(ctx context.Context, c *client.Client) error {
			_, err := c.People.IsMember(ctx, "C1", "U1")
			return err
		},
		"users.info": look,
		"files.info": func(ctx context.Context, c *client.Client) error { _, err := c.Files.File(ctx, "F1"); return err },
		"files.getUploadURLExternal": func(ctx context.Context, c *client.Client) error {
			_, err := c.Files.UploadImage(ctx, "a.png", []byte("png"))
			return err
		},
		"views.open":   openView,
		"views.push":   push,
		"views.update": update,
		"views.publish": func(ctx context.Context, c *client.Client) error {
			return c.Views.PublishHome(ctx, "U1", slack.HomeTabViewRequest{Type: slack.VTHomeTab})
		},
	}
	for method, call := range calls {
		t.Run(method, func(t *testing.T) {
			f := newSlack(t, answers{})
			require.Error(t, call(t.Context(), f.client(t)), "the fake knows no method")
			seen := f.calls(method)
			require.Len(t, seen, 1)
			assert.Equal(t, "Bearer "+token, seen[0].Header.Get("Authorization"))
			assert.NotContains(t, seen[0].Body, token)
			assert.NotContains(t, seen[0].Body, "token")
			assert.NotContains(t, seen[0].Query, token)
		})
	}
}
