import { wholeNumber } from '../../../format/number.ts'

/** `812 bytes`, `12.4 KiB`, `3 MiB` */
export function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${wholeNumber(bytes)} bytes`
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB']
  return `${wholeNumber(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${unit}`
}
