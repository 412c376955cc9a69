package files

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	newKey   = "a-new-key-of-thirty-two-letters!"
	oldKey   = "an-old-key-of-thirty-two-letters"
	otherKey = "somebody-elses-key-of-32-letters"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func signer(tb testing.TB, base string, keys ...string) *Signer {
	tb.Helper()
	s, err := NewSigner(base, keys)
	require.NoError(tb, err)
	return s
}

// tokenOf cuts the token out of an address.
func tokenOf(address string) string {
	_, rest, _ := strings.Cut(address, Path)
	token, _, _ := strings.Cut(rest, "/")
	return token
}

func TestSignerBelievesItsOwnTokensUntilTheyExpire(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	token := tokenOf(s.URL("F0BEACH", "beach.jpg", noon))
	for name, at := range map[string]time.Time{"at once": noon, "at the last second": noon.Add(Life - time.Second)} {
		file, err := s.Verify(token, at)
		require.NoError(t, err, name)
		assert.Equal(t, "F0BEACH", file, name)
	}
	_, err := s.Verify(token, noon.Add(Life))
	assert.ErrorIs(t, err, ErrExpired)
}

func TestSignerBelievesOldKeysAndSignsWithTheFirst(t *testing.T) {
	before := signer(t, "https://d.example.com", oldKey)
	now := signer(t, "https://d.example.com", newKey, oldKey)
	after := signer(t, "https://d.example.com", newKey)

	_, err := now.Verify(before.token("F1", noon.Add(Life)), noon)
	require.NoError(t, err)
	_, err = after.Verify(now.token("F1", noon.Add(Life)), noon)
	require.NoError(t, err)
	_, err = after.Verify(before.token("F1", noon.Add(Life)), noon)
	assert.ErrorIs(t, err, ErrForged)
}

func TestSignerRefusesEveryTokenItDidNotMake(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	token := s.token("F0BEACHES", noon.Add(Life))
	raw, err := tokenEncoding.DecodeString(token)
	require.NoError(t, err)
	stranger := append([]byte(nil), raw[:len(raw)-macLen]...)
	stranger[0] = version + 1
	tests := map[string]string{
		"empty":               "",
		"foreign":             signer(t, "https://d.example.com", otherKey).token("F0BEACH", noon.Add(Life)),
		"cut short":           token[:len(token)-1],
		"cut to the payload":  tokenEncoding.EncodeToString(raw[:len(raw)-macLen]),
		"nothing but header":  tokenEncoding.EncodeToString(raw[:headerLen+macLen]),
		"longer by one":       token + "A",
		"padded":              base64.URLEncoding.EncodeToString(raw),
		"in the other base64": base64.StdEncoding.EncodeToString(raw) + "+",
		"with a line end":     token[:10] + "\r\n" + token[10:],
		"far too long":        strings.Repeat(token, 10),
		"forged and expired":  signer(t, "https://d.example.com", otherKey).token("F0BEACH", noon.Add(-Life)),
		"of another version":  tokenEncoding.EncodeToString(append(stranger, sign([]byte(newKey), photoPurpose, stranger)...)),
	}
	for name, bad := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := s.Verify(bad, noon)
			assert.ErrorIs(t, err, ErrForged)
		})
	}
}

func TestSignerNoticesEveryChangedBit(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	raw, err := tokenEncoding.DecodeString(s.token("F0BEACH", noon.Add(Life)))
	require.NoError(t, err)
	for i := range len(raw) * 8 {
		changed := append([]byte(nil), raw...)
		changed[i/8] ^= 1 << (i % 8)
		_, err := s.Verify(tokenEncoding.EncodeToString(changed), noon)
		require.ErrorIs(t, err, ErrForged, "bit %d", i)
	}
}

func TestSignerTakesOneSpellingOfAToken(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	token := s.token("F0BEACHES", noon.Add(Life)) // 50 bytes: the last letter has bits to spare
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	taken := 0
	for _, l := range letters {
		if _, err := s.Verify(token[:len(token)-1]+string(l), noon); err == nil {
			taken++
		}
	}
	assert.Equal(t, 1, taken)
}

