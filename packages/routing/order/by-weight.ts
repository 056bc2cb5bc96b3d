/**
 * Draws an order of the weights' indexes at random: each weight's chance to be first is its share, and the
 * same holds among the rest. Weights of 0 go to the end, in their original order.
 * @param random from 0 up to 1
 */
export function orderByWeight(weights: readonly number[], random: () => number = Math.random): number[] {
  // Efraimidis and Spirakis, https://doi.org/10.1016/j.ipl.2005.11.003: the largest u^(1/w) comes first.
  const lots = weights.map((weight) => (weight > 0 ? Math.log(1 - random()) / weight : -Infinity))
  return weights.map((_, index) => index).sort((a, b) => difference(lots[b]!, lots[a]!) || a - b)
}

/** Compares two numbers that may both be infinite. */
function difference(left: number, right: number): number {
  return left === right ? 0 : left - right
}
