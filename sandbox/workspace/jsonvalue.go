package workspace

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// str is a string member of a JSON object, "" when absent or not a string.
func str(o object, key string) string {
	s, _ := o[key].(string)
	return s
}

func flag(o object, key string) bool {
	b, _ := o[key].(bool)
	return b
}

// objects are the JSON objects of a list; what is not an object becomes nil.
func objects(v any) []object {
	switch list := v.(type) {
	case []object:
		return list
	case []any:
		out := make([]object, len(list))
		for i, e := range list {
			out[i], _ = e.(object)
		}
		return out
	}
	return nil
}

// number reads a JSON number or the digits of one.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case string:
		f, err := strconv.ParseFloat(n, 64)
		return f, err == nil
	}
	return 0, false
}

func length(s string) int { return utf8.RuneCountInString(s) }

// encode is the JSON of a value made of plain JSON kinds.
func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values decoded from JSON, strings and numbers come here
	}
	return body
}

// settled turns any value into plain JSON kinds.
func settled(v any) object {
	var out object
	_ = json.Unmarshal(encode(v), &out)
	return out
}
