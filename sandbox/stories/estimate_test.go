package stories

import "testing"

// Once a channel has ordered a few times, the form says what an order may cost, to who may read the credits.
func TestTheFormEstimatesWhatAnOrderMayCost(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	for _, project := range []string{"First look", "Second look", "Third look"} {
		w.placed(maria, project)
	}
	maria.Type("/order new " + w.Samples()[0] + " " + w.Samples()[1])
	maria.SeesModal("New photo order")
	maria.Sees("Basic about 2 credits · by recent orders in this channel")
	maria.CloseModal()
}
