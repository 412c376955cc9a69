package wire

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// maxTitle is the longest quotation in a title, in characters.
const maxTitle = 60

// title says what an exchange is about, and what its answer complains of.
func (l *Log) title(e Entry, asked, answered any) (what, problem string) {
	request, _ := asked.(map[string]any)
	answer, _ := answered.(map[string]any)
	switch {
	case e.From == Slack && e.To == Darkroom && e.Method != "GET":
		return delivery(e, request), ""
	case e.To == Slack && strings.HasPrefix(e.Path, "/api/"):
		return apiCall(strings.TrimPrefix(e.Path, "/api/"), request), text(answer, "error")
	case e.To == Slack:
		return slackAddress(e, request), ""
	case e.From == Darkroom && e.To == Service && !strings.Contains(e.Path, "/files/"):
		return serviceCall(e, request), firstOf(answer["errors"])
	}
	return "fetches " + lastName(e.Path), ""
}

// lastName is the file's name in a path.
func lastName(p string) string {
	if plain, err := url.PathUnescape(path.Base(p)); err == nil {
		return plain
	}
	return path.Base(p)
}

// delivery is what Slack tells the app.
func delivery(e Entry, request map[string]any) string {
	payload, _ := request["payload"].(map[string]any)
	switch {
	case e.Method == "SOCKET" && payload != nil && text(payload, "command") != "":
		return command(payload) + " (socket)"
	case text(request, "command") != "":
		return command(request)
	case e.Method == "SOCKET" && payload["event"] != nil:
		return event(payload) + " (socket)"
	case request["event"] != nil:
		return event(request)
	case payload != nil && e.Method == "SOCKET":
		return interaction(payload) + " (socket)"
	case payload != nil:
		return interaction(payload)
	}
	return e.Method + " " + e.Path
}

func command(form map[string]any) string {
	return short(strings.TrimSpace(text(form, "command") + " " + text(form, "text")))
}

func event(envelope map[string]any) string {
	inner, _ := envelope["event"].(map[string]any)
	kind := text(inner, "type")
	if subtype := text(inner, "subtype"); subtype != "" {
		kind += " (" + subtype + ")"
	}
	if said := text(inner, "text"); said != "" {
		return "event " + kind + " “" + short(said) + "”"
	}
	return "event " + kind
}

// interaction is a click, a submit or the like.
func interaction(payload map[string]any) string {
	view, _ := payload["view"].(map[string]any)
	title := textOf(view["title"])
	switch kind := text(payload, "type"); kind {
	case "view_submission":
		return "submit “" + title + "”"
	case "view_closed":
		return "close “" + title + "”"
	case "block_actions":
		return "action " + action(payload)
	case "block_suggestion":
		return "options for “" + short(text(payload, "value")) + "”"
	default:
		return strings.TrimSpace(kind + " " + text(payload, "callback_id"))
	}
}

// action is the button or the field of a block_actions payload.
func action(payload map[string]any) string {
	all, _ := payload["actions"].([]any)
	if len(all) == 0 {
		return ""
	}
	one, _ := all[0].(map[string]any)
	if label := textOf(one["text"]); label != "" {
		return "“" + label + "”"
	}
	if chosen, ok := one["selected_option"].(map[string]any); ok {
		return "chosen “" + short(textOf(chosen["text"])) + "”"
	}
	return text(one, "action_id")
}

// apiCall is a method of Slack's Web API and what it is about.
func apiCall(method string, args map[string]any) string {
	view, _ := args["view"].(map[string]any)
	switch {
	case textOf(view["title"]) != "":
		return method + " “" + short(textOf(view["title"])) + "”"
	case strings.HasPrefix(method, "chat.") && text(args, "text") != "":
		return method + " “" + short(text(args, "text")) + "”"
	case text(args, "name") != "":
		return method + " :" + text(args, "name") + ":"
	}
	return method
}

// slackAddress is what is asked of Slack outside its Web API.
func slackAddress(e Entry, request map[string]any) string {
	switch {
	case strings.HasPrefix(e.Path, "/response/"):
		return "answer “" + short(text(request, "text")) + "”"
	case strings.HasPrefix(e.Path, "/upload/"):
		return "uploads a picture"
	}
	return "fetches " + lastName(e.Path)
}

// serviceCall is a call of the order service.
func serviceCall(e Entry, request map[string]any) string {
	call := e.Method + " " + e.Path
	if at := strings.Index(e.Path, "/orders"); at >= 0 {
		call = e.Method + " " + e.Path[at:]
	} else if at := strings.Index(e.Path, "/account"); at >= 0 {
		call = e.Method + " " + e.Path[at:]
	}
	images, _ := request["images"].([]any)
	switch {
	case len(images) == 1:
		return call + " 1 picture"
	case len(images) > 1:
		return fmt.Sprintf("%s %d pictures", call, len(images))
	case text(request, "content_text") != "":
		return call + " “" + short(text(request, "content_text")) + "”"
	case text(request, "filter_status") != "":
		return call + " " + text(request, "filter_status")
	}
	return call
}

func text(object map[string]any, name string) string {
	s, _ := object[name].(string)
	return s
}

// textOf is the text of a text object.
func textOf(v any) string {
	object, _ := v.(map[string]any)
	return text(object, "text")
}

func firstOf(v any) string {
	all, _ := v.([]any)
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("“%s”", short(fmt.Sprint(all[0])))
}

// short is the beginning of a text on one line.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	return string([]rune(s)[:maxTitle]) + "…"
}
