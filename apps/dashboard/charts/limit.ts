import type { Stack } from './stack.ts'

/** A limit more than this many times the highest bar would flatten the bars to nothing. */
const mostTimes = 10

/** The limit to draw across the bars; undefined if it is far above them. */
export function visibleLimit({ rows }: Stack, limit: number | undefined): number | undefined {
  const highest = Math.max(0, ...rows.map(({ total }) => Number(total)))
  return limit !== undefined && (highest === 0 || limit <= mostTimes * highest) ? limit : undefined
}
