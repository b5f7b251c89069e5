package render

import "strings"

// params reads the parameters of a sequence: numbers set apart by semicolons, each perhaps with subparameters after
// colons.
type params struct {
	rest  string
	done  bool
	value int
	sub   string
}

func (p *params) next() bool {
	if p.done {
		return false
	}
	group, rest, more := strings.Cut(p.rest, ";")
	p.rest, p.done = rest, !more
	head, sub, _ := strings.Cut(group, ":")
	p.value, p.sub = number(head), sub
	return true
}

func (p *params) underline() uint8 {
	if p.sub == "" {
		return 1
	}
	return uint8(min(number(p.sub), 5)) //nolint:gosec // 0 to 5
}

// color reads 5;n and 2;r;g;b, also with colons, and then also with a colour space: 2:space:r:g:b.
func (p *params) color(into *color) {
	var part [5]int
	n := 0
	for sub, more := p.sub, p.sub != ""; more && n < len(part); n++ {
		var head string
		head, sub, more = strings.Cut(sub, ":")
		part[n] = number(head)
	}
	for want := 1; p.sub == "" && n < want && p.next(); n++ {
		if part[n] = p.value; n == 0 {
			want = colorLength(p.value)
		}
	}
	switch {
	case part[0] == 5 && n >= 2:
		*into = indexed | color(part[1]&0xff)
	case part[0] == 2 && n >= 4:
		rgb := part[n-3 : n]
		*into = direct | color(rgb[0]&0xff<<16|rgb[1]&0xff<<8|rgb[2]&0xff)
	}
}

// colorLength is how many numbers a colour has that begins with n.
func colorLength(n int) int {
	switch n {
	case 2:
		return 4
	case 5:
		return 2
	}
	return 1
}

// number is text as a decimal number; empty is 0, and what is larger than any parameter stays so without overflow.
func number(text string) int {
	n := 0
	for i := 0; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		n = min(n*10+int(text[i]-'0'), 1<<16)
	}
	return n
}
