/** A price that is not an integer number of 10^-12 USD per token, so it cannot be charged exactly. */
export class InexactPrice extends Error {
  override readonly name = 'InexactPrice'
}

const maxDecimals = 12

/** The unit of a price's name; `mtok` is a million tokens. */
export const powersOfTen = { mtok: 6, kcount: 3 } as const

/**
 * Converts USD per 10^power units, a JSON number, to USD per unit, a decimal string. Uses the number's
 * shortest decimal text, which is how it was written, and only moves its point, so there is no floating-point
 * arithmetic.
 * @throws {InexactPrice} if it would need more than 12 decimals
 */
export function priceForOne(value: number, power: number): string {
  const { digits, scale } = decimalOf(value)
  const decimals = scale + power
  const padded = digits.padStart(decimals + 1, '0')
  const point = padded.length - decimals
  const fraction = padded.slice(point).replace(/0+$/, '')
  if (fraction.length > maxDecimals) {
    throw new InexactPrice(`${value} for 10^${power} is no multiple of 10^-${maxDecimals} USD for one`)
  }
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The number's digits, and how many of them follow the point (negative for 1e21). */
function decimalOf(value: number): { digits: string; scale: number } {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (match === null) throw new InexactPrice(`${value} is no price`)
  const [, whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  return scale < 0
    ? { digits: whole + fraction + '0'.repeat(-scale), scale: 0 }
    : { digits: whole + fraction, scale }
}
