import { invalidRequest } from '@turnpike/protocol'

const name = 'anthropic-version'

/** https://platform.claude.com/docs/en/api/versioning */
const versions: ReadonlySet<string> = new Set(['2023-01-01', '2023-06-01', '2026-10-21'])
const latest = '2026-10-21'

const date = /^\d{4}-\d{2}-\d{2}$/

/**
 * Checks the version header, if there is one. Known versions are accepted, and so are newer ones, which the
 * vendor checks. Without a header, the default version applies.
 * @param nowMs Unix epoch milliseconds
 * @throws {GatewayError} 400 for any other version
 */
export function requireKnownVersion(
  head: { header(name: string): string | undefined },
  nowMs: number = Date.now(),
): void {
  const version = head.header(name)
  if (version === undefined || versions.has(version)) return
  const today = new Date(nowMs).toISOString().slice(0, 10)
  if (date.test(version) && !Number.isNaN(Date.parse(version)) && version > latest && version <= today) return
  const expected = `expected the version of the API, as in "${name}: ${latest}"`
  throw invalidRequest(name, `${name}: ${expected}.`)
}
