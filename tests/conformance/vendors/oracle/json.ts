/** JSON of unknown shape: any member may be missing. */
export type Json = Record<string, unknown>

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
