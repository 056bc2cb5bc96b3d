const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const whole = '█'

/** A bar from 0 to `width` columns long, to an eighth of a column. */
export function bar(share: number, width: number): string {
  const length = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  // A share above zero is always visible.
  const drawn = share > 0 ? Math.max(length, 1) : 0
  return whole.repeat(Math.floor(drawn / 8)) + eighths[drawn % 8]!
}
