package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldGather = "gather"

// What was chosen for several deliveries.
const (
	gatherEach = "each"
	gatherOne  = "one"
)

// gatherSettings say whether the channel is told of orders that become ready within a minute one by one.
var gatherSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		chosen := gatherEach
		if now.Gather {
			chosen = gatherOne
		}
		p.radio(fieldGather, "Several deliveries within a minute", "Each review is in its order's thread either way.", chosen,
			slack.NewOptionBlockObject(gatherEach, plainText("Each is shown in the channel"), plainText("At once, with its images.")),
			slack.NewOptionBlockObject(gatherOne, plainText("One message for all"), plainText("A minute after the first, with a link to each review.")))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		switch fieldOf(view, fieldGather).SelectedOption.Value {
		case gatherEach:
			now.Gather = false
		case gatherOne:
			now.Gather = true
		}
		return nil
	},
	says: func(now store.Settings) string {
		return onlyIf(now.Gather, "*Several deliveries within a minute* are one message here. Each review is in its order's thread.")
	},
}
