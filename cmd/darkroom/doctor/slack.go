package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/bot/client"
	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/store"
)

const (
	atEvents  = "api.slack.com/apps → Event Subscriptions"
	atInstall = "api.slack.com/apps → OAuth & Permissions"
	atTokens  = "api.slack.com/apps → Basic Information → App-Level Tokens"
)

// slack checks Slack's side: the app's identity, its permissions, and whether Slack reaches the app.
func (d *doctor) slack(ctx context.Context) []Check {
	if lacking := d.lacking("SLACK_BOT_TOKEN", "SLACK_API_URL"); len(lacking) > 0 {
		return append(notChecked("bot token", "Slack", lacking), d.delivery(ctx)...)
	}
	slackClient := client.New(client.Config{Token: string(d.cfg.SlackBotToken), APIURL: d.cfg.SlackAPIURL, Timeout: d.wait.slack, Log: d.log})
	defer slackClient.Close()
	who, err := slackClient.People.Identity(ctx)
	checks := []Check{identityCheck(who, err)}
	if err != nil {
		checks = append(checks, Check{
			Name: "everything else", State: Yellow, Message: "Its permissions, its channels and OPS_CHANNEL could not be looked at: Slack did not say who the app is.",
		})
	} else {
		checks = append(checks, permissions(who.Scopes), channelsCheck(slackClient.People.UserChannels(ctx, who.BotUser)), d.opsChannel(ctx, slackClient))
	}
	return slices.Concat(checks, d.appToken(ctx), d.delivery(ctx))
}

// appToken checks the token of Socket Mode, if it is set.
func (d *doctor) appToken(ctx context.Context) []Check {
	if d.cfg.SlackAppToken == "" || len(d.lacking("SLACK_APP_TOKEN", "SLACK_API_URL")) > 0 {
		return nil
	}
	return []Check{appTokenCheck(client.OpensSockets(ctx, string(d.cfg.SlackAppToken), d.cfg.SlackAPIURL, d.wait.slack))}
}

func identityCheck(who client.Identity, err error) Check {
	c := Check{Name: "bot token", State: Red}
	switch {
	case err == nil:
		c.State, c.Message = Green, fmt.Sprintf("Slack knows the app: bot user %s of workspace %s (%s).", who.BotUser, who.Team, who.URL)
	case errors.Is(err, client.ErrToken):
		c.Message, c.Fix = "Slack does not know this token ("+codeOf(err)+").", "Copy the bot token again into SLACK_BOT_TOKEN: "+atInstall+". Install the app to the workspace first."
	default:
		c.Message, c.Fix = "Slack does not answer ("+codeOf(err)+"): people are answered when it is back.", "Look at status.slack.com, at this machine's network, and at SLACK_API_URL if it is set."
	}
	return c
}

// codeOf returns Slack's error code, or the error's text without one.
func codeOf(err error) string {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Reason() != "" {
		return e.Reason()
	}
	return err.Error()
}

// permissions compares the granted permissions with the used ones.
func permissions(granted []string) Check {
	c := Check{Name: "permissions", State: Green}
	if len(granted) == 0 {
		c.State, c.Message = Yellow, "Slack does not tell what it granted the app."
		return c
	}
	var missing, without []string
	for _, s := range manifest.Scopes {
		switch needed := s.Name + " (" + s.Why + ")"; {
		case slices.Contains(granted, s.Name), slices.Contains(manifest.Unmissed, s.Name):
		case slices.Contains(manifest.Optional, s.Name):
			without = append(without, needed)
		default:
			missing = append(missing, needed)
		}
	}
	const again = "Give the app the manifest's scopes (\"darkroom manifest\") and install it again: " + atInstall + " → Reinstall."
	switch {
	case len(missing) > 0:
		c.State, c.Fix = Red, again
		c.Message = "The app lacks " + strings.Join(append(missing, without...), "; ") + "."
	case len(without) > 0:
		c.State, c.Fix = Yellow, again
		c.Message = "The app works without " + strings.Join(without, "; ") + ": such a preview stays a link."
	default:
		c.Message = fmt.Sprintf("Slack granted all %d permissions that are used.", len(manifest.Scopes))
		if further := unused(granted); len(further) > 0 {
			c.Message += " It also granted " + cli.List(further) + ", which nothing uses."
		}
	}
	return c
}

// unused returns the granted permissions that the app does not use.
func unused(granted []string) []string {
	used := manifest.Names(manifest.Scopes)
	return slices.DeleteFunc(slices.Clone(granted), func(s string) bool { return slices.Contains(used, s) })
}

