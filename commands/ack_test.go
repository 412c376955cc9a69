package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
)

func TestAFormBehindAJobThatWaitsSaysSoAtOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		window := r.Opens("maria", cards.ActionApprove, cards.Value(r.Delivers(1), 0))
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order1 First")
		reply := r.Sends("maria", window, nil)
		require.Contains(r.T, commandstest.Text(reply.Body), "I approve")
		require.NotContains(r.T, commandstest.Text(reply.Body), "Approving")
	})
}
