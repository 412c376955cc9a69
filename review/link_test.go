package review

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/files"
	"darkroom/store"
)

func tokenOf(tb testing.TB, s *files.Signer, t store.Tracked, at time.Time) string {
	tb.Helper()
	token, ours := strings.CutPrefix(Address(s, t, at), base+"/review/")
	require.True(tb, ours)
	return token
}

func TestALinkNamesOneRoundOfAnOrderInAPlaceForTwoWeeks(t *testing.T) {
	s := signer(t, newKey)
	token := tokenOf(t, s.In("T7"), reviewed(), noon)
	assert.NotContains(t, token, ".", "the page's files have dots in their names")
	want := files.Bundle{Order: "1042", Round: 1, Generation: 3, Workspace: "T7"}
	for name, at := range map[string]time.Time{"at once": noon, "at the last second": noon.Add(14*24*time.Hour - time.Second)} {
		b, err := verify(s, token, at)
		require.NoError(t, err, name)
		assert.Equal(t, link{Bundle: want}, b, name)
	}
	_, err := verify(s, token, noon.Add(14*24*time.Hour))
	require.ErrorIs(t, err, files.ErrExpired)

	lone, err := verify(s, tokenOf(t, s, reviewed(), noon), noon)
	require.NoError(t, err)
	assert.Empty(t, lone.Workspace)
}

func TestAKeyThatIsOnlyKeptVerifiesOldLinksAndSignsNone(t *testing.T) {
	before, both, after := signer(t, oldKey), signer(t, newKey, oldKey), signer(t, newKey)
	for _, token := range []string{tokenOf(t, before, reviewed(), noon), tokenOf(t, both, reviewed(), noon)} {
		_, err := verify(both, token, noon)
		require.NoError(t, err)
	}
	_, err := verify(after, tokenOf(t, both, reviewed(), noon), noon)
	require.NoError(t, err)
	_, err = verify(after, tokenOf(t, before, reviewed(), noon), noon)
	require.ErrorIs(t, err, files.ErrForged)
}

func TestOnlyOurOwnLinksOpen(t *testing.T) {
	s := signer(t, newKey)
	good := tokenOf(t, s, reviewed(), noon)
	b := files.Bundle{Order: "1042", Round: 1, Generation: 3}
	zip, _, _ := strings.Cut(strings.TrimPrefix(s.ZIP(b, "a", noon), base+files.ZIPPath), "/")
	photo, _, _ := strings.Cut(strings.TrimPrefix(s.URL("F0BEACH12345", "a.jpg", noon), base+files.Path), "/")
	for name, token := range map[string]string{
		"nothing": "", "no token": "hello", "cut": good[:len(good)-4], "cut in front": good[4:], "longer": good + "AAAA", "one letter": flip(good, 5),
		"the signature": flip(good, len(good)-6), "a ZIP's": zip, "a photo's": photo, "of another key": tokenOf(t, signer(t, otherKey), reviewed(), noon),
		"a line break": good[:9] + "\n" + good[9:], "padded": good + "=", "a path behind": good + "/x", "no order": s.Seal(purpose, make([]byte, 8), noon.Add(time.Hour)),
		"endless": strings.Repeat("A", 1<<16),
	} {
		_, err := verify(s, token, noon)
		require.ErrorIs(t, err, files.ErrForged, name)
	}
	for name, open := range map[string]func() error{
		"as a ZIP":   func() error { _, err := s.VerifyZIP(good, noon); return err },
		"as a photo": func() error { _, err := s.Verify(good, noon); return err },
	} {
		require.ErrorIs(t, open(), files.ErrForged, name)
	}
}

func TestAnOrderThatFitsNoLinkHasNone(t *testing.T) {
	s, o := signer(t, newKey), reviewed()
	o.ID = strings.Repeat("x", 256)
	assert.Empty(t, Address(s, o, noon))
}

// flip changes one letter.
func flip(token string, at int) string {
	other := byte('A')
	if token[at] == other {
		other = 'B'
	}
	return token[:at] + string(other) + token[at+1:]
}

func FuzzLink(f *testing.F) {
	s := signer(f, newKey, oldKey)
	good := tokenOf(f, s.In("T7"), reviewed(), noon)
	for _, seed := range []string{good, good[1:], good + "A", "", "%", strings.Repeat("A", 90), tokenOf(f, signer(f, otherKey), reviewed(), noon)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		b, err := verify(s, token, noon)
		if token == good {
			require.NoError(t, err)
			return
		}
		require.ErrorIs(t, err, files.ErrForged)
		require.Zero(t, b)
	})
}
