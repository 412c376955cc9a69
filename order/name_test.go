package order_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"darkroom/order"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestANameCarriesItsReferenceWhereCuttingCannotReachIt(t *testing.T) {
	for words, want := range map[string]string{
		"Smith wedding":           "Smith wedding [K7Q2XM]",
		"":                        "[K7Q2XM]",
		"Twenty-three characters": "Twenty-three characters [K7Q2XM]",
		"The whole of the Smith wedding, and the day after": "[K7Q2XM] The whole of the Smith wedding, and the day after",
		"[A2C3D4] once more": "[K7Q2XM] [A2C3D4] once more",
		"[draft] once more":  "[draft] once more [K7Q2XM]",
	} {
		assert.Equal(t, want, order.FullName(words, "K7Q2XM"))
		assert.Equal(t, words, order.ProjectName(want, "K7Q2XM"))
	}
}

func TestAReferenceElsewhereInANameIsNotItsOwn(t *testing.T) {
	for name, want := range map[string]bool{
		"Smith wedding [K7Q2XM]":        true,
		"  smith wedding [k7q2xm] ":     true,
		"[K7Q2XM] The whole of the Smi": true,
		"[K7Q2XM]":                      true,
		"Like [K7Q2XM], but warmer":     false,
		"[A2C3D4] as in [K7Q2XM]":       false,
		"Redo of [K7Q2XM] [A2C3D4]":     false,
		"[A2C3D4] [K7Q2XM] once more":   false,
		"K7Q2XM":                        false,
		"Smith wedding [XK7Q2XM]":       false,
		"":                              false,
	} {
		assert.Equal(t, want, order.Carries(name, "K7Q2XM"), name)
	}
	assert.False(t, order.Carries("anything", ""))
	assert.False(t, order.Carries("Sky []", ""))
	assert.Equal(t, "Smith", order.ProjectName(" Smith ", "K7Q2XM"))
}

// A name of any text, cut anywhere after 32 characters, is found by its own reference and by no other.
func TestANameThatWasCutIsFoundByItsOwnReferenceOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := []string{"[K7Q2XM]", "[A2C3D4]", "wedding", " ", "[", "]", "é", "K7Q2XM"}
		words := strings.TrimSpace(strings.Join(rapid.SliceOfN(rapid.SampledFrom(marks), 0, 20).Draw(t, "words"), ""))
		name := []rune(order.FullName(words, "HJK234"))
		cut := string(name[:min(len(name), rapid.IntRange(32, 100).Draw(t, "limit"))])
		assert.True(t, order.Carries(cut, "HJK234"), cut)
		for _, other := range []string{"K7Q2XM", "A2C3D4"} {
			assert.False(t, order.Carries(cut, other), "%s is not %s's", cut, other)
		}
	})
}

func TestReferencesAreSixUnmistakableCharacters(t *testing.T) {
	got, err := order.GenerateReference(strings.NewReader("\xff\x00\x01\x02\x19\x1a\x20\x21"))
	require.NoError(t, err)
	assert.Equal(t, "234Y23", got, "bytes that would favour some letters are passed over")
	_, err = order.GenerateReference(iotest.ErrReader(errors.New("no luck")))
	require.Error(t, err)
}

func TestFriendlyNamesAreTwoWords(t *testing.T) {
	got, err := order.FriendlyName(strings.NewReader("\x15\x04"))
	require.NoError(t, err)
	assert.Equal(t, "Sunny Dawn", got)
	for _, short := range []string{"", "\x01"} {
		_, err = order.FriendlyName(strings.NewReader(short))
		require.Error(t, err)
	}
}

func TestTheReferenceInAName(t *testing.T) {
	for name, want := range map[string]string{
		"Smith wedding [K7Q2XM]":                  "K7Q2XM",
		"[K7Q2XM] The wedding of Anna and Martin": "K7Q2XM",
		"[k7q2xm] by hand":                        "K7Q2XM",
		"[HJK234] again [K7Q2XM]":                 "HJK234",
		"as [K7Q2XM] was":                         "",
		"Sky [final] [K7Q2XM]":                    "K7Q2XM",
		"Sky [final]":                             "",
		"Sky []":                                  "",
		"Sky [":                                   "",
		"":                                        "",
	} {
		assert.Equal(t, want, order.ReferenceIn(name), name)
	}
}

func TestTheReferencesInWords(t *testing.T) {
	for words, want := range map[string][]string{
		"How is [K7Q2XM]?":                                               {"K7Q2XM"},
		"[k7q2xm] and [HJK234], [K7Q2XM] again":                          {"K7Q2XM", "HJK234"},
		"[[K7Q2XM]] in two":                                              {"K7Q2XM"},
		"[one] [two] [three] [HJK234]":                                   {"HJK234"},
		"`[HJK234]` [K7Q2XM][MMM777] [AAA222]":                           {"HJK234", "K7Q2XM", "MMM777"},
		"K7Q2XM without brackets":                                        nil,
		"[K7Q2X] is too short, [K7Q2XO] has an O, [K7Q2XM is not closed": nil,
		"": nil,
	} {
		assert.Equal(t, want, order.ReferencesIn(words, 3), words)
	}
	assert.Empty(t, order.ReferencesIn("[K7Q2XM]", 0))
}
