package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"notakto/internal/testkit"
	"notakto/sshapp/bot/botproto"
)

var protocolSchema = sync.OnceValue(func() (root map[string]any) {
	text, err := botproto.Schema()
	if err == nil {
		err = decode(string(text), &root)
	}
	if err != nil {
		panic(err)
	}
	return root
})

// decode keeps numbers as they are written.
func decode(text string, value any) error {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	return in.Decode(value)
}

// checkMessage returns why a line is no message of a definition, "request" or "event".
func checkMessage(definition, line string) error {
	var value any
	if err := decode(line, &value); err != nil {
		return err
	}
	return validate(map[string]any{"$ref": "#/$defs/" + definition}, value)
}

// validate checks a value by the keywords of JSON Schema that the protocol uses. Another keyword is an error.
func validate(schema map[string]any, value any) error {
	object, isObject := value.(map[string]any)
	array, isArray := value.([]any)
	for keyword, want := range schema {
		switch keyword {
		case "$ref":
			definitions, _ := protocolSchema()["$defs"].(map[string]any)
			target, found := definitions[strings.TrimPrefix(fmt.Sprint(want), "#/$defs/")].(map[string]any)
			if !found {
				return fmt.Errorf("no definition %v", want)
			}
			if err := validate(target, value); err != nil {
				return err
			}
		case "title", "format":
		case "const":
			if !reflect.DeepEqual(value, want) {
				return fmt.Errorf("%v is not %v", value, want)
			}
		case "enum":
			all, _ := want.([]any)
			if !slices.ContainsFunc(all, func(one any) bool { return reflect.DeepEqual(one, value) }) {
				return fmt.Errorf("%v is none of %v", value, want)
			}
		case "type":
			if got := typeOf(value); got != want && (got != "integer" || want != "number") {
				return fmt.Errorf("%v is of type %s, not %v", value, got, want)
			}
		case "minItems", "maxItems":
			limit, _ := strconv.Atoi(fmt.Sprint(want))
			if isArray && (keyword == "minItems" && len(array) < limit || keyword == "maxItems" && len(array) > limit) {
				return fmt.Errorf("%v has %d items, %s is %v", value, len(array), keyword, want)
			}
		case "items":
			each, _ := want.(map[string]any)
			for _, item := range array {
				if err := validate(each, item); err != nil {
					return err
				}
			}
		case "required":
			names, _ := want.([]any)
			for _, name := range names {
				if _, given := object[fmt.Sprint(name)]; isObject && !given {
					return fmt.Errorf("no field %v", name)
				}
			}
		case "properties":
			properties, _ := want.(map[string]any)
			for name, property := range properties {
				one, _ := property.(map[string]any)
				if field, given := object[name]; given {
					if err := validate(one, field); err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
				}
			}
		case "oneOf":
			if err := validateOneOf(want, value); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown keyword %s", keyword)
		}
	}
	return nil
}

func validateOneOf(choices, value any) (err error) {
	matching := 0
	all, _ := choices.([]any)
	for _, choice := range all {
		one, _ := choice.(map[string]any)
		if why := validate(one, value); why != nil {
			err = errors.Join(err, why)
		} else {
			matching++
		}
	}
	if matching == 1 {
		return nil
	}
	return errors.Join(fmt.Errorf("it matches %d of %d schemas", matching, len(all)), err)
}

func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func TestTheSchemaRefusesOtherMessages(t *testing.T) {
	for definition, lines := range map[string][]string{
		"request": {
			`7`, `[]`, `{}`, `{"do":"dance"}`, `{"do":7}`, `{"do":"move","move":"A5"}`, `{"do":"move","match":"m"}`,
			`{"do":"seek","variants":"notakto/1"}`, `{"do":"seek","variants":[1]}`, `{"do":"ping","n":"7"}`,
			`{"do":"seek","rated":"yes"}`, `{"do":"computer"}`, `{"do":"computer","level":"club","seat":3}`,
			`{"event":"pong"}`,
		},
		"event": {
			`null`, `{}`, `{"event":"dance"}`, `{"do":"ping"}`, `{"event":"table","code":"K7QX"}`,
			`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","turn":2}`,
			`{"event":"move","match":"m","ply":1.5,"seat":1,"move":"A3","died":null,"turn":2}`,
			`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2,"clocks":[1]}`,
			`{"event":"end","match":"m","winner":1,"reason":"boredom"}`,
			`{"event":"error","code":"oops","message":""}`,
			`{"event":"welcome","protocol":1,"player":{"id":"a","name":"ann"},"matches":[]}`,
			`{"event":"welcome","protocol":1,"player":{"id":"a","name":"ann","guest":false},"matches":null}`,
		},
	} {
		for _, line := range lines {
			if checkMessage(definition, line) == nil {
				t.Errorf("the schema accepts the %s %s", definition, line)
			}
		}
	}
}

// The page has an example of each request and event. An example with … has the missing fields of the page's first
// example of its event.
func TestTheExamplesOfThePageFollowTheSchema(t *testing.T) {
	const player = `{"id":"a","name":"ann","guest":false}`
	text := strings.NewReplacer("{…}", player, `…"`, `"`, ":…", `:"x"`, ",…", "").Replace(readPage(t))
	first, requested := make(map[string]map[string]any), make(map[string]bool)
	for _, found := range regexp.MustCompile("(?m)^    ({\"event\".*})$").FindAllStringSubmatch(text, -1) {
		var example map[string]any
		testkit.OK(t, decode(found[1], &example))
		name := fmt.Sprint(example["event"])
		whole := maps.Clone(first[name])
		if whole == nil {
			whole = make(map[string]any)
			first[name] = example
		}
		maps.Copy(whole, example)
		if err := validate(map[string]any{"$ref": "#/$defs/event"}, whole); err != nil {
			t.Errorf("%s: %v", found[1], err)
		}
	}
	for _, found := range regexp.MustCompile("`({\"do\":\"(\\w+)\".*?})`").FindAllStringSubmatch(text, -1) {
		if err := checkMessage("request", found[1]); err != nil {
			t.Errorf("%s: %v", found[1], err)
		}
		requested[found[2]] = true
	}
	for _, name := range botproto.EventNames() {
		if first[name] == nil {
			t.Errorf("docs/bot.md has no event %q", name)
		}
	}
	for _, do := range botproto.Verbs() {
		if !requested[string(do)] {
			t.Errorf("docs/bot.md has no verb %q", do)
		}
	}
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/bot.md")
	testkit.OK(t, err)
	return string(page)
}

func TestEveryCodeIsDocumented(t *testing.T) {
	_, section, _ := strings.Cut(readPage(t), "## Errors")
	section, _, _ = strings.Cut(section, "\n## ")
	var documented, codes []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ")...)
	}
	for _, code := range botproto.Codes() {
		codes = append(codes, string(code))
	}
	slices.Sort(documented)
	if slices.Sort(codes); !slices.Equal(documented, codes) {
		t.Errorf("docs/bot.md has the codes %v, want %v", documented, codes)
	}
}
