package order

// Filter narrows a list of orders. Its zero value is the first page of all.
type Filter struct {
	Status     string // "all", or a status other than canceled; "": all
	CustomerID string
	Keywords   []string // each of six characters or more
	Page       int      // from 1; 0 = 1
}

// Page is one page of the account's orders, newest first. A number that the
// answer did not say is 0.
type Page struct {
	Orders     []Order
	PerPage    int
	Current    int
	TotalPages int
	Total      int // orders on all pages
}
