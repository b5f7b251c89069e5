package botproto

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"notakto/rules"
)

// requiredFields returns the fields of a request by the verb that needs them.
func requiredFields() map[Verb][]string {
	return map[Verb][]string{
		DoComputer: {"level"}, DoJoin: {"code"}, DoMove: {"match", "move"}, DoResign: {"match"}, DoRematch: {"match"},
		DoTakeback: {"match"}, DoHint: {"match"}, DoDecline: {"match"}, DoWatch: {"match"}, DoLeave: {"match"},
		DoState: {"match"}, DoAccept: {"match"},
	}
}

type schema map[string]any

// Schema returns the JSON Schema of all messages, in draft 2020-12. Its definitions are "request" and "event".
func Schema() ([]byte, error) {
	request := schemaOf(reflect.TypeFor[Request](), "")
	var verbs, all []schema
	needed := requiredFields()
	for _, do := range Verbs() {
		verbs = append(verbs, schema{
			"properties": schema{"do": schema{"const": do}}, "required": append([]string{"do"}, needed[do]...),
		})
	}
	request["oneOf"] = verbs
	for _, e := range events {
		properties, required := fieldsOf(reflect.TypeOf(e))
		properties["event"] = schema{"const": e.Name()}
		all = append(all, schema{
			"type": "object", "properties": properties, "required": append([]string{"event"}, required...),
		})
	}
	return json.MarshalIndent(schema{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   fmt.Sprintf("Bot protocol of Notakto, version %d", Version),
		"oneOf":   []schema{{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/event"}},
		"$defs":   schema{"request": request, "event": schema{"oneOf": all}},
	}, "", "  ")
}

// schemaOf returns the schema of a Go type. The tag "enum" of its field has the possible texts.
func schemaOf(t reflect.Type, tag reflect.StructTag) schema {
	switch t {
	case reflect.TypeFor[rules.Side]():
		return schema{"enum": []int{0, 1, 2}}
	case reflect.TypeFor[ErrorCode]():
		return schema{"enum": Codes()}
	case reflect.TypeFor[json.Number]():
		return schema{"type": "number"}
	case reflect.TypeFor[time.Time]():
		return schema{"type": "string", "format": "date-time"}
	}
	switch t.Kind() {
	case reflect.Struct:
		properties, required := fieldsOf(t)
		return schema{"type": "object", "properties": properties, "required": required}
	case reflect.Pointer:
		return schemaOf(t.Elem(), tag)
	case reflect.Slice:
		return schema{"type": "array", "items": schemaOf(t.Elem(), "")}
	case reflect.Array:
		return schema{
			"type": "array", "items": schemaOf(t.Elem(), ""), "minItems": t.Len(), "maxItems": t.Len(),
		}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		if texts, limited := tag.Lookup("enum"); limited {
			return schema{"enum": strings.Fields(texts)}
		}
		return schema{"type": "string"}
	default:
		return schema{"type": "integer"}
	}
}

// fieldsOf returns the schemas of a struct's fields by name, and the names of the required fields. A field without
// "omitempty" is required, and may be null if it is a pointer.
func fieldsOf(t reflect.Type) (properties schema, required []string) {
	properties = schema{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		one := schemaOf(field.Type, field.Tag)
		if options == "" {
			required = append(required, name)
			if field.Type.Kind() == reflect.Pointer {
				one = schema{"oneOf": []schema{one, {"type": "null"}}}
			}
		}
		properties[name] = one
	}
	return properties, required
}
