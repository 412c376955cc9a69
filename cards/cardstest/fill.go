package cardstest

import (
	"flag"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// fillStrings sets every string in v to say().
func fillStrings(v reflect.Value, say func() string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(say())
	case reflect.Pointer:
		if v.IsNil() && v.Type().Elem().Kind() != reflect.Int {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fillStrings(v.Elem(), say)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillStrings(v.Field(i), say)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fillStrings(v.Index(i), say)
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string][]string]() {
			v.Set(reflect.ValueOf(map[string][]string{say(): {say(), say()}}))
		}
	}
}

// FilledWith returns a value with say() in every string.
func FilledWith[T any](say func() string) T {
	var v T
	fillStrings(reflect.ValueOf(&v).Elem(), say)
	return v
}

// Fewer lowers rapid's number of checks for one test. Each run draws other values; DARKROOM_TEST_ALL
// quadruples the number.
func Fewer(t *testing.T, checks int) {
	t.Helper()
	if os.Getenv("DARKROOM_TEST_ALL") != "" {
		checks *= 4
	}
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	require.NoError(t, f.Value.Set(strconv.Itoa(checks)))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}
