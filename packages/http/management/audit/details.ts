/** A field with more JSON than this is recorded by its length only. */
const maxFieldCharacters = 2_000

/** A user may, for example, name a key after itself. */
const rawKeys = /sk-turnpike-[0-9A-Za-z]+/g
const shownPrefix = 16
/** Fields that are not recorded at all, not even by their length. */
const secrets = /password$|^secret$/

/**
 * The fields of a request, and the program that made it for the user, as JSON; null if there are none.
 * Passwords and secrets are left out, and anything that looks like a key is cut to its prefix.
 */
export function actionDetails(body: unknown, via?: string): string | null {
  const named = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const fields = named
    .filter(([name]) => !secrets.test(name))
    .map(([name, value]) => [name, shorten(value)] as const)
  if (via !== undefined) fields.push(['via', via])
  if (fields.length === 0) return null
  const json = JSON.stringify(Object.fromEntries(fields))
  return json.replaceAll(rawKeys, (key) => `${key.slice(0, shownPrefix)}…`)
}

function shorten(value: unknown): unknown {
  const { length } = JSON.stringify(value)
  return length > maxFieldCharacters ? `… (${length} characters)` : value
}
