// Package requirements asks what delivered photos must be, for a channel's settings and for a preset.
package requirements

import (
	"slices"
	"strconv"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
)

// Field is one question about delivered photos.
type Field struct {
	Ask func(p *kit.Page, now order.Requirements) // adds the input, filled in from now
	// Read applies the answer and returns problems by block id. It keeps values that the form did not ask for.
	Read func(view slack.View, now *order.Requirements) map[string]string
}

// Fields returns the questions, in order.
func Fields() []Field { return []Field{size, ratio, formats, profile, largest, also} }

const (
	maxTyped = 30    // characters of a size or ratio
	anything = "any" // the value of the option that requires nothing
)

// typed is a question that is answered with text.
func typed(field, label, hint, problem string, value func(order.Requirements) string, with func(order.Requirements, string) (order.Requirements, error)) Field {
	return Field{
		Ask: func(p *kit.Page, now order.Requirements) {
			p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, kit.Input(field, value(now), maxTyped)).WithOptional(true))
		},
		Read: func(view slack.View, now *order.Requirements) map[string]string {
			if !kit.HasField(view, field) {
				return nil
			}
			changed, err := with(*now, kit.TextOf(view, field))
			if err != nil {
				return kit.Beside(view, field, problem)
			}
			*now = changed
			return nil
		},
	}
}

var size = typed("photo-size", "Size in pixels", "2000 is the least long edge. 2000 × 1500 is exact.", "Type 2000 for the long edge, or 2000 × 1500 for an exact size.",
	order.Requirements.Size, order.Requirements.WithSize)

var ratio = typed("photo-ratio", "Aspect ratio", "3:2 holds for upright photos, too.", "Type two numbers, as 3:2.",
	order.Requirements.Ratio, order.Requirements.WithRatio)

var largest = typed("photo-megabytes", "Largest file in MB", "", "Type a whole number from 1 to 10,000.", megabytes, withMegabytes)

func megabytes(r order.Requirements) string { return kit.OnlyIf(r.MaxMB > 0, strconv.Itoa(r.MaxMB)) }

func withMegabytes(r order.Requirements, text string) (order.Requirements, error) {
	r.MaxMB = 0
	if text == "" {
		return r, nil
	}
	n, err := strconv.Atoi(text)
	if err == nil && (n < 1 || n > order.MaxFileMB) {
		err = strconv.ErrRange
	}
	r.MaxMB = n
	return r, err
}

// ticked is a question that is answered with checkboxes.
func ticked(field, label string, options []*slack.OptionBlockObject, chosen func(order.Requirements) []string, choose func(now *order.Requirements, values []string) (problem string)) Field {
	return Field{
		Ask: func(p *kit.Page, now order.Requirements) {
			boxes := slack.NewCheckboxGroupsBlockElement(field, options...)
			for _, value := range chosen(now) {
				if option := kit.OptionOf(options, value); option != nil {
					boxes.InitialOptions = append(boxes.InitialOptions, option)
				}
			}
			p.Put(kit.Field(kit.BlockID(field, 0, 0), label, "", boxes).WithOptional(true))
		},
		Read: func(view slack.View, now *order.Requirements) map[string]string {
			for _, answer := range kit.AnswersOf(view, field) {
				if problem := choose(now, kit.ChosenIn(answer.BlockAction)); problem != "" {
					return kit.Beside(view, field, problem)
				}
			}
			return nil
		},
	}
}

var formats = ticked("photo-formats", "File formats", kit.Map(order.Formats(), func(_ int, format string) *slack.OptionBlockObject {
	return kit.Option(format, cards.FormatName(format), "")
}), func(now order.Requirements) []string { return now.Formats },
	func(now *order.Requirements, values []string) string {
		now.Formats = nil
		for _, format := range order.Formats() {
			if slices.Contains(values, format) {
				now.Formats = append(now.Formats, format)
			}
		}
		return ""
	})

const sameNames = "names"

var also = ticked("photo-also", "Also", []*slack.OptionBlockObject{
	kit.Option(string(order.BackgroundWhite), "Plain white background", ""),
	kit.Option(string(order.BackgroundTransparent), "Transparent background", ""),
	kit.Option(sameNames, "File names stay the same", ""),
}, func(now order.Requirements) []string {
	return []string{string(now.Backdrop), kit.OnlyIf(now.Names, sameNames)}
}, func(now *order.Requirements, values []string) string {
	white, transparent := slices.Contains(values, string(order.BackgroundWhite)), slices.Contains(values, string(order.BackgroundTransparent))
	now.Names, now.Backdrop = slices.Contains(values, sameNames), ""
	switch {
	case white && transparent:
		return "A background is white or transparent. Choose one."
	case white:
		now.Backdrop = order.BackgroundWhite
	case transparent:
		now.Backdrop = order.BackgroundTransparent
	}
	return ""
})

var profile = Field{
	Ask: func(p *kit.Page, now order.Requirements) {
		options := []*slack.OptionBlockObject{kit.Option(anything, "Any", "")}
		for _, profile := range order.Profiles() {
			name := cards.ProfileName(profile)
			options = append(options, kit.Option(profile, kit.Either(profile == order.ProfileSRGB, "Standard ("+name+")", name), ""))
		}
		menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose"), "photo-profile", options...)
		if menu.InitialOption = kit.OptionOf(options, now.Profile); menu.InitialOption == nil {
			menu.InitialOption = options[0]
		}
		p.Put(kit.Field(kit.BlockID("photo-profile", 0, 0), "Color profile", "", menu))
	},
	Read: func(view slack.View, now *order.Requirements) map[string]string {
		switch chosen := kit.AnswerOf(view, "photo-profile").SelectedOption.Value; {
		case chosen == anything:
			now.Profile = ""
		case slices.Contains(order.Profiles(), chosen):
			now.Profile = chosen
		}
		return nil
	},
}

// Says says what delivered photos must be, or "" if that is nothing.
func Says(r order.Requirements) string {
	edge := kit.OnlyIf(r.LongEdge > 0, "long edge "+kit.Thousands(r.LongEdge)+" px or more")
	exact := kit.OnlyIf(r.Width > 0, r.Size()+" px")
	backdrop := kit.OnlyIf(r.Backdrop != "", cards.BackgroundName(r.Backdrop)+" background")
	profile := kit.OnlyIf(r.Profile != "", cards.ProfileName(r.Profile))
	return kit.Prefixed("Photos: ", kit.FullStop(kit.Join(", ", edge, exact, r.Ratio(), cards.FormatNames(r.Formats), profile,
		kit.OnlyIf(r.MaxMB > 0, "at most "+megabytes(r)+" MB"), backdrop, kit.OnlyIf(r.Names, "same file names"))))
}
