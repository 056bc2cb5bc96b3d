import { headerTags, type Body } from '../bodies/body.ts'
import { literal, type Value } from '../literal.ts'

/** The arguments of a call in Python, one per line. */
export function keywords(values: Record<string, Value>): string {
  return Object.entries(values)
    .map(([name, value]) => `    ${name}=${literal(value, 'python', 1)},\n`)
    .join('')
}

/** Tags as a header, for SDKs whose types or bodies have no place for them. */
export function tagHeaders(tags: readonly string[]): Record<string, string> | undefined {
  const kept = headerTags(tags)
  return kept.length === 0 ? undefined : { 'X-Turnpike-Tags': kept.join(',') }
}

/** The same as an option of the TypeScript client, on a line of its own. */
export function defaultHeaders(tags: readonly string[]): string {
  const headers = tagHeaders(tags)
  return headers === undefined ? '' : `\n  defaultHeaders: ${literal(headers, 'typescript', 1)},`
}

/**
 * The argument of a call in TypeScript; its tags are in a header instead.
 * @param unknown members that the SDK's types do not have
 */
export function argument({ metadata: _tags, ...body }: Body, unknown: readonly string[]): string {
  const [known, others] = splitUnknown(body, unknown)
  const lines = Object.entries(known).map(
    ([name, value]) => `  ${name}: ${literal(value, 'typescript', 1)},\n`,
  )
  if (Object.keys(others).length > 0)
    lines.push(`  // Not in the SDK's types.\n  ...(${literal(others, 'typescript', 1)} as object),\n`)
  return `{\n${lines.join('')}}`
}

/** The same in Python, where SDKs accept unknown members as `extra_body`. */
export function withExtraBody(body: Body, unknown: readonly string[]): Body {
  const [known, others] = splitUnknown(body, unknown)
  return Object.keys(others).length === 0 ? known : { ...known, extra_body: others }
}

function splitUnknown(body: Body, unknown: readonly string[]): [known: Body, others: Body] {
  const of = (isUnknown: boolean): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => unknown.includes(name) === isUnknown))
  return [of(false), of(true)]
}
