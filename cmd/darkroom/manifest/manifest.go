// Package manifest writes the manifest of the Slack app: its commands, events and permissions, and why it asks for each.
package manifest

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/bot"
	"darkroom/bot/install"
	"darkroom/cards"
	"darkroom/commands"
)

// Command returns the command that prints the Slack app manifest.
func Command(out io.Writer) *cobra.Command {
	var address string
	var f Form
	c := &cobra.Command{
		Use: "manifest", Short: "Print the Slack app manifest to paste into api.slack.com/apps", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return printManifest(out, address, f) },
	}
	c.Flags().StringVar(&address, "url", "https://darkroom.example.com", "the https:// `address` at which Slack reaches the app; what PUBLIC_URL will hold")
	c.Flags().BoolVar(&f.Socket, "socket", false, "for Socket Mode: the app dials out to Slack with SLACK_APP_TOKEN and needs no address")
	c.Flags().BoolVar(&f.Many, "many", false, "for many workspaces, each of which adds the app with a button (SLACK_CLIENT_ID): docs/many-workspaces.md")
	c.MarkFlagsMutuallyExclusive("socket", "many") // an app for many workspaces needs an address: Slack redirects people to it
	return c
}

// Form selects one of the app's manifests; the zero value: for one workspace, by HTTP.
type Form struct{ Socket, Many bool }

// printManifest writes the manifest if the address is valid.
func printManifest(out io.Writer, address string, f Form) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--url %q is not an address: give the https:// address at which Slack reaches the app", address)
	}
	return Write(out, strings.TrimSuffix(address, "/"), f)
}

// scope is one permission of the app and the reason for it.
type scope struct{ Name, Why string }

// Optional are the scopes that the installer may refuse: everything works without them. Slack asks
// about each; the manifest has them in both lists. See
// https://docs.slack.dev/changelog/2026/03/16/optional-scopes
var Optional = []string{"files:write", "im:history", "metadata.message:read", "usergroups:read"}

// Unmissed are the optional scopes whose absence is not reported: they only save time where Slack lets the app
// read messages once a minute.
var Unmissed = []string{"metadata.message:read"}

// Names returns the names of permissions or events, as Slack spells them.
func Names(all []scope) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = s.Name
	}
	return list
}

// Scopes are exactly the scopes in use. Each reason names the calls of Slack that need it.
var Scopes = []scope{
	{"app_mentions:read", "hears its name in an order's thread: that message goes to the editor (event app_mention)"},
	{"channels:history", "reads the app's own messages back before posting again (conversations.history, .replies), and replies where a channel relays them (message.channels)"},
	{"channels:join", "joins the public channel an order is posted to (conversations.join)"},
	{"channels:read", "knows a channel and its members (conversations.info, .members, users.conversations)"},
	{"chat:write", "posts and edits the card and its replies (chat.postMessage, chat.update)"},
	{"commands", "/order and the shortcuts"},
	{"files:read", "hands photos uploaded in Slack to the photo service (files.info, and the file itself)"},
	{"files:write", "uploads contact sheets, a preview that Slack cannot fetch by itself, a report's chart, and its file to who asked (files.getUploadURLExternal)"},
	{"groups:history", "as channels:history, in private channels the app was invited to"},
	{"groups:read", "as channels:read, in private channels the app was invited to"},
	{"im:history", "reads the app's own messages to a person back before telling them news of an order, or of a batch, again, when it is not known whether it arrived (conversations.history, .replies)"},
	{"im:write", "tells a person alone what concerns only them (conversations.open)"},
	{"metadata.message:read", "hears that a message of its own is out, when Slack did not answer, without reading the channel: an app that many workspaces install reads once a minute (event message_metadata_posted)"},
	{"reactions:write", "marks a message that reached the editor, or did not (reactions.add)"},
	{"usergroups:read", "lets a channel's settings name user groups that approve or order, and asks who is in one when they do (usergroups.list, usergroups.users.list)"},
	{"users:read", "knows guests, other organisations and admins from members, and people's names (users.info)"},
}

// Events are what the app subscribes to, and why.
var Events = []scope{
	{"app_home_opened", "draws a person's Home when they open it"},
	{"app_mention", "somebody writes to the editor from an order's thread"},
	{"member_joined_channel", "the app was let into a channel: what could not be said there is said"},
	{"member_left_channel", "somebody left a channel: its orders are theirs no more to see, at once"},
	{"message.channels", "replies in an order's thread: relayed where the channel wants it; edited or deleted after they were; references of orders, answered where the channel wants it"},
	{"message.groups", "the same in private channels the app was invited to"},
	{"message_metadata_deleted", "one of the app's own messages is there no more"},
	{"message_metadata_posted", "one of the app's own messages is out, whatever Slack answered"},
}

// EventsOfMany are the further events of an app for many workspaces: they report installations and removals.
var EventsOfMany = []scope{
	{"app_uninstalled", "somebody removed the app: its tokens are erased at once"},
	{"team_access_granted", "an organisation lets one more of its workspaces use the app"},
	{"team_access_revoked", "and takes it away from one"},
	{"tokens_revoked", "the same as app_uninstalled, when it is the app's own token"},
}

// SlashDescription describes the command in Slack. ReadOnlyMessages closes the app's direct messages to replies.
const (
	SlashDescription = "Order, review and approve photo editing"
	ReadOnlyMessages = true // a reply there would reach nobody
)

// shortcut is one entry of Slack's menus.
type shortcut struct{ Name, Type, Callback, Description string }

