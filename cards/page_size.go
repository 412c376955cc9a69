package cards

// PageSize is how many orders a page has.
const PageSize = 10

// PagesOf is how many pages so many orders fill; an empty list has one.
func PagesOf(total, size int) int { return max((total+size-1)/size, 1) }
