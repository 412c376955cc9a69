package main

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/template"

	"darkroom/bot"
	"darkroom/commands"
)

type manifestCmd struct {
	URL    string `help:"The https:// address at which Slack reaches the app; what PUBLIC_URL will hold." default:"https://darkroom.example.com" placeholder:"URL"`
	Socket bool   `help:"For Socket Mode: the app dials out to Slack with SLACK_APP_TOKEN and needs no address."`
}

// Run prints the manifest.
func (m manifestCmd) Run(w *world) error {
	u, err := url.Parse(m.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--url %q is not an address: give the https:// address at which Slack reaches the app", m.URL)
	}
	return writeManifest(w.stdout, strings.TrimSuffix(m.URL, "/"), m.Socket)
}

// scope is one permission of the app and the reason for it.
type scope struct{ Name, Why string }

// names are the permissions or events alone, as Slack spells them.
func names(all []scope) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = s.Name
	}
	return list
}

// scopes are exactly those in use; each call of Slack behind them is named.
var scopes = []scope{
	{"app_mentions:read", "hears its name in an order's thread: that message goes to the editor (event app_mention)"},
	{"channels:history", "reads the app's own messages back before posting again (conversations.history, .replies), and replies where a channel relays them (message.channels)"},
	{"channels:join", "joins the public channel an order is posted to (conversations.join)"},
	{"channels:read", "knows a channel and its members (conversations.info, .members, users.conversations)"},
	{"chat:write", "posts and edits the card and its replies (chat.postMessage, chat.update)"},
	{"commands", "/order and the shortcuts"},
	{"files:read", "hands photos uploaded in Slack to the photo service (files.info, and the file itself)"},
	{"files:write", "uploads a preview that Slack cannot fetch by itself (files.getUploadURLExternal)"},
	{"groups:history", "as channels:history, in private channels the app was invited to"},
	{"groups:read", "as channels:read, in private channels the app was invited to"},
	{"im:write", "tells a person alone what concerns only them (conversations.open)"},
	{"reactions:write", "marks a message that reached the editor, or did not (reactions.add)"},
	{"users:read", "knows guests, other organisations and admins from members, and people's names (users.info)"},
}

// events are what the app subscribes to, and why.
var events = []scope{
	{"app_home_opened", "draws a person's Home when they open it"},
	{"app_mention", "somebody writes to the editor from an order's thread"},
	{"member_joined_channel", "the app was let into a channel: what could not be said there is said"},
	{"member_left_channel", "somebody left a channel: its orders are theirs no more to see, at once"},
	{"message.channels", "replies in an order's thread: relayed where the channel wants it; edited or deleted after they were"},
	{"message.groups", "the same in private channels the app was invited to"},
}

const (
	slashDescription = "Order, review and approve photo editing"
	readOnlyMessages = true // nobody can write in the app's direct messages: an answer there would reach nobody
)

// shortcut is one entry of Slack's menus.
type shortcut struct{ Name, Type, Callback, Description string }

var shortcuts = []shortcut{
	{"New photo order", "global", commands.ShortcutNew, "Order photo editing from anywhere"},
	{"Order these photos", "message", commands.ShortcutPhotos, "Open the order form with this message's photos and words"},
	{"Send to editor", "message", commands.ShortcutSend, "Send this message to an order's editor"},
	{"Add as reference", "message", commands.ShortcutReference, "Show this message's photos to an order's editor"},
}

var manifestTemplate = template.Must(template.New("manifest").Parse(`# Darkroom's Slack app manifest: paste it at api.slack.com/apps → Create New App → From a manifest.
# Written by "{{.Written}}"; edit it there, not here.
#
{{- if .Socket}}
# Delivery is by Socket Mode: the app dials out to Slack with an app-level token
# (SLACK_APP_TOKEN, scope connections:write) and needs no address of its own. Photos
# uploaded in Slack still need PUBLIC_URL: the photo service fetches them from there.
{{- else}}
# Delivery is by HTTP: Slack posts to the addresses below, signed, and needs to reach
# them from outside. Socket Mode is the other way: the app dials out to Slack and needs
# no address of its own; "darkroom manifest --socket" prints the manifest for that.
{{- end}}
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
    messages_tab_read_only_enabled: {{.ReadOnly}}
  shortcuts:
{{- range .Shortcuts}}
    - name: {{.Name}}
      type: {{.Type}}
      callback_id: {{.Callback}}
      description: {{.Description}}
{{- end}}
  slash_commands:
    - command: {{.Slash}}
{{- if not .Socket}}
      url: {{.URL}}{{.Commands}}
{{- end}}
      description: {{.Does}}
      usage_hint: "{{.Hints}}"
      should_escape: false
oauth_config:
  scopes:
    bot:
{{- range .Scopes}}
      - {{.Name}} # {{.Why}}
{{- end}}
settings:
  event_subscriptions:
{{- if not .Socket}}
    request_url: {{.URL}}{{.EventsPath}}
{{- end}}
    bot_events:
{{- range .Events}}
      - {{.Name}} # {{.Why}}
{{- end}}
  interactivity:
    is_enabled: true
{{- if not .Socket}}
    request_url: {{.URL}}{{.Interactions}}
    message_menu_options_url: {{.URL}}{{.Interactions}}
{{- end}}
  org_deploy_enabled: false
  socket_mode_enabled: {{.Socket}}
  token_rotation_enabled: false
`))

func writeManifest(out io.Writer, base string, socket bool) error {
	written := "darkroom manifest --url " + base
	if socket {
		written = "darkroom manifest --socket"
	}
	return manifestTemplate.Execute(out, map[string]any{
		"Written": written, "URL": base, "Socket": socket, "Slash": commands.Slash, "Does": slashDescription, "ReadOnly": readOnlyMessages, "Hints": commands.Hints(),
		"Shortcuts": shortcuts, "Events": events, "EventsPath": bot.PathEvents,
		"Commands": bot.PathCommands, "Interactions": bot.PathInteractions, "Scopes": scopes,
	})
}
