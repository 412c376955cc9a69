package account

import (
	"cmp"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/store/tenants"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	ActionDisconnect   = "account:disconnect"
	CallbackDisconnect = "disconnect" // disconnects the account
	TitleDisconnect    = "Disconnect photo service"
	titleDisconnected  = "Disconnected"
	TitleData          = "Workspace data"
)

// Fields of the window that disconnects an account.
const (
	fieldData    = "workspacedata"
	fieldForget  = "forgetword"
	fieldLeaving = "leaving"
)

// ForgetWord must be typed to delete a workspace's data.
const ForgetWord = "DELETE"

// DataChoice says what happens to a workspace's data.
type DataChoice string

// The choices.
const (
	DataKeep   DataChoice = "keep"
	DataExport DataChoice = "export" // kept, and sent to the person who asked
	DataForget DataChoice = "forget"
)

// Disconnecting is a submitted window that disconnects an account.
type Disconnecting struct {
	Data    DataChoice
	Leaving tenants.Leaving
	Shown   tenants.Leaving // the form's initial choice
	// Connected is when the shown account was connected, zero without an account.
	Connected time.Time
}

// Conflicts reports whether this person and somebody else both changed the choice, to different values.
func (d Disconnecting) Conflicts(now tenants.Leaving) bool {
	return d.Leaving != d.Shown && now != d.Shown && now != d.Leaving
}

// LeavingNow returns the choice to save. An unchanged choice keeps the current value.
func (d Disconnecting) LeavingNow(now tenants.Leaving) tenants.Leaving {
	if d.Leaving == d.Shown {
		return now
	}
	return d.Leaving
}

// LeavingConflict returns a form error that says what somebody else chose.
func LeavingConflict(view slack.View, now tenants.Leaving) map[string]string {
	return kit.Beside(view, fieldLeaving, "Nothing was done. Somebody else has changed this since you opened it. "+leavingSays(now)+" Close this window and open it again to change it.")
}

// leavingKept30 is the option value of [tenants.LeavingForgets30], whose own value is empty.
const leavingKept30 = "30"

// DisconnectWindow asks what happens to the workspace's data, and disconnects the account if there is one.
func DisconnectWindow(v View, now tenants.Leaving, externalID string) slack.ModalViewRequest {
	title, submit, meta := TitleDisconnect, "Disconnect", kit.Meta{}
	p := kit.NewWindow("")
	if v.Account != nil {
		meta.Opened = v.Account.At
		p.Say("I delete the key and secret of *" + hostOf(*v.Account) + "*. Nobody in this workspace can order until it is connected again. Open orders go on at the photo service.")
	} else if v.Unreadable {
		p.Say("I can no longer read this workspace's account, and delete it. Nobody in this workspace can order until it is connected again. Open orders go on at the photo service.")
	} else {
		title, submit = TitleData, "Keep or Delete"
		p.Say("This workspace is not connected. Its earlier orders are saved.")
	}
	p.Radio(fieldData, "This workspace's orders, settings and presets", "", string(DataKeep),
		kit.Option(string(DataKeep), "Keep them", "They go on when the account is connected again."),
		kit.Option(string(DataExport), "Keep them, and send me a copy", "A file of JSON lines, by direct message."),
		kit.Option(string(DataForget), "Delete them", "Only in Darkroom. You cannot undo this."))
	p.Put(kit.Field(kit.BlockID(fieldForget, 0, 0), "To delete them, type "+ForgetWord, "Messages in Slack stay. So do the orders at the photo service.", kit.Input(fieldForget, "", len(ForgetWord)+10)).WithOptional(true))
	p.Radio(fieldLeaving, "When the app is removed from this workspace", "", cmp.Or(string(now), leavingKept30),
		kit.Option(leavingKept30, "Keep everything for 30 days, then delete it", ""),
		kit.Option(string(tenants.LeavingKeeps), "Keep everything", ""),
		kit.Option(string(tenants.LeavingForgets), "Delete everything at once", ""))
	meta.Shown = p.Opening().Values()
	return p.Form(title, submit, CallbackDisconnect, externalID, meta)
}

