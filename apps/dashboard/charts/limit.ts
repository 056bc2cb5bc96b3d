import type { Stack } from './stack.ts'

/** A limit so many times as high as the highest bar would leave of the bars next to nothing. */
const mostTimes = 10

/** The limit as it is drawn across the bars; undefined: it is far above them all. */
export function visibleLimit({ rows }: Stack, limit: number | undefined): number | undefined {
  const highest = Math.max(0, ...rows.map(({ total }) => Number(total)))
  return limit !== undefined && (highest === 0 || limit <= mostTimes * highest) ? limit : undefined
}