var shortcuts = []shortcut{
	{"New photo order", "global", commands.ShortcutNew, "Order photo editing from anywhere"},
	{"Order these photos", "message", commands.ShortcutPhotos, "Open the order form with this message's photos and words"},
	{"Send to editor", "message", commands.ShortcutSend, "Send this message to an order's editor"},
	{"Add as reference", "message", commands.ShortcutReference, "Show this message's photos to an order's editor"},
}

// manifestText is the template of the manifest; names in brackets are placeholders.
const manifestText = `# Darkroom's Slack app manifest: paste it at api.slack.com/apps → Create New App → From a manifest.
# Written by "[written]"; edit it there, not here.
#
[delivery]
_metadata:
  major_version: 2
  minor_version: 1
display_information:
  name: Darkroom
  description: Order, review and approve human photo editing
  background_color: "#2b2b33"
  long_description: >-
    Darkroom brings the whole order of human photo editing into Slack. Type /order new in a channel,
    upload the pictures or give their addresses, and write a few lines of instructions. The channel follows
    its order from there: when it was placed, when it is ready for review with thumbnails of every edited
    image, what changes were requested, what the editor wrote, and who approved it.
features:
  bot_user:
    display_name: Darkroom
    always_online: true
  app_home:
    home_tab_enabled: true
    messages_tab_enabled: true
    messages_tab_read_only_enabled: [read only]
  shortcuts:
[shortcuts]
  slash_commands:
    - command: [slash][commands url]
      description: [does]
      usage_hint: "[hints]"
      should_escape: false
oauth_config:[redirects]
  scopes:
    bot:
[scopes]
    bot_optional:
[optional]
settings:
  event_subscriptions:[events url]
    bot_events:
[events]
    metadata_subscriptions: # of the app's own messages; Slack gives it an id only when it is made
[metadata]
  interactivity:
    is_enabled: true[interactions url]
  org_deploy_enabled: [organisations]
  socket_mode_enabled: [socket]
  token_rotation_enabled: [rotation]
`

const (
	bySocket = `# Delivery is by Socket Mode: the app dials out to Slack with an app-level token
# (SLACK_APP_TOKEN, scope connections:write) and needs no address of its own. Photos
# uploaded in Slack still need PUBLIC_URL: the photo service fetches them from there.`

	byHTTP = `# Delivery is by HTTP: Slack posts to the addresses below, signed, and needs to reach
# them from outside. Socket Mode is the other way: the app dials out to Slack and needs
# no address of its own; "darkroom manifest --socket" prints the manifest for that.`

	byMany = `# It is for many workspaces: each adds the app with a button at /slack/install, and Slack
# leads back to the redirect URL below, letter by letter. Then switch on Manage Distribution →
# Activate Public Distribution. Delivery is by HTTP: Slack posts to the addresses below,
# signed, and needs to reach them from outside.`

	organisations = "true # organisations on Enterprise Grid may add it once for all their workspaces; false if they may not"
	rotation      = "true # a token ends after twelve hours, and the app renews it. Slack does not let you switch it off again"
)

// Write writes the manifest for a base URL. With Socket Mode it has no addresses.
func Write(out io.Writer, base string, f Form) error {
	written, delivery := "darkroom manifest --url "+base, byHTTP
	redirects, orgs, rotates, events := "", "false", "false", Events
	switch {
	case f.Socket:
		written, delivery = "darkroom manifest --socket", bySocket
	case f.Many:
		written, delivery = "darkroom manifest --many --url "+base, byMany
		redirects, orgs, rotates = "\n  redirect_urls:\n    - "+base+install.PathOAuth, organisations, rotation
		events = slices.SortedFunc(slices.Values(slices.Concat(Events, EventsOfMany)), func(a, b scope) int { return strings.Compare(a.Name, b.Name) })
	}
	address := func(field, path string) string {
		if f.Socket {
			return ""
		}
		return "\n" + field + ": " + base + path
	}
	_, err := strings.NewReplacer(
		"[written]", written, "[delivery]", delivery, "[socket]", strconv.FormatBool(f.Socket), "[read only]", strconv.FormatBool(ReadOnlyMessages),
		"[redirects]", redirects, "[organisations]", orgs, "[rotation]", rotates,
		"[slash]", commands.Slash, "[does]", SlashDescription, "[hints]", commands.Hints(),
		"[commands url]", address("      url", bot.PathCommands),
		"[events url]", address("    request_url", bot.PathEvents),
		"[interactions url]", address("    request_url", bot.PathInteractions)+address("    message_menu_options_url", bot.PathInteractions),
		"[shortcuts]", each(shortcuts, func(s shortcut) string {
			return fmt.Sprintf("    - name: %s\n      type: %s\n      callback_id: %s\n      description: %s", s.Name, s.Type, s.Callback, s.Description)
		}),
		"[scopes]", each(Scopes, scope.item), "[optional]", each(Optional, func(name string) string { return "      - " + name }), "[events]", each(events, scope.item),
		"[metadata]", each(cards.MetadataTypes(), func(name string) string { return "      - app_id: \"*\"\n        event_type: " + name }),
	).WriteString(out, manifestText)
	return err
}

// item returns a permission or an event as an item of the manifest.
func (s scope) item() string { return fmt.Sprintf("      - %s # %s", s.Name, s.Why) }

// each returns a list of the manifest, one item a line.
func each[T any](all []T, item func(T) string) string {
	items := make([]string, len(all))
	for i, one := range all {
		items[i] = item(one)
	}
	return strings.Join(items, "\n")
}