func TestNewSignerSaysWhatIsWrong(t *testing.T) {
	tests := map[string]struct {
		base string
		keys []string
		says string
	}{
		"no key":         {"https://d.example.com", nil, "no key"},
		"short key":      {"https://d.example.com", []string{newKey, newKey[:31]}, "file key 2: 31 characters"},
		"empty URL":      {"", []string{newKey}, "http or https"},
		"other scheme":   {"ftp://d.example.com", []string{newKey}, "http or https"},
		"no host":        {"https:///here", []string{newKey}, "http or https"},
		"only a port":    {"https://:8080", []string{newKey}, "http or https"},
		"no URL":         {"https://d.example.com/%zz", []string{newKey}, "not a URL"},
		"a password":     {"https://me:secret@d.example.com", []string{newKey}, "nothing but"},
		"a query":        {"https://d.example.com/?a=b", []string{newKey}, "nothing but"},
		"a query's mark": {"https://d.example.com/?", []string{newKey}, "nothing but"},
		"a fragment":     {"https://d.example.com/#a", []string{newKey}, "nothing but"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := NewSigner(tt.base, tt.keys)
			require.ErrorContains(t, err, tt.says)
			assert.NotContains(t, err.Error(), newKey[:31])
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestURLKeepsThePublicPath(t *testing.T) {
	for base, want := range map[string]string{
		"https://d.example.com":             "https://d.example.com/files/",
		"https://d.example.com/":            "https://d.example.com/files/",
		"http://d.example.com:8080/dark/":   "http://d.example.com:8080/dark/files/",
		"https://d.example.com/dark%20room": "https://d.example.com/dark%20room/files/",
	} {
		assert.Truef(t, strings.HasPrefix(signer(t, base, newKey).URL("F1", "a.jpg", noon), want), "%s", base)
	}
}

func TestURLTakesAnyName(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	tests := map[string]struct{ name, shown string }{
		"plain":              {"beach.jpg", "beach.jpg"},
		"spaces and signs":   {"a b?c#d%e&f.jpg", "a b?c#d%e&f.jpg"},
		"unicode":            {"plage d’été 🏖.jpg", "plage d’été 🏖.jpg"},
		"right to left":      {"חוף.jpg", "חוף.jpg"},
		"turned around":      {"a\u202egpj.exe", "agpj.exe"},
		"slashes":            {`../../etc/passwd\x`, "..-..-etc-passwd-x"},
		"a line end":         {"a\r\nSet-Cookie: b.jpg", "aSet-Cookie: b.jpg"},
		"not unicode":        {"a\xffb.jpg", "ab.jpg"},
		"empty":              {"", "photo"},
		"a way up":           {"..", "photo"},
		"nothing visible":    {" \u200b ", "photo"},
		"300 letters":        {strings.Repeat("x", 300) + ".jpg", strings.Repeat("x", maxNameLen-4) + ".jpg"},
		"300 accents":        {strings.Repeat("é", 300) + ".jpeg", strings.Repeat("é", (maxNameLen-5)/2) + ".jpeg"},
		"all of it a suffix": {"a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", maxNameLen-2)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			u, err := url.Parse(s.URL("F0BEACH", tt.name, noon))
			require.NoError(t, err)
			parts := strings.Split(u.EscapedPath(), "/")
			require.Len(t, parts, 4, "files, token, name")
			shown, err := url.PathUnescape(parts[3])
			require.NoError(t, err)
			assert.Equal(t, tt.shown, shown)
			assert.Empty(t, u.RawQuery+u.Fragment)
			file, err := s.Verify(parts[2], noon)
			require.NoError(t, err)
			assert.Equal(t, "F0BEACH", file)
		})
	}
}

func FuzzVerify(f *testing.F) {
	s := signer(f, "https://d.example.com", newKey, oldKey)
	good := s.token("F0BEACH", noon.Add(Life))
	expired := s.token("F0BEACH", noon)
	for _, seed := range []string{good, expired, good[1:], good + "A", "", "%", strings.Repeat("A", 70)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		file, err := s.Verify(token, noon)
		switch token {
		case good:
			require.NoError(t, err)
			require.Equal(t, "F0BEACH", file)
		case expired:
			require.ErrorIs(t, err, ErrExpired)
		default:
			require.ErrorIs(t, err, ErrForged)
			require.Empty(t, file)
		}
	})
}

func FuzzName(f *testing.F) {
	s := signer(f, "https://d.example.com/dark", newKey)
	for _, seed := range []string{"beach.jpg", "..", "a/b", "%2e%2e%2f", "\xff", "x.", ". .", "a\u202eb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		u, err := url.Parse(s.URL("F1", name, noon))
		require.NoError(t, err)
		parts := strings.Split(u.EscapedPath(), "/")
		require.Len(t, parts, 5)
		require.NotContains(t, []string{"", ".", ".."}, parts[4])
		require.Equal(t, u.Path, u.JoinPath().Path, "nothing for a server to clean")
		require.LessOrEqual(t, len(parts[4]), 3*maxNameLen)
	})
}
