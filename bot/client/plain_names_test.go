package client_test

import (
	"context"
	"testing"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type names struct{ err error }

func (n names) User(_ context.Context, id string) (slack.User, error) {
	return slack.User{RealName: map[string]string{"U1": "Maria"}[id]}, n.err
}

func (n names) Channel(_ context.Context, id string) (slack.Channel, error) {
	var channel slack.Channel
	channel.Name, channel.IsPrivate = map[string]string{"C1": "shoots", "C2": "merger"}[id], id == "C2"
	return channel, n.err
}

func TestNamesInATextAreAskedOfSlack(t *testing.T) {
	const text = "<@U1> in <#C1> and <#C2|>"
	words, err := client.Plain(t.Context(), names{}, text)
	require.NoError(t, err)
	assert.Equal(t, "@Maria in #shoots and #private-channel", words)
	_, err = client.Plain(t.Context(), names{client.ErrTryLater}, text)
	require.ErrorIs(t, err, client.ErrTryLater, "the same text must become the same words")
	_, err = client.Plain(t.Context(), names{client.ErrNoUser}, "<@U9>")
	require.NoError(t, err)
	assert.Equal(t, "@someone", client.AsTyped("<@U1>"))
}
