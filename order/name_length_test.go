package order

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatANameProvesOfAService(t *testing.T) {
	require.Zero(t, ProvenLength("Quiet Harbor 1234"), "a name of the service's own")
	require.Zero(t, ProvenLength("Smith wedding [K7Q"), "one that was cut")
	short, long := ProvenLength("Foo [K7Q2XM]"), ProvenLength("[K7Q2XM] The whole of the Smith wedding")
	require.True(t, short.Covers(NeededLength(FullName("Bar", "ABCDEF"), "ABCDEF")))
	require.False(t, short.Covers(NeededLength(FullName("Smith wedding", "ABCDEF"), "ABCDEF")), "a longer name may be cut")
	require.True(t, long.Covers(NeededLength(FullName("Smith wedding", "ABCDEF"), "ABCDEF")))
	require.True(t, short.Covers(NeededLength(FullName("The whole of the Jones wedding", "ABCDEF"), "ABCDEF")), "its reference stands in front")
	require.False(t, NameLength{}.Covers(NeededLength(FullName("", "ABCDEF"), "ABCDEF")))
}

func TestAServiceMayCutByCharactersOrByBytes(t *testing.T) {
	cyrillic, latin := "Свадьба [K7Q2XM]", "A wedding in May [K7Q2XM]"
	require.False(t, ProvenLength(cyrillic).Covers(NeededLength(latin, "K7Q2XM")), "more characters")
	require.False(t, ProvenLength("Weddings [K7Q2XM]").Covers(NeededLength(cyrillic, "K7Q2XM")), "more bytes")
	require.True(t, ProvenLength(cyrillic).And(ProvenLength(latin)).Covers(NeededLength("Annas Свад [K7Q2XM]", "K7Q2XM")))
}

// A database without room for emoji ends a text at the first of them.
func TestAReferenceStandsBeforeAnEmoji(t *testing.T) {
	require.Equal(t, "[K7Q2XM] Party 🎉", FullName("Party 🎉", "K7Q2XM"))
}
