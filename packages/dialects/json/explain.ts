import { invalidRequest, type GatewayError } from '@turnpike/protocol'

/** A mistake as a TypeBox (or ajv) validator reports it. */
export interface SchemaMistake {
  keyword: string
  /** JSON Pointer to the value. */
  instancePath: string
  params: object
  message?: string
}

/** A schema node. `expected` is our description of what it accepts, shown to callers. */
interface SchemaNode {
  expected?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  anyOf?: SchemaNode[]
}

/** How a format writes the path to a field. */
export type PathStyle = (path: readonly string[]) => string

/** The 400 for a body that its schema rejects. It names the field and what was expected. */
export function explainMistakes(
  schema: object,
  mistakes: readonly SchemaMistake[],
  written: PathStyle = fieldPath,
): GatewayError {
  const mistake = mostTelling(mistakes)
  const pointer = segments(mistake.instancePath)
  const missing = missingProperty(mistake)
  if (missing !== undefined) {
    const param = written([...pointer, missing])
    const expected = findExpected(schema, [...pointer, missing])
    return invalidRequest(
      param,
      `${param} is required${expected === undefined ? '' : `: expected ${expected}`}.`,
    )
  }
  const param = pointer.length === 0 ? undefined : written(pointer)
  const expected =
    findExpected(schema, pointer) ??
    (mistake.message ?? 'another value').replace(/^must /, 'a value that must ')
  return invalidRequest(param, `${param ?? 'The body'}: expected ${expected}.`)
}

/** Longest field name that an error repeats. */
const maxNameCharacters = 64

/** Converts `["messages", "3", "content"]` to `messages[3].content`. */
export function fieldPath(path: readonly string[]): string {
  let text = ''
  for (const segment of path) {
    if (/^\d+$/.test(segment)) text += `[${segment}]`
    else text += text === '' ? shortenName(segment) : `.${shortenName(segment)}`
  }
  return text
}

/** Converts `["messages", "3", "content"]` to `messages.3.content`, as Anthropic writes it. */
export function dottedPath(path: readonly string[]): string {
  return path.map(shortenName).join('.')
}

function shortenName(name: string): string {
  return name.length <= maxNameCharacters ? name : `${name.slice(0, maxNameCharacters).toWellFormed()}…`
}

/** The first mistake, or the deepest one below it: in a union, the branch which the caller intended. */
function mostTelling(mistakes: readonly SchemaMistake[]): SchemaMistake {
  let found = mistakes[0]
  if (found === undefined) throw new Error('a schema rejected a value without naming the mistake')
  const first = found.instancePath
  for (const mistake of mistakes) {
    const below = mistake.instancePath.startsWith(`${first}/`)
    if (below && segments(mistake.instancePath).length > segments(found.instancePath).length) found = mistake
  }
  return found
}

function missingProperty(mistake: SchemaMistake): string | undefined {
  if (mistake.keyword !== 'required') return undefined
  const params = mistake.params as { requiredProperties?: string[]; missingProperty?: string }
  return params.requiredProperties?.[0] ?? params.missingProperty
}

function segments(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function findExpected(schema: SchemaNode, path: readonly string[]): string | undefined {
  const [head, ...rest] = path
  if (head === undefined) return schema.expected
  for (const branch of schema.anyOf ?? []) {
    const found = findExpected(branch, path)
    if (found !== undefined) return found
  }
  const child = schema.properties?.[head] ?? (/^\d+$/.test(head) ? schema.items : undefined)
  return child === undefined ? undefined : findExpected(child, rest)
}