func channelsCheck(ids []string, err error) Check {
	c := Check{Name: "channels", State: Yellow}
	switch {
	case err != nil:
		c.Message = "The app's channels could not be read (" + codeOf(err) + ")."
	case len(ids) == 0:
		c.Message, c.Fix = "The app is in no channel yet. It joins public ones by itself when somebody orders there.", "In a channel where orders should be placed, say /invite @Darkroom."
	case len(ids) == 1:
		c.State, c.Message = Green, "The app is in one channel."
	default:
		c.State, c.Message = Green, fmt.Sprintf("The app is in %d channels.", len(ids))
	}
	return c
}

// opsChannel checks the operations channel.
func (d *doctor) opsChannel(ctx context.Context, slackClient *client.Client) Check {
	c := Check{Name: "OPS_CHANNEL", State: Yellow}
	if d.cfg.OpsChannel == "" || len(d.lacking("OPS_CHANNEL")) > 0 {
		c.Message, c.Fix = "No channel hears of outages: only the log does.", "Set OPS_CHANNEL to a channel's id (its name → About, at the bottom) and invite the app there."
		return c
	}
	channel, err := slackClient.People.Channel(ctx, d.cfg.OpsChannel)
	c.State = Red
	switch {
	case errors.Is(err, client.ErrNoChannel):
		c.Message, c.Fix = "There is no such channel, or it is private and the app is not in it.", "Correct the id, or say /invite @Darkroom in that channel."
	case err != nil:
		c.State, c.Message = Yellow, "It could not be looked at ("+codeOf(err)+")."
	case channel.IsArchived:
		c.Message, c.Fix = "The channel #"+channel.Name+" is archived: nobody hears of outages.", "Choose another channel."
	case !channel.IsMember:
		c.Message, c.Fix = "The app is not in #"+channel.Name+": nobody hears of outages.", "Say /invite @Darkroom there."
	default:
		c.State, c.Message = Green, "#"+channel.Name+" hears of outages."
	}
	return c
}

func appTokenCheck(err error) Check {
	c := Check{Name: "app token", State: Red}
	switch {
	case err == nil:
		c.State, c.Message = Green, "Slack lets this app-level token open connections (Socket Mode)."
	case errors.Is(err, client.ErrMissingScope):
		c.Message, c.Fix = "The app-level token may not open connections: it lacks the scope connections:write.", "Make one with that scope and put it into SLACK_APP_TOKEN: "+atTokens+"."
	case errors.Is(err, client.ErrToken):
		c.Message, c.Fix = "Slack does not know this app-level token ("+codeOf(err)+").", "Make one with the scope connections:write and put it into SLACK_APP_TOKEN: "+atTokens+"."
	default:
		c.Message, c.Fix = "Slack does not open connections ("+codeOf(err)+").", "Switch Socket Mode on (api.slack.com/apps → Socket Mode); if it is, try again later."
	}
	return c
}

// delivery checks whether Slack reaches the app, by the notes of "darkroom serve" in Redis.
func (d *doctor) delivery(ctx context.Context) []Check {
	c := Check{Name: "delivery", State: Red}
	http := d.cfg.SlackSigningSecret != ""
	if lacking := d.lacking("SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN", "REDIS_URL"); len(lacking) > 0 {
		return notChecked(c.Name, "Whether Slack reaches the app", lacking)
	}
	ctx, cancel := context.WithTimeout(ctx, d.wait.redis)
	defer cancel()
	last, err := d.store.Inbounds.LastInbound(ctx)
	if err != nil {
		c.State, c.Message = Yellow, "Whether Slack reaches the app could not be looked at: \"darkroom serve\" notes it in Redis, which cannot be asked."
		return []Check{c}
	}
	return []Check{DeliveryOf(last, http, time.Now()).Check}
}

// Delivery is a check of Slack's requests.
type Delivery struct {
	Check
	Missing bool // a kind of request never came, or no longer comes
}

// InboundEvery is how often "darkroom serve" notes that it runs, and how often at most it notes each kind of request.
const InboundEvery = 10 * time.Minute

// NoEventsAfter is how long after the start the log reports missing events: by then the first clicks have caused one.
const NoEventsAfter = 15 * time.Minute

const (
	stoppedAfter = 3 * InboundEvery // since its last note, the app counts as stopped
	eventsQuiet  = 24 * time.Hour   // clicks that come so long after the last event are reported
)

// retry is the remedy for an unverified request URL.
const retry = "press Retry beside the request URL (" + atEvents + "), and Save Changes."

