package order

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatANameProvesOfAService(t *testing.T) {
	require.Zero(t, KeptOf("Quiet Harbor 1234"), "a name of the service's own")
	require.Zero(t, KeptOf("Smith wedding [K7Q"), "one that was cut")
	short, long := KeptOf("Foo [K7Q2XM]"), KeptOf("[K7Q2XM] The whole of the Smith wedding")
	require.True(t, short.Covers(NeededFor(FullName("Bar", "ABCDEF"), "ABCDEF")))
	require.False(t, short.Covers(NeededFor(FullName("Smith wedding", "ABCDEF"), "ABCDEF")), "a longer name may be cut")
	require.True(t, long.Covers(NeededFor(FullName("Smith wedding", "ABCDEF"), "ABCDEF")))
	require.True(t, short.Covers(NeededFor(FullName("The whole of the Jones wedding", "ABCDEF"), "ABCDEF")), "its reference stands in front")
	require.False(t, Kept{}.Covers(NeededFor(FullName("", "ABCDEF"), "ABCDEF")))
}

func TestAServiceMayCutByCharactersOrByBytes(t *testing.T) {
	cyrillic, latin := "Свадьба [K7Q2XM]", "A wedding in May [K7Q2XM]"
	require.False(t, KeptOf(cyrillic).Covers(NeededFor(latin, "K7Q2XM")), "more characters")
	require.False(t, KeptOf("Weddings [K7Q2XM]").Covers(NeededFor(cyrillic, "K7Q2XM")), "more bytes")
	require.True(t, KeptOf(cyrillic).And(KeptOf(latin)).Covers(NeededFor("Annas Свад [K7Q2XM]", "K7Q2XM")))
}

// A database without room for emoji ends a text at the first of them.
func TestAReferenceStandsBeforeAnEmoji(t *testing.T) {
	require.Equal(t, "[K7Q2XM] Party 🎉", FullName("Party 🎉", "K7Q2XM"))
}
