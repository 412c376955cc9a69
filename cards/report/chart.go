package report

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/go-analyze/charts"
	"github.com/shopspring/decimal"
)

// Sizes of a chart, in pixels, readable on a phone.
const (
	chartWidth  = 900
	chartHeight = 450
	labelSize   = 9   // 31 days must fit
	barSize     = 0.6 // share of the space for each bar
)

// maxBars bounds how many groups a chart shows.
const maxBars = 12

// chartTitle describes the chart. Screen readers read it too.
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

// Chart draws the report as a PNG bar chart: the days of the month, or numbered groups. The names stand in the
// text, because the chart's font lacks many alphabets.
func Chart(r View) ([]byte, error) {
	values, labels := r.bars()
	o := charts.NewBarChartOptionWithData([][]float64{values})
	o.Title.Text = r.chartTitle()
	o.CategoryAxis.Labels = labels
	o.CategoryAxis.LabelFontStyle.FontSize = labelSize
	o.CategoryAxis.LabelCount, o.CategoryAxis.BoundaryGap = len(labels), new(true)
	o.ValueAxis = []charts.ValueAxisOption{{Min: new(0.0)}}                                        // bars must start at zero
	o.ValueFormatter = func(v float64) string { return decimal.NewFromFloat(v).Round(2).String() } // the default writes 20.00
	o.BarSize = barSize
	o.Legend.Show = new(false)
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputPNG, Width: chartWidth, Height: chartHeight, Theme: charts.GetTheme(charts.ThemeLight)})
	if err := p.BarChart(o); err != nil {
		return nil, err
	}
	return p.Bytes()
}

// bars returns the bars' heights and labels.
func (r View) bars() (values []float64, labels []string) {
	some := r.Days
	if r.By != "" {
		some = kit.Map(r.Groups[:min(len(r.Groups), maxBars)], func(_ int, g order.ReportGroup) order.Figures { return g.Figures })
	}
	for i, f := range some {
		height := kit.Either(r.Money, f.Credits.InexactFloat64(), float64(f.Orders))
		values, labels = append(values, height), append(labels, strconv.Itoa(i+1))
	}
	return values, labels
}
