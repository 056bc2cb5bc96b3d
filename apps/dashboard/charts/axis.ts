/*
 * Where an axis has its marks. Lengths are floats, for the drawing alone.
 */

const steps = [1, 2, 2.5, 5, 10]

/** Round values from 0 on, the last of them at or above the largest value; 0 alone where there is none. */
export function marksOf(largest: number, count = 4): number[] {
  if (!(largest > 0)) return [0]
  const rough = largest / count
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * steps.find((one) => one * magnitude >= rough)!
  const last = Math.ceil(largest / step - 1e-9)
  return Array.from({ length: last + 1 }, (_, index) => index * step)
}

/**
 * Which of the places have room for their names: every so many, the first among them.
 * @param multiple of how many places a name is that of all
 */
export function labelPlaces(count: number, width: number, nameWidth: number, multiple = 1): number[] {
  const room = Math.max(1, Math.floor(width / nameWidth))
  const every = multiple * Math.max(1, Math.ceil(count / room / multiple))
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every)
}
