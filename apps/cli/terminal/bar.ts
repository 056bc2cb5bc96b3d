const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const whole = '█'

/** A bar of a length between nothing and `width` columns, to an eighth of one. */
export function bar(share: number, width: number): string {
  const length = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  // Something is never drawn as nothing.
  const drawn = share > 0 ? Math.max(length, 1) : 0
  return whole.repeat(Math.floor(drawn / 8)) + eighths[drawn % 8]!
}
