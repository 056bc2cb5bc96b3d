/** A decimal string of the API as an integer in units of 10⁻¹⁸, for exact sums and comparisons. */
export function decimalUnits(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return 0n
  const [, sign, whole, fraction = ''] = match
  const units = BigInt(whole! + fraction.slice(0, scale).padEnd(scale, '0'))
  return sign === '-' ? -units : units
}

const scale = 18

/** Moves the decimal point to the right: the price per million from the price per unit. */
export function timesTenTo(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const digits = whole + fraction.padEnd(places, '0')
  const point = whole.length + places
  const left = digits.slice(0, point).replace(/^(-?)0+(?=\d)/, '$1')
  const right = digits.slice(point).replace(/0+$/, '')
  return right === '' ? left : `${left}.${right}`
}

/** `$1,234.50`, with as many decimals as there are, since $0.00004175 is not $0.00. */
export function dollars(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = ''] = match
  return `${sign}$${groupDigits(whole!)}.${fraction.padEnd(2, '0')}`
}

/** `1,234,567` */
export function groupDigits(digits: string | number): string {
  return String(digits).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
