package upstream

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The expected texts and signatures were written by the languages themselves,
// from testdata/signature, with FILE being params.json or params_numbers.json
// and the output going to LANGUAGE.txt or LANGUAGE_numbers.txt:
//
//	php -r '$p = json_decode(file_get_contents($argv[1]), true); ksort($p); $s = json_encode($p); echo $s, "\n", hash_hmac("sha256", $s, "s3cret"), "\n";' FILE
//	node -e 'const p = JSON.parse(fs.readFileSync(process.argv[1])); const s = JSON.stringify(Object.fromEntries(Object.keys(p).sort().map(k => [k, p[k]]))); console.log(s + "\n" + crypto.createHmac("sha256", "s3cret").update(s).digest("hex"))' FILE
//	python3 -c 'import hashlib, hmac, json, sys; s = json.dumps(json.load(open(sys.argv[1])), sort_keys=True); print(s + "\n" + hmac.new(b"s3cret", s.encode(), hashlib.sha256).hexdigest())' FILE
func TestSignaturesAreThoseOfTheLanguagesThemselves(t *testing.T) {
	p := params{}
	p["content_text"] = "Smith's \"best\" <b>photo</b> & co/op, café 漢 😀 \\ tab\t nl\n cr\r ff\f bs\b one\x01 del\x7f ls\u2028 end"
	p["page"] = int64(2)
	p["filter_keywords"] = []string{"wed/ding", "naïve😀"}
	p["images"] = [][]string{{"https://a.test/x.jpg?a=1&b=2", "basic", "brighter"}, {"https://a.test/y.jpg", "", ""}}
	p["instructions"] = map[string][]string{"imé": {"x"}, "a/b": {"ü"}, "Zoo": {"first", "second"}}

	for _, language := range []string{"php", "plain", "python"} {
		for _, numbers := range []bool{false, true} {
			name := language
			if numbers {
				name += "_numbers"
			}
			t.Run(name, func(t *testing.T) {
				text, signature := vector(t, name)
				d := dialects[language]
				d.numbers = numbers

				signed := p.signed(d, "key-1", "s3cret", 1512787346)
				assert.Equal(t, signature, signed["signature"])
				delete(signed, "signature")
				assert.Equal(t, text, d.encode(signed))
			})
		}
	}
}

func vector(t *testing.T, name string) (text, signature string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "signature", name+".txt"))
	require.NoError(t, err)
	text, signature, _ = strings.Cut(strings.TrimSpace(string(b)), "\n")
	return text, signature
}

func TestDefaultDialectIsPHPWithNumbersAsStrings(t *testing.T) {
	assert.Equal(t, dialects["php"], dialects[""])
	assert.Equal(t, `{"page":"2"}`, dialects[""].encode(params{"page": int64(2)}))
}

func TestEveryDialectDecodesToWhatWasEncoded(t *testing.T) {
	lines := rapid.SliceOf(rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		d := dialects[rapid.SampledFrom([]string{"php", "plain", "python"}).Draw(t, "dialect")]
		sent := rapid.MapOf(rapid.String(), lines).Draw(t, "map")

		var got map[string][]string
		require.NoError(t, json.Unmarshal([]byte(d.encode(sent)), &got))
		require.Equal(t, len(sent), len(got))
		for key, want := range sent {
			require.Equal(t, append([]string{}, want...), got[key])
		}
	})
}

func TestWhatIsSentIsWhatWasSigned(t *testing.T) {
	p := params{}
	p["feedback"] = []string{"a/b", "é"}
	p["content_text"] = "broken \xff byte"

	p["page"], p["project_name"], p["images"], p["instructions"] = int64(0), "", [][]string{}, map[string][]string{}

	v := p.signed(php, "k", "s", 1).values(php)

	assert.JSONEq(t, `["a/b","é"]`, v.Get("feedback"))
	assert.Equal(t, `["a\/b","\u00e9"]`, v.Get("feedback"))
	assert.Equal(t, "broken \uFFFD byte", v.Get("content_text"))
	assert.Equal(t, "1", v.Get("timestamp"))
	assert.ElementsMatch(t, []string{"api_key", "content_text", "feedback", "signature", "timestamp"}, slices.Collect(maps.Keys(v)), "nothing that is empty")
}

func TestSigningLeavesTheParametersAsTheyAre(t *testing.T) {
	p := params{"page": int64(2)}
	first := p.signed(php, "k", "s", 1)
	second := p.signed(php, "k", "s", 2)

	assert.Equal(t, params{"page": int64(2)}, p)
	assert.NotEqual(t, first["signature"], second["signature"])
}
