import type { Random } from '@turnpike/simulators'
import { between, weighted } from '../chance.ts'
import type { Fleet } from './fleet.ts'

const ofNodes = { 'node-kill': 30, 'all-kill': 5, 'node-restart': 15, 'node-halt': 18 }
const ofWorkers = { 'worker-kill': 25, 'worker-halt': 12, 'writer-kill': 15 }
const ofPostgres = { 'database-kill': 14, 'database-restart': 8, 'database-halt': 10 }

export type DisturbanceKind = keyof typeof ofNodes | keyof typeof ofWorkers | keyof typeof ofPostgres

export interface Disturbance {
  kind: DisturbanceKind
  /** Selects the node; in [0, 1). */
  node: number
  /** Selects the worker; in [0, 1). */
  which: number
  /** How long it is down or halted. */
  forMs: number
}

export function nextDisturbance(
  random: Random,
  { engine, workers }: Pick<Fleet, 'engine' | 'workers'>,
  longestMs: number,
): Disturbance {
  const kinds: Record<string, number> = {
    ...ofNodes,
    ...(workers !== undefined && ofWorkers),
    ...(engine === 'postgres' && ofPostgres),
  }
  const kind = weighted(random, kinds) as DisturbanceKind
  const halts = kind.endsWith('-halt')
  return {
    kind,
    node: random(),
    which: random(),
    forMs: halts ? between(random, 500, longestMs) : between(random, 0, Math.round(longestMs / 3)),
  }
}

/** Resolves once the disturbed part is back. */
export async function disturb({ kind, node, which, forMs }: Disturbance, fleet: Fleet): Promise<void> {
  const one = fleet.nodes[Math.floor(node * fleet.nodes.length)]!
  switch (kind) {
    case 'node-kill':
      return one.kill(forMs)
    case 'all-kill':
      await Promise.all(fleet.nodes.map((each) => each.kill(forMs)))
      return
    case 'node-restart':
      return one.restart()
    case 'node-halt':
      return one.halt(forMs)
    case 'worker-kill':
      return one.killWorker(which)
    case 'worker-halt':
      return one.haltWorker(which, forMs)
    case 'writer-kill':
      return one.killDatabase()
    case 'database-kill':
      return fleet.database?.kill(forMs)
    case 'database-restart':
      return fleet.database?.restart(forMs)
    case 'database-halt':
      return fleet.database?.halt(forMs)
  }
}
