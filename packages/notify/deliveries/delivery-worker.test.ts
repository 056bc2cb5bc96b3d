import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttemptResult, DeliveryClaim, DeliveryStore, DueDelivery } from './delivery.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import type { TargetWithSecrets } from '../targets/target.ts'
import { newSecret } from './signature.ts'

const dayMs = 24 * 60 * 60 * 1000

const target: TargetWithSecrets = {
  id: 'tgt_1',
  accountId: 'acct_1',
  kind: 'webhook',
  name: 'hook',
  url: 'https://hooks.example.com/',
  email: null,
  roles: null,
  types: ['*'],
  status: 'active',
  disabledReason: null,
  previousUntilMs: null,
  failuresInRow: 0,
  createdAtMs: 0,
  updatedAtMs: 0,
  secret: newSecret(),
  previousSecret: null,
  parentId: null,
}

interface Row {
  due: DueDelivery
  state: string
  nextAtMs: number
  claim: { nodeId: string; untilMs: number } | undefined
}

/** An in-memory store that claims as the database does: a claim belongs to one node until it expires. */
class Store implements Pick<DeliveryStore, 'claimDue' | 'conclude'> {
  readonly rows: Row[]

  constructor(count: number) {
    this.rows = Array.from({ length: count }, (_, index) => ({
      due: {
        id: `dlv_${index}`,
        claimUntilMs: 0,
        tries: 0,
        deadlineMs: dayMs,
        event: {
          id: `evt_${index}`,
          type: 'webhook.test',
          accountId: 'acct_1',
          dedupeKey: null,
          occurredAtMs: 0,
          data: { index },
        },
        target,
        recipient: null,
      },
      state: 'pending',
      nextAtMs: 0,
      claim: undefined,
    }))
  }

  async claimDue({ nodeId, limit, perTarget, busy, nowMs, untilMs }: DeliveryClaim): Promise<DueDelivery[]> {
    const room = Math.min(limit, perTarget - (busy.get(target.id) ?? 0))
    const due = this.rows.filter(
      ({ state, nextAtMs, claim }) =>
        state === 'pending' && nextAtMs <= nowMs && (claim === undefined || claim.untilMs <= nowMs),
    )
    return due.slice(0, Math.max(0, room)).map((row) => {
      row.claim = { nodeId, untilMs }
      return { ...row.due, claimUntilMs: untilMs }
    })
  }

  async conclude(nodeId: string, due: DueDelivery, { outcome }: AttemptResult): Promise<boolean> {
    const row = this.rows.find((one) => one.due.id === due.id)!
    if (row.claim?.nodeId !== nodeId || row.claim.untilMs !== due.claimUntilMs) return false
    row.claim = undefined
    row.due = { ...row.due, tries: row.due.tries + 1 }
    row.state = outcome.kind === 'again' ? 'pending' : outcome.kind
    if (outcome.kind === 'again') row.nextAtMs = outcome.atMs
    return true
  }
}

/** The outcome of one attempt; `crash`: the node dies before it knows the outcome. */
const fates = ['taken', 'refused', 'away', 'crash', 'crash once taken'] as const

test('every event arrives, with one identifier and one body, whichever nodes or receivers fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      // Few enough that no delivery is given up.
      fc.array(fc.constantFrom(...fates), { maxLength: 7 }),
      async (count, script) => {
        const store = new Store(count)
        const arrived: { id: string; body: string }[] = []
        const fateOf = script.values()
        let nowMs = 0
        for (let round = 0; store.rows.some(({ state }) => state === 'pending'); round++) {
          expect(round).toBeLessThan(200)
          const { promise: dead, resolve: die } = Promise.withResolvers<void>()
          const worker = new DeliveryWorker({
            nodeId: `node_${round}`,
            deliveries: {
              claimDue: (claim) => store.claimDue(claim),
              conclude: (nodeId, due, result) => store.conclude(nodeId, due, result),
            },
            post: async (_, headers, body) => {
              const fate = fateOf.next().value ?? 'taken'
              if (fate === 'taken' || fate === 'crash once taken')
                arrived.push({ id: headers['webhook-id']!, body })
              if (fate.startsWith('crash')) {
                die()
                return new Promise(() => undefined)
              }
              if (fate === 'away') throw new Error('its server takes too long to respond')
              return { status: fate === 'taken' ? 204 : 503, retryAfter: undefined, body: '' }
            },
            openSecret: (kept) => kept,
            clock: () => nowMs,
            random: () => 0.5,
            onFailure: (error) => {
              throw error
            },
          })
          worker.poke()
          // A dead worker is not awaited: its claims stay until they expire.
          await Promise.race([dead, settled(worker)])
          nowMs += 3 * 60 * 60 * 1000
        }
        expect(store.rows.map(({ state }) => state)).toEqual(store.rows.map(() => 'delivered'))
        const ids = [...new Set(arrived.map(({ id }) => id))].toSorted()
        expect(ids).toEqual(store.rows.map(({ due }) => due.event.id).toSorted())
        expect(new Set(arrived.map(({ id, body }) => `${id} ${body}`)).size).toBe(ids.length)
      },
    ),
    { numRuns: 200 },
  )
})

/** Resolves when everything that the worker has begun is done. */
async function settled(worker: DeliveryWorker): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await worker.stop()
}
