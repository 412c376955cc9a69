package workspace

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

const maxBody = 4 << 20

// credential is the token of a call, and whether it came where a proxy or a log may keep it.
type credential struct {
	token   string
	exposed bool // in the body or the query, not in the header alone
}

// arguments are those of a call, from a JSON or a form body and the query,
// and its token, which is never among them.
func arguments(rw http.ResponseWriter, r *http.Request) (object, credential, error) {
	args := object{}
	r.Body = http.MaxBytesReader(rw, r.Body, maxBody)
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	var err error
	switch kind {
	case "application/json":
		err = jsonArguments(r, args)
	case "multipart/form-data":
		err = r.ParseMultipartForm(maxBody)
	default:
		err = r.ParseForm()
	}
	addForm(args, r.Form)
	addForm(args, r.URL.Query())
	with := credential{token: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	_, with.exposed = args["token"]
	if with.token == "" {
		with.token = str(args, "token")
	}
	delete(args, "token")
	return args, with, err
}

func jsonArguments(r *http.Request, args object) error {
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) == 0 {
		return err
	}
	return json.Unmarshal(body, &args)
}

func addForm(args object, form url.Values) {
	for key, values := range form {
		if len(values) > 0 {
			args[key] = values[0]
		}
	}
}

func (c *call) str(key string) string {
	switch v := c.args[key].(type) {
	case string:
		return v
	case float64, bool:
		return strings.Trim(string(encode(v)), `"`)
	}
	return ""
}

func (c *call) bool(key string) bool {
	switch v := c.args[key].(type) {
	case bool:
		return v
	case string:
		return v == "true" || v == "1"
	}
	return false
}

// limit is the page size asked for, within 1 and most; 0 or none is usual.
func (c *call) limit(usual, most int) int {
	n, ok := number(c.args["limit"])
	if !ok || n < 1 {
		return usual
	}
	return min(int(n), most)
}

// json is an argument that is JSON, or the text of JSON in a form. given is
// false when it is absent or empty text.
func (c *call) json(key string) (value any, given bool, err error) {
	value, given = c.args[key]
	text, isText := value.(string)
	if !isText {
		return value, given && value != nil, nil
	}
	if text == "" {
		return nil, false, nil
	}
	err = json.Unmarshal([]byte(text), &value)
	return value, true, err
}

// blocks are the blocks of a message. given tells an empty list from none.
func (c *call) blocks() (blocks []object, given bool, err error) {
	value, given, err := c.json("blocks")
	if err != nil {
		return nil, true, fails("invalid_blocks_format")
	}
	list, isList := value.([]any)
	if given && !isList {
		return nil, true, fails("invalid_blocks_format")
	}
	return objects(list), given, nil
}