// DecodeDisconnect reads the window. The problems are by block id.
func DecodeDisconnect(view slack.View) (Disconnecting, map[string]string) {
	d := Disconnecting{Data: DataChoice(kit.AnswerOf(view, fieldData).SelectedOption.Value)}
	word := strings.TrimSpace(kit.TextOf(view, fieldForget))
	d.Leaving = leavingIn(kit.AnswerOf(view, fieldLeaving).SelectedOption.Value)
	meta := kit.DecodeMeta(view.PrivateMetadata)
	d.Shown, d.Connected = leavingIn(meta.Shown[fieldLeaving]), meta.Opened
	switch d.Data {
	case DataForget:
		if word != ForgetWord {
			return d, kit.Beside(view, fieldForget, "To delete this workspace's data, type "+ForgetWord+" in capitals. You cannot undo this.")
		}
	case DataKeep, DataExport:
		if word != "" {
			return d, kit.Beside(view, fieldForget, "Choose “Delete them”, or leave this empty.")
		}
	default:
		return d, kit.Beside(view, fieldForget, "Choose what happens to the orders.")
	}
	return d, nil
}

func leavingIn(value string) tenants.Leaving {
	switch l := tenants.Leaving(value); l {
	case tenants.LeavingKeeps, tenants.LeavingForgets:
		return l
	}
	return tenants.LeavingForgets30
}

// DisconnectingNow shows that the request is in progress.
func DisconnectingNow(externalID string) slack.ModalViewRequest {
	return kit.NewPage(":hourglass_flowing_sand: One moment…").Modal(TitleData, externalID, kit.Meta{})
}

// Disconnected confirms the request. host is the disconnected account's, "" without one.
func Disconnected(host string, d Disconnecting, externalID string) slack.ModalViewRequest {
	p, title := &kit.Page{Wide: true}, TitleData
	if host != "" {
		title = titleDisconnected
		p.Say(":white_check_mark: This workspace is no longer connected to *" + kit.Inline(host, 100) + "*. Its key and secret are deleted.")
	}
	p.Say(map[DataChoice]string{
		DataKeep:   "Orders, settings and presets are saved. They go on when the same account is connected again, on the Home tab.",
		DataExport: "Orders, settings and presets are saved. A copy is on its way by direct message.",
		DataForget: "Orders, settings and presets are being deleted. That takes a few minutes. I tell you when it is done.",
	}[d.Data])
	return p.Note(leavingSays(d.Leaving)).Modal(title, externalID, kit.Meta{})
}

// ConnectedSince says that nothing was done because the workspace was connected again meanwhile.
func ConnectedSince(externalID string) slack.ModalViewRequest {
	return kit.Notice(titleConnected, "This workspace was connected again after you asked to disconnect it. That account stays connected. Nothing more was changed or deleted. To disconnect it, press *Disconnect* on the Home tab again.", externalID)
}

func leavingSays(l tenants.Leaving) string {
	switch l {
	case tenants.LeavingKeeps:
		return "When the app is removed from this workspace, everything is kept."
	case tenants.LeavingForgets:
		return "When the app is removed from this workspace, everything is deleted at once."
	}
	return "When the app is removed from this workspace, everything is kept for 30 days and then deleted."
}

// WorkspaceForgotten confirms that a workspace's data was deleted. keys counts the Redis keys.
func WorkspaceForgotten(keys int) kit.Message {
	return kit.Say("This workspace's orders, settings and presets are deleted (" + kit.Count(keys, "entry", "entries") + "). Messages in Slack stay. So do the orders at the photo service.")
}

// The file with a workspace's data.
const (
	ExportFileName    = "darkroom-export.jsonl"
	ExportFileComment = "This is your copy of the workspace's orders, events, settings and presets, as JSON lines. It has no keys, no secrets and no links to photos."
)

// Reasons that the file was not sent.
const (
	ExportNoRights = "I cannot send the copy of this workspace's data: I lack the permission to upload files (`files:write`). Nothing was lost. Once I have it, press *Export or Delete Data* on the Home tab and choose the copy again."
	ExportTooLarge = "The copy of this workspace's data is larger than Slack allows (1 GB), so I did not send it. Nothing was lost. Everything is still saved."
	ExportUnsure   = "Slack did not say if the copy of this workspace's data has arrived. If you do not find it in our direct messages, press *Export or Delete Data* on the Home tab and choose the copy again."
	ExportUnsent   = "The copy of this workspace's data could not be sent. Nothing was lost. Press *Export or Delete Data* on the Home tab and choose the copy again."
)

// maxExport is Slack's limit for a file, in bytes: 1 GB.
const maxExport = 1 << 30

// FitsExport reports whether Slack takes a file of size bytes.
func FitsExport(size int64) bool { return size <= maxExport }

// ForgettingNow says why a workspace cannot be connected yet.
const ForgettingNow = "This workspace's earlier data is being deleted, and new orders might go with it. Try again in a few minutes."
