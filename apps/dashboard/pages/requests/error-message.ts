const maxLength = 1_000

/** The message of an error in any API's format, `{error: {message}}`; undefined if it is not an error. */
export function errorMessageIn(body: unknown): string | undefined {
  const message = fieldOf(fieldOf(body, 'error'), 'message')
  return typeof message === 'string' && message.trim() !== '' ? message.slice(0, maxLength) : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
