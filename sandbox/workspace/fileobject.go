package workspace

import (
	"maps"
	"path"
	"strconv"
	"strings"
)

// seenFile is a file as a message shows it to the app. Of those of another
// organisation it says only that files.info knows more.
// Slack: docs.slack.dev/apis/slack-connect.
func (w *Workspace) seenFile(f *File) object {
	if u := w.user(f.Owner); u != nil && w.foreign(u) {
		return object{"id": f.ID, "created": 1, "timestamp": 1, "mode": "file_access", "file_access": "check_file_info", "user": f.Owner}
	}
	return w.wireFile(f)
}

// wireFile is a file object with the fields that Slack sends of one.
// Slack: docs.slack.dev/reference/objects/file-object.
func (w *Workspace) wireFile(f *File) object {
	address, at := w.fileURL(f), f.created.Unix()
	out := object{
		"id": f.ID, "created": at, "timestamp": at, "name": f.Name, "title": f.Title, "mimetype": f.Type,
		"filetype": strings.TrimPrefix(path.Ext(f.Name), "."), "pretty_type": strings.ToUpper(strings.TrimPrefix(path.Ext(f.Name), ".")),
		"user": f.Owner, "user_team": w.o.TeamID, "editable": false, "size": len(f.Content), "mode": "hosted",
		"is_external": false, "external_type": "", "is_public": len(f.Channels) > 0, "public_url_shared": false,
		"display_as_bot": false, "username": "", "url_private": address, "url_private_download": address,
		"media_display_type": "unknown", "permalink": address, "permalink_public": address,
		"comments_count": 0, "is_starred": false, "num_stars": 0, "has_rich_preview": false, "file_access": "visible",
		"has_more_shares": false,
	}
	maps.Copy(out, w.whereShared(f))
	if strings.HasPrefix(f.Type, "image/") {
		maps.Copy(out, pictured(address))
	}
	if w.oddFiles {
		maps.Copy(out, odd(out))
	}
	return out
}

// whereShared are the places of a file.
func (w *Workspace) whereShared(f *File) object {
	channels, groups, ims := []any{}, []any{}, []any{}
	public, private := object{}, object{}
	for _, id := range f.Channels {
		c := w.channel(id)
		if c == nil {
			continue
		}
		share := []any{object{
			"reply_users": []any{}, "reply_users_count": 0, "reply_count": 0, "ts": strconv.FormatInt(f.created.Unix(), 10) + ".000100",
			"channel_name": c.Name, "team_id": w.o.TeamID, "share_user_id": f.Owner, "source": "UNKNOWN", "is_silent_share": false,
		}}
		switch c.kind() {
		case "im":
			ims = append(ims, id)
		case "private":
			groups, private[id] = append(groups, id), share
		default:
			channels, public[id] = append(channels, id), share
		}
	}
	shares := object{}
	setIf(shares, "public", public, len(public) > 0)
	setIf(shares, "private", private, len(private) > 0)
	return object{"channels": channels, "groups": groups, "ims": ims, "shares": shares}
}

// pictured are the previews of a picture.
func pictured(address string) object {
	out := object{"image_exif_rotation": 1, "original_w": 1600, "original_h": 1200, "thumb_tiny": "AwAkADDR/9k="}
	for _, size := range []int{64, 80, 160, 360, 480, 720, 800, 960, 1024} {
		name := "thumb_" + strconv.Itoa(size)
		out[name] = address
		if size >= 360 {
			out[name+"_w"], out[name+"_h"] = size, size*3/4
		}
	}
	return out
}

// odd are the fields of a file as Slack has been seen to send them: PHP's empty map is [],
// and numbers are text in places (slack-go#316, #943).
func odd(file object) object {
	size, _ := file["size"].(int)
	at, _ := file["timestamp"].(int64)
	return object{
		"size": strconv.Itoa(size), "timestamp": strconv.FormatInt(at, 10) + ".5", "created": strconv.FormatInt(at, 10) + ".5",
		"shares": []any{}, "initial_comment": "", "channels": object{}, "is_starred": 0, "original_w": "1600", "comments_count": nil,
		"user_team": false, "editable": "", "transcription": []any{},
	}
}

// SetOddFiles makes the file objects of from now on as odd as Slack's can be.
func (w *Workspace) SetOddFiles(yes bool) {
	defer w.change()()
	w.oddFiles = yes
}
