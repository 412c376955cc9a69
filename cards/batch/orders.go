package batch

import (
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
)

// TitleOrders is the title of the window that lists a batch's orders.
const TitleOrders = "Orders"

// NoOrders is said in place of a list without orders.
const NoOrders = "None of these orders is in a channel that you can see."

// Orders lists a page of a batch's orders in a window, newest first. Each has one button, which shows it.
func Orders(c Channel, page int, externalID string) slack.ModalViewRequest {
	pages := cards.PagesOf(len(c.Orders), cards.PageSize)
	page = min(max(page, 0), pages-1)
	first, last := cards.PageSpan(len(c.Orders), page, cards.PageSize)
	p := kit.NewWindow(kit.Either(len(c.Orders) == 0, NoOrders, "*"+kit.Inline(c.Card.Name, 200)+"*\n"+cards.PageOf(len(c.Orders), page, pages)))
	for _, t := range c.Orders[first:last] {
		words := "*" + cards.Project(t) + "*\n" + cards.InOneLine(t)
		if kit.Units(t.ID) > kit.MaxID { // a button with it would exceed Slack's limits
			p.Section(kit.Cut(words, maxOrderRow), nil)
			continue
		}
		p.Section(kit.Cut(words, maxOrderRow), slack.NewAccessory(cards.ShowButton(t)))
	}
	p.Paging(ActionOrdersPage, pageValue(c.Card.ID, page-1, pages), pageValue(c.Card.ID, page+1, pages))
	return p.Modal(TitleOrders, externalID, kit.Meta{})
}

// maxOrderRow bounds one order of the list, in bytes.
const maxOrderRow = 1000

// pageValue is the value of a button to a page, or "" for a page that is not there.
func pageValue(id string, page, pages int) string {
	return kit.OnlyIf(page >= 0 && page < pages, strconv.Itoa(page)+" "+id)
}

// PageAsked returns the batch and the page that a button asks for.
func PageAsked(action, value string) (id string, page int) {
	if !strings.HasPrefix(action, ActionOrdersPage) {
		return value, 0
	}
	number, id, _ := strings.Cut(value, " ")
	page, err := strconv.Atoi(number)
	if err != nil {
		return id, 0
	}
	return id, page
}
