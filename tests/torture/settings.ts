import type { TortureOptions } from './run.ts'

type Settings = Pick<
  TortureOptions,
  | 'patienceMs'
  | 'upstreamSeconds'
  | 'clients'
  | 'disturbanceEveryMs'
  | 'longestHaltMs'
  | 'movementEveryMs'
  | 'leaseSeconds'
>

/** For `npm run torture`. */
export const longRun: Settings = {
  clients: 24,
  disturbanceEveryMs: 5_000,
  longestHaltMs: 8_000,
  movementEveryMs: 250,
  upstreamSeconds: 3,
  leaseSeconds: 10,
  patienceMs: 180_000,
}

/** For `npm test`: what fits into about twenty seconds. */
export const shortRun: Settings = {
  clients: 16,
  disturbanceEveryMs: 3_500,
  longestHaltMs: 2_000,
  movementEveryMs: 150,
  upstreamSeconds: 3,
  leaseSeconds: 5,
  patienceMs: 2_000,
}

/** Duration of each of the two outages, in `npm run torture` and in `npm test`. */
export const longOutageMs = 60_000
export const shortOutageMs = 8_000
