package page

import (
	"encoding/json"
	"errors"
	"net/http"
	"unicode"
	"unicode/utf8"

	"darkroom/sandbox/workspace"
)

// refusal is why something was not done, as a sentence for the person, and its status.
type refusal struct {
	status int
	says   string
}

func (r refusal) Error() string { return r.says }

var (
	errForeign    = refusal{http.StatusForbidden, "This page is for this computer only: open it at its address on 127.0.0.1."}
	errNoSuchPage = refusal{http.StatusNotFound, "There is nothing at this address."}
	errNobody     = refusal{http.StatusNotFound, "There is nobody of that name."}
	errNoFile     = refusal{http.StatusNotFound, "There is no such file, or it is not for you."}
	errBusy       = refusal{http.StatusServiceUnavailable, "Too many tabs follow this page. Close one."}
)

// refuse answers with the error as a sentence.
func refuse(rw http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	var said refusal
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &said):
		status = said.status
	case errors.As(err, &tooBig):
		status, err = http.StatusRequestEntityTooLarge, errors.New("that is too much at once")
	case errors.Is(err, workspace.ErrGone):
		status = http.StatusGone
	case errors.Is(err, workspace.ErrNotMember):
		status, err = http.StatusForbidden, errors.New("you are not in that channel, or it is archived")
	}
	answer(rw, status, map[string]string{"error": sentence(err.Error())})
}

// sentence begins with a capital and ends with a stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' {
		text += "."
	}
	return text
}

func answer(rw http.ResponseWriter, status int, value any) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(value) // the browser went away
}
