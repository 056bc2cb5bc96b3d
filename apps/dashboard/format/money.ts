/*
 * Money is a decimal string in the API and a bigint of pico-USD (1e-12) here, as in the gateway. It is
 * never held as a float. Only this file decides how money is shown.
 */

const decimals = 12
const picoPerUsd = 10n ** BigInt(decimals)
/** Significant digits of amounts below ten cents. */
const smallFigures = 4
const cents = 2

/** @throws {RangeError} if the text is not an amount as the API writes it */
export function parseUsd(amount: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(amount) ?? []
  if (whole === undefined) throw new RangeError(`"${amount}" is no amount`)
  const pico = BigInt(whole) * picoPerUsd + BigInt(fraction.padEnd(decimals, '0'))
  return sign === '-' ? -pico : pico
}

export function sumUsd(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + parseUsd(amount), 0n)
}

/** The exact amount: `$0.00004175`, `$1,234.50`. */
export function exactUsd(amount: string | bigint): string {
  const { sign, whole, fraction } = partsOf(amount)
  const kept = fraction.replace(/0+$/, '').padEnd(2, '0')
  return `${sign}$${groupDigits(whole)}.${kept}`
}

/**
 * A rounded amount: cents from ten cents on, so that the decimal points of a column align; four significant
 * digits below that. An amount above zero is never shown as zero: `$0.00004175`.
 */
export function shortUsd(amount: string | bigint): string {
  const pico = typeof amount === 'string' ? parseUsd(amount) : amount
  if (pico === 0n) return '$0.00'
  const size = pico < 0n ? -pico : pico
  // Rounding may carry into the next digit, so the step comes from the unrounded size.
  const zeros = leadingZeros(size)
  const digits = zeros <= 0 ? cents : Math.min(decimals, zeros + smallFigures)
  return exactUsd(roundPico(pico, decimals - digits))
}

/** A price per token as a price per million: `$2.50`. */
export function perMillion(price: string): string {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(price) ?? []
  if (whole === undefined) throw new RangeError(`"${price}" is no price`)
  const shifted = fraction.padEnd(6, '0')
  const kept = shifted.slice(6).replace(/0+$/, '')
  const cents = kept.padEnd(2, '0')
  return `$${groupDigits(BigInt(whole + shifted.slice(0, 6)))}.${cents}`
}

/** The label of an axis mark. The chart chose a round value. */
export function axisUsd(value: number): string {
  if (value === 0) return '$0'
  const magnitude = Math.abs(value)
  if (magnitude >= 1000) return `$${compact.format(value)}`
  if (magnitude >= 100 && Number.isInteger(value)) return `$${value}`
  return `$${magnitude >= 1 ? value.toFixed(cents) : plainSmall(value)}`
}

/** A share in percent, to a tenth; undefined if the whole is zero. */
export function shareOf(part: bigint, whole: bigint): number | undefined {
  if (whole <= 0n) return undefined
  return Number((part * 1000n) / whole) / 10
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function plainSmall(value: number): string {
  return value.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1')
}

function partsOf(amount: string | bigint): { sign: string; whole: bigint; fraction: string } {
  const pico = typeof amount === 'string' ? parseUsd(amount) : amount
  const size = pico < 0n ? -pico : pico
  return {
    sign: pico < 0n ? '−' : '',
    whole: size / picoPerUsd,
    fraction: String(size % picoPerUsd).padStart(decimals, '0'),
  }
}

/** Rounds half away from zero, as the gateway rounds charges. */
function roundPico(pico: bigint, droppedDigits: number): bigint {
  const step = 10n ** BigInt(droppedDigits)
  const half = step / 2n
  return ((pico < 0n ? pico - half : pico + half) / step) * step
}

/** Zeros behind the decimal point of an amount below a dollar. */
function leadingZeros(size: bigint): number {
  return decimals - String(size).length
}

function groupDigits(whole: bigint): string {
  return whole.toLocaleString('en-US')
}

/** Compares two prices or amounts that are not negative, with any number of decimals. */
export function comparePrices(left: string, right: string): number {
  const [leftWhole = '', leftFraction = ''] = left.split('.')
  const [rightWhole = '', rightFraction = ''] = right.split('.')
  const width = Math.max(leftFraction.length, rightFraction.length)
  const difference =
    BigInt(leftWhole + leftFraction.padEnd(width, '0')) -
    BigInt(rightWhole + rightFraction.padEnd(width, '0'))
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
