package workspace

import (
	"bytes"
	"net/http"
	"time"
)

func fileMethods() map[string]method {
	write, read := []string{"files:write"}, []string{"files:read"}
	return map[string]method{
		"files.getUploadURLExternal":   {scopes: write, run: (*Workspace).uploadURL},
		"files.completeUploadExternal": {scopes: write, run: (*Workspace).completeUpload},
		"files.info":                   {scopes: read, run: (*Workspace).fileInfo},
	}
}

func serveContent(rw http.ResponseWriter, r *http.Request, f *File) {
	http.ServeContent(rw, r, f.Name, time.Time{}, bytes.NewReader(f.Content))
}

func (w *Workspace) uploadURL(c *call) (object, error) {
	size, ok := number(c.args["length"])
	if !ok || size <= 0 || c.str("filename") == "" {
		return nil, fails("invalid_arguments")
	}
	f := w.keep(w.o.BotUserID, Upload{Name: c.str("filename")})
	f.size, f.toApp, f.ready = int64(size), true, time.Time{}
	return object{"upload_url": w.base + uploadPath + f.ID, "file_id": f.ID}, nil
}

func (w *Workspace) completeUpload(c *call) (object, error) {
	files, err := w.uploadedFiles(c)
	if err != nil {
		return nil, err
	}
	wired := make([]object, 0, len(files))
	for _, f := range files {
		wired = append(wired, w.wireFile(f))
	}
	if id := c.str("channel_id"); id != "" {
		if err := w.shareFiles(c, id, files); err != nil {
			return nil, err
		}
	}
	return object{"files": wired}, nil
}

func (w *Workspace) uploadedFiles(c *call) ([]*File, error) {
	value, _, err := c.json("files")
	list, _ := value.([]any)
	if err != nil || len(list) == 0 {
		return nil, fails("invalid_arguments")
	}
	var files []*File
	for _, o := range objects(list) {
		f := w.files[str(o, "id")]
		if f == nil || f.Owner != w.o.BotUserID || len(f.Content) == 0 {
			return nil, fails("file_not_found")
		}
		if name := str(o, "title"); name != "" {
			f.Title = name
		}
		f.ready = w.processed()
		files = append(files, f)
	}
	return files, nil
}

func (w *Workspace) shareFiles(c *call, id string, files []*File) error {
	channel, err := w.place(id)
	if err != nil {
		return err
	}
	thread, err := w.root(channel, c.str("thread_ts"))
	if err != nil {
		return err
	}
	m := &Message{
		Channel: channel.ID, User: w.o.BotUserID, BotID: w.o.BotID, ThreadTS: thread, Text: c.str("initial_comment"), Subtype: "file_share",
	}
	for _, f := range files {
		f.Channels = append(f.Channels, channel.ID)
		m.Files = append(m.Files, *f)
	}
	w.add(m)
	return nil
}

func (w *Workspace) fileInfo(c *call) (object, error) {
	f := w.files[c.str("file")]
	if f == nil || !w.appReads(f) {
		return nil, fails("file_not_found")
	}
	return object{"file": w.wireFile(f)}, nil
}
