package seal_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/seal"
)

const (
	older  = "an older key of thirty-two characters or more"
	newer  = "a newer key of thirty-two characters or more"
	secret = "xoxb-1-SECRETTOKEN"
)

func keys(tb testing.TB, list string) *seal.Keys {
	tb.Helper()
	k, err := seal.NewKeys(list)
	require.NoError(tb, err)
	return k
}

func TestWhatIsSealedOpensInItsPlaceAlone(t *testing.T) {
	t.Parallel()
	k := keys(t, newer)
	for _, plain := range []string{"", secret, strings.Repeat("long", 1<<12), "a\x00b\nc"} {
		sealed := k.Seal([]byte(plain), "T1:token")
		got, newest, err := k.Open(sealed, "T1:token")
		require.NoError(t, err)
		require.True(t, newest)
		require.Equal(t, plain, string(got))
		for _, place := range []string{"T2:token", "T1:refresh", "", "T1:token\x00", "t1:token"} {
			_, _, err = k.Open(sealed, place)
			require.ErrorIs(t, err, seal.ErrNotOurs, place)
		}
	}
	require.NotEqual(t, k.Seal([]byte(secret), "a"), k.Seal([]byte(secret), "a"), "equal secrets do not show")
}

func TestOldKeysOpenAndTheNewestSeals(t *testing.T) {
	t.Parallel()
	before, both, after := keys(t, older), keys(t, " "+newer+" , "+older), keys(t, newer)
	old := before.Seal([]byte(secret), "T1")

	got, newest, err := both.Open(old, "T1")
	require.NoError(t, err)
	require.False(t, newest)
	require.False(t, both.Newest(old))
	require.Equal(t, secret, string(got))

	again := both.Seal(got, "T1")
	require.True(t, both.Newest(again))
	got, newest, err = after.Open(again, "T1")
	require.NoError(t, err)
	require.True(t, newest)
	require.Equal(t, secret, string(got))
	_, _, err = after.Open(old, "T1")
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	_, _, err = before.Open(again, "T1")
	require.ErrorIs(t, err, seal.ErrUnknownKey)
}

func TestAKeyIsReadOrRefusedByItsPlace(t *testing.T) {
	t.Parallel()
	short := strings.Repeat("s", seal.Least-1)
	for list, says := range map[string]string{
		"":                        "key 1",
		short:                     "key 1",
		newer + "," + short:       "key 2",
		newer + ",":               "key 2",
		newer + "," + newer:       "key 2 is there twice",
		newer + ", " + newer + "": "key 2 is there twice",
	} {
		_, err := seal.NewKeys(list)
		require.ErrorContains(t, err, says, list)
		assert.NotContains(t, err.Error(), "sss")
		assert.NotContains(t, err.Error(), newer)
	}
	_, err := seal.NewKeys(strings.Repeat("s", seal.Least))
	require.NoError(t, err)
}

func TestWhatIsNoSealedTextDoesNotOpen(t *testing.T) {
	t.Parallel()
	k := keys(t, newer)
	sealed := k.Seal([]byte(secret), "T1")
	id := strings.Split(sealed, ".")[1]
	for text, want := range map[string]error{
		"":                   seal.ErrMalformed,
		secret:               seal.ErrMalformed,
		"v1":                 seal.ErrMalformed,
		"v1." + id:           seal.ErrMalformed,
		"v2" + sealed[2:]:    seal.ErrMalformed,
		sealed + ".x":        seal.ErrMalformed,
		sealed + "=":         seal.ErrMalformed,
		sealed + "\n":        seal.ErrMalformed,
		"v1." + id + ".":     seal.ErrNotOurs,
		"v1." + id + ".AAAA": seal.ErrNotOurs,
		"v1.00000000.AAB":    seal.ErrMalformed, // bits that say nothing are none
		"v1.00000000.AAAA":   seal.ErrUnknownKey,
		"v1.." + sealed[12:]: seal.ErrUnknownKey,
	} {
		_, _, err := k.Open(text, "T1")
		assert.ErrorIs(t, err, want, text)
		assert.NotContains(t, fmt.Sprint(err), "SECRET")
	}
	for at := strings.LastIndex(sealed, ".") + 1; at < len(sealed); at++ {
		changed := []byte(sealed)
		changed[at] = map[bool]byte{true: 'B', false: 'A'}[changed[at] == 'A']
		_, _, err := k.Open(string(changed), "T1")
		require.Error(t, err, "changed at %d", at)
	}
}

func TestKeysPrintAsNothing(t *testing.T) {
	t.Parallel()
	k := keys(t, newer+","+older)
	held := struct{ Keys *seal.Keys }{k}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "keys", k, "held", held)
	raw, err := json.Marshal(held)
	require.NoError(t, err)
	for _, text := range []string{
		fmt.Sprint(k), fmt.Sprintf("%v %+v %#v %s %q %x %d", k, k, k, k, k, k, k), fmt.Sprintf("%+v %#v", held, held), log.String(), string(raw),
	} {
		for _, word := range []string{"newer key", "older key", "aead", "cipher"} {
			assert.NotContains(t, text, word)
		}
	}
}

// sealedOnce is the secret as it was sealed with the newer key for T1: each worker of a fuzz test would
// seal it in its own way. It also holds the form to what is kept already.
const sealedOnce = "v1.32a1d61d.lrAjmQQsZgIofwREuiF8rZCdqn0B7MtQHyD__WBmtTSY2FM5uOQ6yPqEW40GKQ"

func TestWhatWasSealedByAnEarlierVersionOpens(t *testing.T) {
	t.Parallel()
	plain, newest, err := keys(t, newer).Open(sealedOnce, "T1")
	require.NoError(t, err)
	require.True(t, newest)
	require.Equal(t, secret, string(plain))
}

// FuzzOpen checks that only a sealed text opens, with its secret.
func FuzzOpen(f *testing.F) {
	k := keys(f, newer+","+older)
	f.Add(sealedOnce, "T1")
	f.Add(sealedOnce, "T2")
	f.Add("v1.00000000.AAAA", "T1")
	f.Add("v1..", "")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, text, bound string) {
		plain, _, err := k.Open(text, bound)
		if err != nil {
			if plain != nil {
				t.Error("an error with words")
			}
			return
		}
		if text != sealedOnce || bound != "T1" || string(plain) != secret {
			t.Errorf("%q opened for %q", text, bound)
		}
	})
}
