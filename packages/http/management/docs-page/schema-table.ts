import { html, type Html } from '@turnpike/identity'
import type { JsonSchema } from '../openapi/document-types.ts'
import { inline } from './markdown.ts'

const schemaPrefix = '#/components/schemas/'

/** The fields of an object, one row each; undefined if it has none. */
export function fieldTable(schema: JsonSchema): Html | undefined {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  if (properties.length === 0) return undefined
  const required = new Set((schema['required'] ?? []) as string[])
  return table(
    properties.map(([name, field]) => fieldRow(name, field, required.has(name), descriptionOf(field))),
  )
}

export function table(rows: Html[]): Html {
  return html`<table class="fields">
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

export function fieldRow(name: string, schema: JsonSchema, required: boolean, description: string): Html {
  const mark = required ? undefined : html` <small>optional</small>`
  return html`<tr>
    <th scope="row"><code>${name}</code>${mark}</th>
    <td><span class="type">${typeText(schema)}</span> ${inline(description)}${innerFields(schema)}</td>
  </tr>`
}

function descriptionOf(schema: JsonSchema): string {
  if (typeof schema['description'] === 'string') return schema['description']
  return (
    alternativesOf(schema)
      .map(descriptionOf)
      .find((text) => text !== '') ?? ''
  )
}

/** The fields of an object within an object, or of the objects in a list. */
function innerFields(schema: JsonSchema): Html[] {
  const alternatives = schema['anyOf'] === undefined ? [schema] : alternativesOf(schema)
  return alternatives
    .map((one) => fieldTable((one['items'] ?? one) as JsonSchema))
    .filter((one) => one !== undefined)
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return (schema['anyOf'] ?? []) as JsonSchema[]
}

/** The type of a value in a few words: `string | null`, `list of Key`. */
export function typeText(schema: JsonSchema): Html {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice(schemaPrefix.length)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema['anyOf'] !== undefined) return either(alternativesOf(schema).map(typeText))
  if (Array.isArray(schema['enum'])) return either(schema['enum'].map(constant))
  if (schema['const'] !== undefined) return constant(schema['const'])
  if (schema['type'] === 'array') return html`list of ${typeText((schema['items'] ?? {}) as JsonSchema)}`
  return html`${typeof schema['type'] === 'string' ? schema['type'] : 'any value'}${bounds(schema)}`
}

function either(texts: Html[]): Html {
  const different = texts.filter(({ text }, index) => texts.findIndex((one) => one.text === text) === index)
  return html`${different.map((one, index) => (index === 0 ? one : html` | ${one}`))}`
}

function constant(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`
}

/** Bounds of numbers in JSON Schema. */
interface Bounds {
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

function bounds({ minimum, maximum, minLength = 0, maxLength }: Bounds): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return maxLength === undefined ? '' : `, ${minLength} to ${maxLength} characters`
}