// DeliveryOf judges the last request of each kind; http says that Slack sends by HTTP.
func DeliveryOf(last map[store.Inbound]time.Time, http bool, now time.Time) Delivery {
	c := Check{Name: "delivery", State: Yellow}
	switch started := last[store.InboundStart]; {
	case started.IsZero():
		c.Message, c.Fix = "No \"darkroom serve\" has run on this Redis yet, so Slack had nobody to reach.", "Start it, and run doctor again."
		return Delivery{c, false}
	case now.Sub(started) > stoppedAfter:
		c.State, c.Message, c.Fix = Red, "No \"darkroom serve\" has run since "+when(started)+": what Slack sends reaches nobody.", "Start it."
		return Delivery{c, false}
	case http:
		return deliveredByHTTP(c, last)
	}
	return deliveredBySocket(c, last)
}

// noEvents says what a team misses without events.
const noEvents = "mentions, replies in threads and who leaves a channel go unheard."

// deliveredByHTTP is DeliveryOf with a request URL.
func deliveredByHTTP(c Check, last map[store.Inbound]time.Time) Delivery {
	verified, unverified, event, clicked := last[store.InboundVerified], last[store.InboundUnverified], last[store.InboundEvent], clickedLast(last)
	signed := later(later(verified, event), clicked) // the last request that was signed with this app's secret
	switch {
	case signed.IsZero() && !unverified.IsZero():
		c.State, c.Message = Red, "Slack could not verify the request URL at "+when(unverified)+": what came was signed with another secret."
		c.Fix = "Set SLACK_SIGNING_SECRET to this app's (api.slack.com/apps → Basic Information → App Credentials) and restart. Then " + retry
	case signed.IsZero():
		c.State, c.Message = Red, "Nothing of Slack's ever arrived."
		c.Fix = "Say /order help in Slack. If that fails, the address that Slack posts to does not lead to the app: correct it, " + retry
	case !event.IsZero() && clicked.Sub(event) > eventsQuiet:
		c.Message, c.Fix = eventsStopped(event, clicked)
		c.Fix += " If they agree, " + retry
	case event.IsZero() && verified.IsZero():
		c.Message = "Commands and clicks arrive, but no event ever did: " + noEvents
		c.Fix = "Look whether the request URL is verified: " + retry + " If it is, compare the events there with the manifest's."
	case event.IsZero() && clicked.Sub(verified) > NoEventsAfter:
		c.Message = "The request URL is verified and commands arrive, but no event ever did: " + noEvents
		c.Fix = "Compare the events at " + atEvents + " with the manifest's (\"darkroom manifest\"), and Save Changes."
	case unverified.After(signed): // a stranger may have sent the request, so the check is not red
		c.Message = "A verification of the request URL came at " + when(unverified) + ", signed with another secret than this app's."
		c.Fix = "If the app or its signing secret was changed in Slack, set SLACK_SIGNING_SECRET to the new one and restart. Then " + retry + " If not, somebody else sent it, and nothing is wrong."
		return Delivery{c, false}
	case event.IsZero():
		c.State, c.Message = Green, "Slack verified the request URL at "+when(verified)+"; no event came yet."
		return Delivery{c, false}
	default:
		return reached(c, event)
	}
	return Delivery{c, true}
}

// deliveredBySocket is DeliveryOf with Socket Mode alone.
func deliveredBySocket(c Check, last map[store.Inbound]time.Time) Delivery {
	event, clicked := last[store.InboundEvent], clickedLast(last)
	c.Fix = "Say /order help in Slack, and open the app's Home. If nothing comes, switch on Socket Mode and event subscriptions (api.slack.com/apps), and compare the events with the manifest's."
	switch {
	case event.IsZero() && clicked.IsZero():
		c.State, c.Message = Red, "Nothing of Slack's ever arrived."
	case event.IsZero():
		c.Message = "Commands and clicks arrive, but no event ever did: " + noEvents
	case clicked.Sub(event) > eventsQuiet:
		c.Message, c.Fix = eventsStopped(event, clicked)
	default:
		return reached(c, event)
	}
	return Delivery{c, true}
}

// reached returns the check of a working delivery.
func reached(c Check, event time.Time) Delivery {
	c.State, c.Message, c.Fix = Green, "Slack reaches the app: an event came last at "+when(event)+".", ""
	return Delivery{c, false}
}

// eventsStopped returns the sentences for commands and clicks that come without events for long.
func eventsStopped(event, clicked time.Time) (says, fix string) {
	return "Commands and clicks arrive, the last at " + when(clicked) + ", but no event has come since " + when(event) +
			": either nothing happened that Slack tells of, or " + noEvents,
		"Mention the app in one of its channels, and run doctor again. If nothing has changed, compare the events at " + atEvents + " with the manifest's."
}

// clickedLast returns when the last command or click came.
func clickedLast(last map[store.Inbound]time.Time) time.Time {
	return later(last[store.InboundCommand], last[store.InboundInteraction])
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// when formats a time as in a log.
func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
