package chaos

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"darkroom/sandbox/workspace"
)

// preset is what Redis keeps of one.
type preset struct {
	Name  string `json:"name"`
	Brief struct {
		Instructions []string `json:"instructions"`
	} `json:"brief"`
}

// presets are those of a channel; none when Redis cannot be asked.
func (w *world) presets(channel string) (all []preset) {
	doc, err := w.redis.rdb.Get(context.Background(), "{darkroom}:presets:T0SANDBOX:"+channel).Bytes()
	if err != nil || json.Unmarshal(doc, &all) != nil {
		return nil
	}
	return all
}

// savePreset keeps what the order asked for, from its details.
func (p *player) savePreset(ctx context.Context) bool {
	p.preset = p.token("House look")
	a := p.act(actPreset, p.preset)
	a.words = p.asks
	return p.submit(ctx, a, form{
		open:   p.fromDetails(ctx, "Save as Preset"),
		label:  "Name",
		fields: map[string]string{"Name": p.preset},
		times:  p.times(),
		arrived: func() bool {
			return slices.ContainsFunc(p.presets(p.channel), func(kept preset) bool { return kept.Name == p.preset })
		},
	})
}

// fromDetails has the order shown, and presses a button below it.
func (p *player) fromDetails(ctx context.Context, label string) func() bool {
	return func() bool {
		before := len(p.ws.Ephemerals(p.user))
		return p.win.Command(p.channel, "/order show "+p.order) == nil && poll(ctx, openingTime/2, look, func() bool {
			return slices.ContainsFunc(p.ws.Ephemerals(p.user)[before:], func(m workspace.Message) bool {
				return p.pressOn(m, label, workspace.Once)
			})
		})
	}
}

// placeAs orders one photo with what a preset fills in.
func (p *player) placeAs(preset func() string) step {
	return func(ctx context.Context) bool {
		return p.placeBy(ctx, form{
			ready:  p.filledFrom(preset()),
			fields: map[string]string{"Project name": p.project},
		})
	}
}

// filledFrom chooses the preset until the form is filled in with it, and reads what it asks for then.
func (p *player) filledFrom(preset string) func(workspace.View) bool {
	var chosen time.Time
	return func(v workspace.View) bool {
		menu, offered := field(v, "Preset")
		box, _ := field(v, "Instructions")
		first, _ := menu.element["initial_option"].(object)
		says, _ := box.element["initial_value"].(string)
		switch {
		case !offered: // it could not be read in time: another form has it
			p.ledger.note("a form without presets")
			_ = p.win.CloseModal()
			return false
		case textOf(first["text"]) == preset && says != "":
			p.asks = says
			return true
		case time.Since(chosen) > 3*time.Second:
			chosen = time.Now()
			if !p.choose(menu, preset) {
				p.ledger.note("a form without the preset")
			}
		}
		return false
	}
}
