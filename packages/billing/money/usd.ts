/** Money is an integer of pico-USD. Only these functions know its wire format (docs/contract.md, 1). */

export const picoPerUsd = 1_000_000_000_000n
const decimals = 12

/** The largest value a 64-bit column holds. */
export const maxPico = 2n ** 63n - 1n

const decimalPattern = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/

export class AmountError extends Error {
  override readonly name = 'AmountError'
}

/**
 * Parses USD, a decimal string or a JSON number, to pico-USD.
 * @throws {AmountError} if it is not a plain decimal, has more than 12 decimals, or exceeds 64 bits
 */
export function parseUsd(value: string | number): bigint {
  const text = typeof value === 'number' ? plainDecimal(value) : value
  const match = decimalPattern.exec(text)
  if (match === null) throw new AmountError('expected a decimal number of USD such as "12.50"')
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) throw new AmountError(`expected at most ${decimals} decimals`)
  const magnitude = BigInt(match[2]!) * picoPerUsd + BigInt(fraction.padEnd(decimals, '0'))
  if (magnitude > maxPico) throw new AmountError('expected less than 9,223,372 USD')
  return match[1] === '-' ? -magnitude : magnitude
}

/** Formats pico-USD as a decimal string, without exponent or trailing zeros. */
export function formatUsd(pico: bigint): string {
  const magnitude = pico < 0n ? -pico : pico
  const whole = magnitude / picoPerUsd
  const rest = magnitude % picoPerUsd
  const sign = pico < 0n ? '-' : ''
  if (rest === 0n) return `${sign}${whole}`
  const fraction = rest.toString().padStart(decimals, '0')
  let end = decimals
  // Every request passes here: a pattern would take longer.
  while (fraction[end - 1] === '0') end--
  return `${sign}${whole}.${fraction.slice(0, end)}`
}

/** A JSON number's shortest decimal form without an exponent: 1e-7 is "0.0000001". */
function plainDecimal(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const digits = match[2]! + (match[3] ?? '')
  const point = 1 + Number(match[4])
  if (point <= 0) return `${match[1]}0.${'0'.repeat(-point)}${digits}`
  const whole = digits.padEnd(point, '0')
  const fraction = whole.slice(point)
  return `${match[1]}${whole.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`
}
