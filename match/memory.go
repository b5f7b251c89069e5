package match

// DefaultKept is how many matches that are over a journal in memory keeps when nobody says otherwise.
const DefaultKept = 10_000
