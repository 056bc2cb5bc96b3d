import type { HealthFigures } from './health-queries.ts'

/** The client left. Nobody's error. */
export const leftType = 'client_closed_request'

/** Failed requests by error type, without those whose client left. */
export function errorsOf({ errors }: Pick<HealthFigures, 'errors'>): HealthFigures['errors'] {
  return errors.filter(({ type }) => type !== leftType)
}

export function countFailures(figures: Pick<HealthFigures, 'errors'>): number {
  return errorsOf(figures).reduce((sum, { requests }) => sum + requests, 0)
}

/** The share of input that came from a cache; null: there was no input. */
export function cacheShareOf({
  tokens_in: all,
  cache_read_tokens: read,
}: Pick<HealthFigures, 'tokens_in' | 'cache_read_tokens'>): number | null {
  return all === 0 ? null : read / all
}

/** `1.2 %`, `0.04 %`, `31 %`. A share above zero is never shown as 0 %, one below 100 % never as 100 %. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0 || value === 100) return `${value} %`
  if (value < 0.01) return '< 0.01 %'
  if (value > 99.9) return '> 99.9 %'
  const decimals = value < 1 ? 2 : value < 10 || value > 99 ? 1 : 0
  return `${Number(value.toFixed(decimals))} %`
}

/** `42`; with one decimal below ten: `3.4`. */
export function speed(tokens: number): string {
  return tokens < 10 ? String(Number(tokens.toFixed(1))) : Math.round(tokens).toLocaleString('en-US')
}
