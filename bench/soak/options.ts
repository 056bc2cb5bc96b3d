import { parseShares } from '../faults/schedule.ts'
import type { SoakOptions } from './soak.ts'

/** @throws {RangeError} naming the invalid option */
export function soakOptions(values: {
  minutes: string
  rate: string
  faults: boolean
  shares: string
  seed: string
}): SoakOptions {
  const options: SoakOptions = {
    seconds: Math.round(positive('minutes', values.minutes) * 60),
    plainPerSecond: values.rate === 'half' ? values.rate : positive('rate', values.rate),
  }
  if (!values.faults) {
    if (values.shares !== '') throw new RangeError('--shares is of --faults')
    return options
  }
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed)) throw new RangeError(`--seed is a whole number, not '${values.seed}'`)
  return { ...options, faults: { seed, shares: parseShares(values.shares) } }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Infinity)) throw new RangeError(`--${name} is a number above 0, not '${text}'`)
  return value
}
