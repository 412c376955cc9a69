package account

import (
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
)

// unreadable says that the saved account cannot be decrypted; see [store.ErrUnreadable].
const unreadable = "The account at the photo service that this workspace was connected with cannot be read any more, so nothing can be ordered. " +
	"Orders, settings and presets are kept, and go on when the account is connected again."

// HomeUnreadable is the whole App Home of a workspace whose account is unreadable.
func HomeUnreadable(p *kit.Page, c View) {
	p.Row(unreadable)
	if !c.May {
		p.Row(whoConnects(c))
		return
	}
	p.Buttons(kit.PrimaryButton("Connect", ActionConnect, "connect"), kit.Button("Disconnect", ActionDisconnect, "disconnect").WithStyle(slack.StyleDanger))
	p.Note("You need three things from the service's account settings: its base URL, an API key and its API secret. Whoever runs Darkroom can read why in its log.")
}

// WaitsUnreadable says that a request waits because the account is unreadable.
func WaitsUnreadable(asked string, c View) kit.Message {
	return kit.Say("What you asked for (" + asked + ") has to wait: the account of this workspace cannot be read any more. Nothing is lost, and you need not do it again: it goes on by itself when the account is connected again. " +
		kit.Either(c.May, "You can do that on this app's Home.", whoConnects(c)))
}
