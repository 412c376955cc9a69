package photos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// Placement is where the parameters of POST and DELETE requests travel. GET
// parameters are always in the query.
type Placement string

// The placements. [Query] also reads the form body of a POST, as PHP's $_REQUEST does; [QueryOnly] reads no body.
const (
	Anywhere  Placement = "any"
	Query     Placement = "query"
	QueryOnly Placement = "query-only"
	FormBody  Placement = "form"
	JSONBody  Placement = "json"
	maxParams           = 1 << 20 // bytes of a request body
)

// params are the parameters of one request by name. A value is a string, a
// json.Number, a bool, nil, an []any, or an object.
type params map[string]any

// object is a JSON object with its members in the order they were sent.
type object []member

type member struct {
	name  string
	value any
}

// structured reports whether a parameter is an array or a map: in a query or a
// form it is JSON text, and its JSON value is what is signed.
func structured(name string) bool {
	switch name {
	case "instructions", "images", "cancel_reason", "feedback", "filter_keywords":
		return true
	}
	return false
}

// readParams collects the parameters of a request from where this service
// looks for them, and says where the last of them was found.
func (s *Service) readParams(w http.ResponseWriter, r *http.Request) (params, Placement, error) {
	p, in := params{}, Query
	allowed := s.opts.Params
	if r.Method == http.MethodGet || allowed == Query || allowed == QueryOnly || allowed == Anywhere {
		p.addText(r.URL.Query(), s.opts.ArraysAsSent)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxParams))
	if err != nil {
		return p, in, fmt.Errorf("the request body could not be read: %w", err)
	}
	if len(body) == 0 || r.Method == http.MethodGet || allowed == QueryOnly || allowed == Query && r.Method == http.MethodDelete {
		return p, in, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return p, in, errors.New("the request body has no content type")
	case kind == "application/json" && (allowed == JSONBody || allowed == Anywhere):
		in, err = JSONBody, p.addJSON(body)
	case kind == "application/x-www-form-urlencoded" && allowed != JSONBody:
		in, err = FormBody, p.addForm(body, s.opts.ArraysAsSent)
	}
	return p, in, err
}

// addText adds parameters that travelled as text. Arrays and maps stay text until the signature was checked when
// asSent says that their text is signed.
func (p params) addText(values url.Values, asSent bool) {
	for name, all := range values {
		p[name] = all[len(all)-1]
	}
	if !asSent {
		p.readArrays()
	}
}

// readArrays replaces the JSON text of arrays and maps with their values.
func (p params) readArrays() {
	for name, value := range p {
		if text, ok := value.(string); ok {
			p[name] = textValue(name, text)
		}
	}
}

func (p params) addForm(body []byte, asSent bool) error {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return errors.New("the form in the request body is malformed")
	}
	p.addText(values, asSent)
	return nil
}

func (p params) addJSON(body []byte) error {
	value, err := parseJSON(body)
	members, ok := value.(object)
	if err != nil || !ok {
		return errors.New("the request body is not a JSON object")
	}
	for _, m := range members {
		p[m.name] = m.value
		if integer(m.name) && !isInteger(m.value) {
			return fmt.Errorf("%s must be an integer", m.name)
		}
	}
	return nil
}

// integer reports whether a parameter is an integer by the interface: JSON can say so.
func integer(name string) bool { return name == "timestamp" || name == "page" }

func isInteger(value any) bool {
	number, ok := value.(json.Number)
	if !ok {
		return false
	}
	_, err := number.Int64()
	return err == nil
}

// textValue is a parameter that travelled as text. Text that should be JSON and
// is not stays text: its signature may be right, its operation will refuse it.
func textValue(name, text string) any {
	if structured(name) && (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) {
		if value, err := parseJSON([]byte(text)); err == nil {
			return value
		}
	}
	return text
}

// parseJSON decodes one JSON value and keeps numbers as written and the members
// of objects in order.
func parseJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return value, nil
}

func parseValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		return parseArray(d)
	case json.Delim('{'):
		return parseObject(d)
	}
	return token, nil
}

func parseArray(d *json.Decoder) (any, error) {
	array := []any{}
	for d.More() {
		value, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := d.Token() // the closing bracket
	return array, err
}

func parseObject(d *json.Decoder) (any, error) {
	members := object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name: fmt.Sprint(name), value: value})
	}
	_, err := d.Token() // the closing brace
	return members, err
}

// text is a plain parameter, "" when it is absent or not plain.
func (p params) text(name string) string {
	switch v := p[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// words is an array of strings; absent and "" are empty.
func (p params) words(name string) ([]string, error) {
	if value, ok := p[name]; ok && value != "" && value != nil {
		return stringsOf(name, value)
	}
	return nil, nil
}

func stringsOf(name string, value any) ([]string, error) {
	array, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s must be an array of strings", name)
	}
	words := make([]string, 0, len(array))
	for _, element := range array {
		word, ok := element.(string)
		if !ok {
			return nil, fmt.Errorf("%s must be an array of strings", name)
		}
		words = append(words, word)
	}
	return words, nil
}
