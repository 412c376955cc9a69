// Package access says who may see an order and who may act on it.
//
// The members of an order's channel see it. Those of them who are full members of our workspace,
// or of its Grid organisation, act on it; guests and people of other organisations only look.
// Operators do what concerns the whole account. [bot.Identity.Standing] tells which of these
// somebody is.
//
// Lists and searches may go by what Slack said a few minutes ago. Before one order is shown or
// anything is done, Slack is asked afresh, so that who has left sees and does nothing more.
//
// Slack's "no" is an answer, and where people must know why, it comes with an [order.Denial]. An
// error means that nobody knows yet: the same question may be answered later, and until then
// nothing is allowed.
//
// Where to look: authorize.go is what one person may do with one order, viewer.go which of many orders
// they see, audience.go whether a whole channel sees one, approve.go who decides about a channel's orders, member.go whether they are a full member or an operator, post.go whether an order can
// go to a channel, credits.go who reads the account's credits.
//
// The package asks Slack and the store, and changes one thing only: [Control.WhyNotPost] makes the
// app join a public channel in which an order is about to be shown.
package access

import (
	"context"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slack is the part of [bot.Client] that the package needs. The methods whose names end in Now
// ask Slack at this moment; the others may answer from memory.
type Slack interface {
	Identity(ctx context.Context) (bot.Identity, error)
	User(ctx context.Context, id string) (slack.User, error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	UserLately(ctx context.Context, id string) (slack.User, error) // some seconds old at most
	UserKnown(id string) (slack.User, bool)                        // asks nobody; false: nothing is remembered of them
	IsMember(ctx context.Context, channel, user string) (bool, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
	Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	MembersNow(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	UserChannels(ctx context.Context, user string) ([]string, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Join(ctx context.Context, id string) error
	UserGroups(ctx context.Context) ([]bot.UserGroup, error)
	GroupMembers(ctx context.Context, group string) (map[string]bool, error)
}

// Config is what [New] needs. Everything but Operators and Offers is required.
type Config struct {
	Slack     Slack
	Orders    *store.Orders
	Settings  *store.ChannelSettings
	Operators []string // user ids; empty: the workspace's admins are the operators
	Log       *slog.Logger
	// Offers tells to whom an order was offered whose channel and requester are gone; nil: to nobody.
	Offers func(ctx context.Context, t store.Tracked) (store.Offer, error)
}

// Control answers who may see and do what. It keeps no answers, and many may ask it at once.
type Control struct{ cfg Config }

// New returns a Control over a Slack client and a store.
func New(cfg Config) *Control { return &Control{cfg} }

// unanswered reports whether err is no answer: Slack or Redis did not give one, or Slack refuses
// the app everything of this kind until an operator acts.
func unanswered(ctx context.Context, err error) bool {
	return bot.Outage(err) || bot.Mendable(err) || queue.Away(err) || ctx.Err() != nil
}
