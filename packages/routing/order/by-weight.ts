/**
 * The numbers of the weights in an order drawn by lot: the first is each with the chance of its share, and so
 * are those behind it among themselves. What weighs nothing stands behind all others, as it was.
 * @param random from 0 up to 1
 */
export function orderByWeight(weights: readonly number[], random: () => number = Math.random): number[] {
  // Efraimidis and Spirakis, https://doi.org/10.1016/j.ipl.2005.11.003: the largest of u^(1/w) comes first.
  const lots = weights.map((weight) => (weight > 0 ? Math.log(1 - random()) / weight : -Infinity))
  return weights.map((_, index) => index).sort((a, b) => difference(lots[b]!, lots[a]!) || a - b)
}

/** Of two numbers that may both be infinite. */
function difference(left: number, right: number): number {
  return left === right ? 0 : left - right
}
