/**
 * Generates TypeScript types from an OpenAPI 3.1 document, in the shape that `openapi-fetch` reads. Only
 * supports the JSON Schema features of our own document and rejects all others, so that no type is silently
 * too wide.
 */

type Json = Record<string, unknown>

export interface Document {
  paths: Record<string, Json>
  components: { schemas: Record<string, Json>; parameters?: Record<string, Json> }
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Json
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
/** An object whose line is shorter than this is written on one line. */
const maxOneLineLength = 70
const pageFields = ['object', 'data', 'has_more', 'next_cursor']
/** Headers that `fetch` and our client set themselves. */
const ownHeaders = new Set(['if-none-match', 'authorization', 'x-turnpike-org'])

/** The source of a module that exports `paths`, `components` and `Schemas`. */
export function typesOf(document: Document, isWanted: (path: string) => boolean): string {
  const schemas = Object.entries(document.components.schemas).toSorted(byName)
  const paths = Object.entries(document.paths)
    .filter(([path]) => isWanted(path))
    .toSorted(byName)
  return [
    '/* Written from /openapi.json by schema.test.ts: npx vitest run packages/api -u */',
    '',
    'export interface components {',
    '  schemas: {',
    ...schemas.map(([name, schema]) => `    ${name}: ${typeOf(schema, '    ')}`),
    '  }',
    '}',
    '',
    'interface Failure {',
    `  content: { 'application/json': components['schemas']['Error'] }`,
    '}',
    '',
    '/** A page of a list. */',
    'interface Page<Row> {',
    `  object: 'list'`,
    '  data: Row[]',
    '  has_more: boolean',
    '  next_cursor: string | null',
    '}',
    '',
    'export interface paths {',
    ...paths.flatMap(([path, item]) => pathLines(path, item, document)),
    '}',
    '',
    `export type Schemas = components['schemas']`,
    '',
  ].join('\n')
}

function pathLines(path: string, item: Json, document: Document): string[] {
  const operations = methods.flatMap((method) => {
    const operation = item[method] as Json | undefined
    return operation === undefined ? [] : operationLines(method, operation, document)
  })
  return [`  '${path}': {`, ...operations, '  }']
}

function operationLines(method: string, operation: Json, document: Document): string[] {
  const parameters = ((operation['parameters'] as Parameter[] | undefined) ?? []).map((parameter) =>
    parameter.$ref === undefined
      ? parameter
      : (resolveReference(parameter.$ref, document) as unknown as Parameter),
  )
  const groups = ['query', 'path', 'header'].flatMap((place) => groupOf(place, parameters))
  return [
    `    ${method}: {`,
    ...(groups.length === 0 ? [] : [`      parameters: ${objectOf(groups, '      ')}`]),
    ...bodyLines(operation['requestBody'] as Json | undefined),
    '      responses: {',
    ...responseLines(operation['responses'] as Record<string, Json>),
    '      }',
    '    }',
  ]
}

function groupOf(place: string, all: Parameter[]): string[] {
  const parameters = all.filter((one) => one.in === place && !ownHeaders.has(one.name.toLowerCase()))
  if (parameters.length === 0) return []
  const mark = parameters.some(({ required }) => required) ? '' : '?'
  const indent = '        '
  const fields = parameters.map(
    ({ name, required, schema }) =>
      `${propertyName(name)}${required === true ? '' : '?'}: ${typeOf(schema, `${indent}  `)}`,
  )
  return [`${place}${mark}: ${objectOf(fields, indent)}`]
}

function bodyLines(body: Json | undefined): string[] {
  const schema = jsonSchemaOf(body)
  if (schema === undefined) return []
  const mark = body?.['required'] === true ? '' : '?'
  return [`      requestBody${mark}: { content: { 'application/json': ${typeOf(schema, '      ')} } }`]
}

function responseLines(responses: Record<string, Json>): string[] {
  const lines = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => {
      const schema = jsonSchemaOf(response)
      const content = schema === undefined ? 'never' : `{ 'application/json': ${typeOf(schema, '        ')} }`
      return `        ${status}: { content${schema === undefined ? '?' : ''}: ${content} }`
    })
  return [...lines, '        default: Failure']
}

function jsonSchemaOf(holder: Json | undefined): Json | undefined {
  const content = holder?.['content'] as Record<string, { schema?: Json }> | undefined
  return content?.['application/json']?.schema
}

function resolveReference(reference: string, document: Document): Json {
  const [, , kind, name] = reference.split('/')
  const found = document.components[kind as 'schemas']?.[name ?? '']
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return found
}

/** @param indent of the line in which the type begins */
function typeOf(schema: Json, indent: string): string {
  const reference = schema['$ref'] as string | undefined
  if (reference !== undefined) return `components['schemas']['${reference.split('/').at(-1)!}']`
  if ('const' in schema) return literal(schema['const'])
  const values = schema['enum'] as unknown[] | undefined
  if (values !== undefined) return values.map(literal).join(' | ')
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (choices !== undefined) return unionOf(choices.map((one) => typeOf(one, indent)))
  return plainType(schema, indent)
}

/** `string` includes any literal strings beside it. */
function unionOf(types: readonly string[]): string {
  const isText = types.includes('string')
  return [...new Set(types.filter((type) => !isText || !type.startsWith("'")))].join(' | ')
}

function plainType(schema: Json, indent: string): string {
  const { type } = schema
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayType(schema, indent)
    case 'object':
      return objectType(schema, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`a schema of a kind that is not known: ${JSON.stringify(schema)}`)
  }
}

function arrayType(schema: Json, indent: string): string {
  const item = typeOf((schema['items'] as Json | undefined) ?? {}, indent)
  return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectType(schema: Json, indent: string): string {
  const properties = Object.entries((schema['properties'] as Record<string, Json> | undefined) ?? {})
  if (properties.length === 0) return `Record<string, ${valueType(schema['additionalProperties'], indent)}>`
  const row = rowOfPage(schema, properties)
  if (row !== undefined) return `Page<${typeOf(row, indent)}>`
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const fields = properties.map(
    ([name, property]) =>
      `${propertyName(name)}${required.has(name) ? '' : '?'}: ${typeOf(property, `${indent}  `)}`,
  )
  return objectOf(fields, indent)
}

/** The schema of a row, if this is a page of a list and nothing else. */
function rowOfPage({ required }: Json, properties: readonly [string, Json][]): Json | undefined {
  const names = properties.map(([name]) => name)
  const isPage = [names, required].every((all) => pageFields.join() === String(all))
  return isPage ? (properties[1]![1]['items'] as Json) : undefined
}

/** @param indent of the line in which the object begins */
function objectOf(fields: readonly string[], indent: string): string {
  const line = `{ ${fields.join('; ')} }`
  if (indent.length + line.length < maxOneLineLength && !line.includes('\n')) return line
  return `{\n${fields.map((field) => `${indent}  ${field}\n`).join('')}${indent}}`
}

function valueType(schema: unknown, indent: string): string {
  return typeof schema === 'object' && schema !== null ? typeOf(schema as Json, indent) : 'unknown'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1
}
