import type { HealthFigures } from './health-queries.ts'

/** Callers who left: no error of anybody. */
export const leftType = 'client_closed_request'

/** Requests that failed, by error type; without those whose caller left. */
export function errorsOf({ errors }: Pick<HealthFigures, 'errors'>): HealthFigures['errors'] {
  return errors.filter(({ type }) => type !== leftType)
}

export function countFailures(figures: Pick<HealthFigures, 'errors'>): number {
  return errorsOf(figures).reduce((sum, { requests }) => sum + requests, 0)
}

/** Of all input the share that came out of a cache; null: there was no input. */
export function cacheShareOf({
  tokens_in: all,
  cache_read_tokens: read,
}: Pick<HealthFigures, 'tokens_in' | 'cache_read_tokens'>): number | null {
  return all === 0 ? null : read / all
}

/** `1.2 %`, `0.04 %`, `31 %`; what is not nothing is never shown as nothing, and not all never as all. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0 || value === 100) return `${value} %`
  if (value < 0.01) return '< 0.01 %'
  if (value > 99.9) return '> 99.9 %'
  const decimals = value < 1 ? 2 : value < 10 || value > 99 ? 1 : 0
  return `${Number(value.toFixed(decimals))} %`
}

/** `42 a second`, `3.4` below ten. */
export function speed(tokens: number): string {
  return tokens < 10 ? String(Number(tokens.toFixed(1))) : Math.round(tokens).toLocaleString('en-US')
}
