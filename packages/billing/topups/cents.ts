import { picoPerUsd } from '../money/usd.ts'

/** Payment processors count USD in cents. */
const picoPerCent = picoPerUsd / 100n

/** @throws {RangeError} if the amount is not in whole cents */
export function centsOf(pico: bigint): number {
  if (!isWholeCents(pico)) throw new RangeError('expected an amount in whole cents')
  return Number(pico / picoPerCent)
}

export function isWholeCents(pico: bigint): boolean {
  return pico % picoPerCent === 0n
}

/** @throws {RangeError} if `cents` is not a whole number */
export function picoOfCents(cents: number): bigint {
  return BigInt(cents) * picoPerCent
}
