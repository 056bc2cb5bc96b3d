import { setTimeout as delay } from 'node:timers/promises'
import type { RedisServer } from '../../packages/limits/testing/redis-server.ts'
import type { Fleet } from '../torture/fleet/fleet.ts'
import type { Gate } from './gate.ts'

export interface Parts {
  fleet: Fleet
  /** In front of the vendor that is tried first. */
  vendor: Gate
  /** Absent if Redis is not installed on the machine. */
  redis: RedisServer | undefined
  /** After this much silence the gateway gives up a vendor. */
  silentMs: number
}

/** Which requests in progress may break meanwhile (docs/contract.md, 15). */
export type Allowance =
  /** None: every request is served. */
  | 'nothing'
  /** Those on connections to the node that is killed. */
  | 'broken'
  /** Streams of the failing vendor, after their first token. */
  | 'failing'

export interface Trouble {
  part: string
  allows: Allowance
  cause(parts: Parts, forMs: number): Promise<void>
}

/** Each part of an installation, killed and halted in turn. */
export const troubles: readonly Trouble[] = [
  {
    part: 'a node, killed',
    allows: 'broken',
    cause: ({ fleet }, forMs) => fleet.nodes[0]!.kill(forMs),
  },
  {
    part: 'a node, halted',
    allows: 'nothing',
    cause: ({ fleet }, forMs) => fleet.nodes[1]!.halt(forMs),
  },
  {
    part: 'each node, restarted',
    allows: 'nothing',
    async cause({ fleet }) {
      for (const node of fleet.nodes) {
        await node.restart()
        // Until the load balancer has noticed.
        await delay(500)
      }
    },
  },
  {
    part: 'PostgreSQL, killed',
    allows: 'nothing',
    cause: ({ fleet }, forMs) => fleet.database!.kill(forMs),
  },
  {
    part: 'PostgreSQL, halted',
    allows: 'nothing',
    cause: ({ fleet }, forMs) => fleet.database!.halt(forMs),
  },
  {
    part: 'PostgreSQL, restarted',
    allows: 'nothing',
    cause: ({ fleet }, forMs) => fleet.database!.restart(forMs),
  },
  {
    part: 'the first vendor, gone',
    allows: 'failing',
    async cause({ vendor }, forMs) {
      await vendor.down()
      await delay(forMs)
      await vendor.up()
    },
  },
  {
    part: 'the first vendor, halted',
    allows: 'failing',
    async cause({ vendor, silentMs }, forMs) {
      vendor.halt()
      // Until the vendor counts as silent, and then for a while.
      await delay(silentMs + forMs)
      vendor.resume()
    },
  },
  {
    part: 'Redis, killed',
    allows: 'nothing',
    async cause({ redis }, forMs) {
      await redis?.kill()
      await delay(forMs)
      await redis?.start()
    },
  },
  {
    part: 'Redis, halted',
    allows: 'nothing',
    async cause({ redis }, forMs) {
      redis?.pause()
      await delay(forMs)
      redis?.resume()
    },
  },
]
