package cards

import "github.com/slack-go/slack"

// unreadable says what is wrong in a workspace whose account does not open any more; see [store.ErrUnreadable].
const unreadable = "The account at the photo service that this workspace was connected with cannot be read any more, so nothing can be ordered. " +
	"Orders, settings and presets are kept, and go on when the account is connected again."

// homeUnreadable is the whole Home of such a workspace.
func (p *builder) homeUnreadable(c Connect) {
	p.row(unreadable)
	if !c.May {
		p.row(whoConnects(c))
		return
	}
	p.buttons(primary("Connect", ActionConnect, "connect"), press("Disconnect", ActionDisconnect, "disconnect").WithStyle(slack.StyleDanger))
	p.note("You need three things from the service's account settings: its base URL, an API key and its API secret. Whoever runs Darkroom can read why in its log.")
}

// WaitsUnreadable tells a person that what they asked for waits, because the account cannot be read.
func WaitsUnreadable(asked string, c Connect) Message {
	return Say("What you asked for (" + asked + ") has to wait: the account of this workspace cannot be read any more. Nothing is lost, and you need not do it again: it goes on by itself when the account is connected again. " +
		onlyIf(c.May, "You can do that on this app's Home.") + onlyIf(!c.May, whoConnects(c)))
}
