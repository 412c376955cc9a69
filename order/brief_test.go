package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// wedding is a brief of three photos, the second with words of its own, and a reference.
var wedding = order.Brief{
	By: "UMARIA", Instructions: []string{"Brighten."}, Service: order.ServiceBasic, CustomerID: "0042", Preset: "Beach",
	Sources: []order.Source{
		{Name: "beach.jpg", File: "F1"},
		{Name: "cake.jpg", URL: "https://example.com/cake.jpg", Service: order.ServiceExtensive, Instruction: "Remove the knife."},
		{Name: "mood.jpg", URL: "https://example.com/mood.jpg", Service: order.ServiceReference, Instruction: "Like this."},
		{Name: "dance.jpg", URL: "https://example.com/dance.jpg", Service: order.ServiceBasic},
	},
}

func TestReferencesAreCountedApartFromWhatIsEdited(t *testing.T) {
	require.Equal(t, 3, wedding.Edited())
	require.Equal(t, []order.NumberedSource{{Number: 3, Source: wedding.Sources[2]}}, wedding.References())
	require.Equal(t, []order.NumberedSource{{Number: 2, Source: wedding.Sources[1]}}, wedding.Differences(), "a service like the brief's is none of its own")
}

func TestANewOrderIsNotOfThePresetOfTheOneItRepeats(t *testing.T) {
	again, _ := wedding.Repeatable()
	require.Equal(t, wedding.Instructions, again.Instructions)
	require.Empty(t, again.Preset)
}

func TestTheEssenceOfABriefKeepsWhatWasSaid(t *testing.T) {
	before := wedding.Sources[1].URL
	short := wedding.Essence()
	require.Equal(t, before, wedding.Sources[1].URL, "the brief itself stays as it is")
	require.Equal(t, wedding.Instructions, short.Instructions)
	require.Equal(t, wedding.Edited(), short.Edited())
	require.Equal(t, "Beach", short.Preset)
	require.Equal(t, "Remove the knife.", short.Differences()[0].Instruction)
	require.Equal(t, "cake.jpg", short.Differences()[0].Name)
	require.Equal(t, 2, short.Differences()[0].Number)
	for _, s := range short.Sources {
		require.Empty(t, s.URL+s.File)
	}
}
