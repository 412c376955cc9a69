package report

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/go-analyze/charts"
	"github.com/shopspring/decimal"
)

// What a chart is drawn in, in pixels: readable on a phone.
const (
	chartWidth  = 900
	chartHeight = 450
	labelSize   = 9   // 31 days stand side by side
	barSize     = 0.6 // of the place of each
)

// maxBars is how many groups a chart shows.
const maxBars = 12

// chartTitle is what the chart shows; screen readers read it, too.
func (r View) chartTitle() string {
	what, of := "Orders", "by day of "+r.Month.String()
	if r.Money {
		what = "Credits"
	}
	if r.By != "" {
		of = "by " + string(r.By) + ", numbered as below"
	}
	return what + " " + of
}

// Chart draws the report as bars, and returns a PNG: the days of the month, or the groups by their
// numbers. Names are in the text beside it, where every alphabet can be read.
func Chart(r View) ([]byte, error) {
	values, labels := r.bars()
	o := charts.NewBarChartOptionWithData([][]float64{values})
	o.Title.Text = r.chartTitle()
	o.CategoryAxis.Labels = labels
	o.CategoryAxis.LabelFontStyle.FontSize = labelSize
	o.CategoryAxis.LabelCount, o.CategoryAxis.BoundaryGap = len(labels), new(true)
	o.ValueAxis = []charts.ValueAxisOption{{Min: new(0.0)}}                                        // bars are compared by their length
	o.ValueFormatter = func(v float64) string { return decimal.NewFromFloat(v).Round(2).String() } // the library's own writes 20.00
	o.BarSize = barSize
	o.Legend.Show = new(false)
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputPNG, Width: chartWidth, Height: chartHeight, Theme: charts.GetTheme(charts.ThemeLight)})
	if err := p.BarChart(o); err != nil {
		return nil, err
	}
	return p.Bytes()
}

// bars are the heights and names of the bars.
func (r View) bars() (values []float64, labels []string) {
	some := r.Days
	if r.By != "" {
		some = kit.Map(r.Groups[:min(len(r.Groups), maxBars)], func(_ int, g order.ReportGroup) order.Figures { return g.Figures })
	}
	for i, f := range some {
		height := float64(f.Orders)
		if r.Money {
			height = f.Credits.InexactFloat64()
		}
		values, labels = append(values, height), append(labels, strconv.Itoa(i+1))
	}
	return values, labels
}
