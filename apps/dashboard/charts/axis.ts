/*
 * Where an axis has its marks. Floats are only used for drawing.
 */

const steps = [1, 2, 2.5, 5, 10]

/** Round values from 0 up to at least the largest value; only 0 if nothing is above it. */
export function marksOf(largest: number, count = 4): number[] {
  if (!(largest > 0)) return [0]
  const rough = largest / count
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * steps.find((one) => one * magnitude >= rough)!
  const last = Math.ceil(largest / step - 1e-9)
  return Array.from({ length: last + 1 }, (_, index) => index * step)
}

/**
 * Which places have room for a label: every nth, including the first.
 * @param multiple label places in steps of a multiple of this
 */
export function labelPlaces(count: number, width: number, nameWidth: number, multiple = 1): number[] {
  const room = Math.max(1, Math.floor(width / nameWidth))
  const every = multiple * Math.max(1, Math.ceil(count / room / multiple))
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every)
}
