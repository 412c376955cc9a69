package kit

// CountFunc returns how many elements fit.
func CountFunc[E any](list []E, fits func(E) bool) (n int) {
	for _, element := range list {
		if fits(element) {
			n++
		}
	}
	return n
}

// Map applies convert to each element and its index. It returns nil for an empty list.
func Map[E, T any](list []E, convert func(index int, element E) T) []T {
	var all []T
	for i, element := range list {
		all = append(all, convert(i, element))
	}
	return all
}
