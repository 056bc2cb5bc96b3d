/** A non-negative decimal number as an integer of 10^-scale units. */
export interface ScaledDecimal {
  units: bigint
  scale: number
}

const pattern = /^(\d{1,18})(?:\.(\d{1,18}))?$/

/** @throws {RangeError} if the text is not a plain non-negative decimal of at most 18 + 18 digits */
export function parseDecimal(text: string): ScaledDecimal {
  const match = pattern.exec(text)
  if (match === null)
    throw new RangeError(`expected a decimal number such as "0.0000025", got "${text.slice(0, 40)}"`)
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  return { units: BigInt(match[1]! + fraction), scale: fraction.length }
}

/** The number's units at a scale not smaller than its own. */
export function unitsAt(decimal: ScaledDecimal, scale: number): bigint {
  return decimal.units * 10n ** BigInt(scale - decimal.scale)
}

/** Exact product, as a decimal string without trailing zeros. */
export function multiplyDecimals(left: string, right: string): string {
  const a = parseDecimal(left)
  const b = parseDecimal(right)
  return formatDecimal({ units: a.units * b.units, scale: a.scale + b.scale })
}

function formatDecimal({ units, scale }: ScaledDecimal): string {
  if (scale === 0) return String(units)
  const digits = units.toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  const whole = digits.slice(0, -scale)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
