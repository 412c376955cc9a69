package ops

import (
	"fmt"

	"darkroom/cards/kit"

	"github.com/shopspring/decimal"
)

// Where one app serves many workspaces, these texts replace those of the operations channel that mention
// configuration.

// ToResponsible addresses a notice to the person who connected the workspace or installed the app.
func ToResponsible(sentence string, connected bool) string {
	why := kit.Either(connected, "connected this workspace to its photo service", "added me to this workspace")
	return sentence + "\n_I tell you because you " + why + "._"
}

// OrdersUnknownHere is [OrdersUnknown] for one workspace.
func OrdersUnknownHere(unknown, all int) string {
	which := kit.Either(unknown < all, fmt.Sprintf("%d of this workspace's %d orders", unknown, all), "any of this workspace's orders")
	return "The photo service no longer knows " + which + "; is the account right? It answers, but of each it says *invalid order id*. " +
		"An admin finds *Change* on my Home. Nothing is lost and no order is given up: I go on asking, and say when this is over."
}

// OwnNamesHere is [OwnNames] for one workspace.
const OwnNamesHere = "This workspace's photo service " + ownNames

// CreditsLowHere is [CreditsLow] for one workspace.
func CreditsLowHere(left, below, well decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* left, fewer than " + kit.Amount(below) + ". " +
		"Nothing has stopped: orders go on while the credits last. After that the service refuses new ones, and whoever places one is told. " +
		"Please buy credits there; I say so once when I see " + kit.Amount(well) + " or more again."
}

// CreditsWellHere ends [CreditsLowHere].
func CreditsWellHere(left decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* again. That is enough: there is nothing left to do."
}

// RefusedHere is [Refused] for one workspace.
func RefusedHere(reason string) string {
	return "Slack refuses me something that I need in this workspace (" + kit.Inline(reason, 80) + "). What people asked for waits, nothing is lost, and it goes on by itself once this is mended. " +
		"Please have an admin add me again, from the same page as the first time: what is kept here stays."
}

// RolledBackHere is [RolledBack] for one workspace.
func ForgottenHere() string {
	return ":warning: What I keep of this workspace was set back to an earlier time: an order that was placed since is not in it, and was found again by its card. " +
		"I order nothing again before I have looked for it at the service. Others like it are found as soon as somebody presses a button of their card or mentions me in its thread; " +
		"until then I do not follow them, and their channels hear nothing of them: look at `/order list account` for that time, and use each card once. " +
		"What people set, moved or untracked since then is as it was before, and must be done again."
}
