const whole = new Intl.NumberFormat('en-US')
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** `1,234,567` */
export function wholeNumber(value: number): string {
  return whole.format(value)
}

/** `1.2M`; numbers below ten thousand in full. */
export function shortNumber(value: number): string {
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value)
}

/** `820 ms`, `4.2 s`, `2 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** `1 key`, `2 keys` */
export function countOf(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}
