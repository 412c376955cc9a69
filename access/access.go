// Package access decides who may see an order and who may act on it.
//
// The members of an order's channel see it. Full members of our workspace, or of its Grid
// organisation, may also act on it. Guests and people of other organisations only look. Operators
// act on the whole account. [client.Identity.AccountStatus] tells these groups apart.
//
// Lists and searches may use answers of Slack that are a few minutes old. Before the app shows one
// order or changes anything, it asks Slack again. So a person who has left sees and does nothing.
//
// A refusal is an answer. It comes with an [order.Denial] where people must know the reason. An
// error means that the answer is not known yet. Until then nothing is allowed.
//
// Where to look: authorize.go has what one person may do with one order, viewer.go which of many
// orders they see, audience.go whether a whole channel may see one, approve.go who approves a
// channel's orders, member.go full members and operators, post.go whether a channel can show an
// order, credits.go who reads the account's credits.
//
// The package reads Slack and the store. It changes one thing: [Control.WhyNotPost] makes the app
// join a public channel that is about to show an order.
package access

import (
	"context"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slack is the part of [client.Client] that the package needs. A method whose name ends in Now
// always asks Slack; the others may answer from memory.
type Slack interface {
	Identity(ctx context.Context) (client.Identity, error)
	User(ctx context.Context, id string) (slack.User, error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	UserLately(ctx context.Context, id string) (slack.User, error) // at most some seconds old
	UserKnown(id string) (slack.User, bool)                        // from memory only; false: not in memory
	IsMember(ctx context.Context, channel, user string) (bool, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
	Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	MembersNow(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	UserChannels(ctx context.Context, user string) ([]string, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Join(ctx context.Context, id string) error
	UserGroups(ctx context.Context) ([]client.UserGroup, error)
	GroupMembers(ctx context.Context, group string) (map[string]bool, error)
}

// Config is what [New] needs. Only Operators and Offers are optional.
type Config struct {
	Slack     Slack
	Orders    *store.Orders
	Settings  *store.ChannelSettings
	Operators []string // user ids; empty: the workspace's admins are the operators
	Log       *slog.Logger
	// Offers returns the offer of an order whose channel and requester are gone; nil: no order was offered.
	Offers func(ctx context.Context, t store.Tracked) (store.Offer, error)
}

// Control answers who may see and do what. It caches nothing and is safe for concurrent use.
type Control struct{ cfg Config }

// New returns a Control over a Slack client and a store.
func New(cfg Config) *Control { return &Control{cfg} }

// unanswered reports whether err leaves the question open: Slack or Redis did not answer, or Slack
// refuses the app all such requests until an operator acts.
func unanswered(ctx context.Context, err error) bool {
	return err != nil && (client.Outage(err) || client.NeedsOperator(err) || queue.Away(err) || ctx.Err() != nil)
}
