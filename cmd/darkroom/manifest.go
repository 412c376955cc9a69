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
	URL string `help:"The https:// address at which Slack reaches the app; what PUBLIC_URL will hold." default:"https://darkroom.example.com" placeholder:"URL"`
}

// Run prints the manifest.
func (m manifestCmd) Run(w *world) error {
	u, err := url.Parse(m.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--url %q is not an address: give the https:// address at which Slack reaches the app", m.URL)
	}
	return writeManifest(w.stdout, strings.TrimSuffix(m.URL, "/"))
}

// scope is one permission of the app and the reason for it.
type scope struct{ Name, Why string }

// scopes are exactly those in use; each call of Slack behind them is named.
var scopes = []scope{
	{"channels:history", "reads the app's own messages back before posting again (conversations.history, .replies)"},
	{"channels:join", "joins the public channel an order is posted to (conversations.join)"},
	{"channels:read", "knows a channel and its members (conversations.info, .members)"},
	{"chat:write", "posts and edits the card and its replies (chat.postMessage, chat.update)"},
	{"commands", "/order and the shortcuts"},
	{"groups:history", "as channels:history, in private channels the app was invited to"},
	{"groups:read", "as channels:read, in private channels the app was invited to"},
	{"im:write", "tells a person alone what concerns only them (conversations.open)"},
	{"users:read", "knows guests and other organisations from members (users.info)"},
}

var manifestTemplate = template.Must(template.New("manifest").Parse(`# Darkroom's Slack app manifest: paste it at api.slack.com/apps → Create New App → From a manifest.
# Written by "darkroom manifest --url {{.URL}}"; edit it there, not here.
#
# Delivery is by HTTP: Slack posts to the three addresses below, signed, and needs to
# reach them from outside. Socket Mode is the other way: the app dials out to Slack and
# needs no address of its own. This version of Darkroom listens by HTTP only, so
# socket_mode_enabled stays false: while it is true, Slack sends nothing over HTTP.
_metadata:
  major_version: 2
  minor_version: 1
display_information:
  name: Darkroom
  description: Order, review and approve human photo editing
  background_color: "#2b2b33"
  long_description: >-
    Darkroom brings the whole order of human photo editing into Slack. Type /order new in a channel,
    give the addresses of the pictures and a few lines of instructions, and the channel follows its
    order from there: when it was placed, when it is ready for review with thumbnails of every edited
    image, and who approved it.
features:
  bot_user:
    display_name: Darkroom
    always_online: true
  app_home:
    home_tab_enabled: false
    messages_tab_enabled: true
    messages_tab_read_only_enabled: true
  shortcuts:
    - name: New photo order
      type: global
      callback_id: {{.Shortcut}}
      description: Order photo editing from anywhere
  slash_commands:
    - command: {{.Slash}}
      url: {{.URL}}{{.Commands}}
      description: Order, review and approve photo editing
      usage_hint: "{{.Hints}}"
      should_escape: false
oauth_config:
  scopes:
    bot:
{{- range .Scopes}}
      - {{.Name}} # {{.Why}}
{{- end}}
settings:
  interactivity:
    is_enabled: true
    request_url: {{.URL}}{{.Interactions}}
  org_deploy_enabled: false
  socket_mode_enabled: false
  token_rotation_enabled: false
`))

func writeManifest(out io.Writer, base string) error {
	return manifestTemplate.Execute(out, map[string]any{
		"URL": base, "Slash": commands.Slash, "Hints": commands.Hints(), "Shortcut": commands.ShortcutNew,
		"Commands": bot.PathCommands, "Interactions": bot.PathInteractions, "Scopes": scopes,
	})
}
