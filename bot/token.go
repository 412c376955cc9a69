package bot

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// inHeader moves the token of a call into the Authorization header: slack-go writes it
// into most forms, and logs on the way keep bodies and addresses more often than that
// header. The request is read, and made anew where it held one.
func inHeader(req *http.Request, token string) error {
	if query := req.URL.Query(); query.Has("token") {
		query.Del("token")
		req.URL.RawQuery = query.Encode()
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	kind, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")) // an odd one is no form
	if req.Body == nil || kind != formType {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	if err = errors.Join(err, req.Body.Close()); err != nil {
		return err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return err
	}
	form.Del("token")
	slim := form.Encode()
	req.ContentLength = int64(len(slim))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(slim)), nil }
	req.Body, err = req.GetBody()
	return err
}
