import { badInput } from '../failure.ts'

/** An option's integer; undefined without the option. */
export function wholeNumber(
  value: string | undefined,
  option: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw badInput(`${option}: expected a whole number from ${min} to ${max}, got "${value}".`, option)
}

/** An option's amount in USD, as a decimal string; 0 only if that is allowed. */
export function usdAmount(value: string, option: string, { mayBeZero = false } = {}): string {
  if (/^\d+(\.\d{1,12})?$/.test(value) && (mayBeZero || Number(value) > 0)) return value
  throw badInput(`${option}: expected an amount of USD such as 25 or 12.50, got "${value}".`, option)
}
