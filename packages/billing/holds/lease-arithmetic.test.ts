import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hold } from './hold.ts'
import { LeaseBook } from './lease-book.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

const nodeCount = 3
const leaseMs = 60_000

/** The possible steps on a node. Amounts are parts of a credit of some hundreds. */
type Step =
  | { does: 'hold'; node: number; amount: number }
  /** Ends one of the open requests and charges a part of its hold. */
  | { does: 'settle'; node: number; which: number; percent: number }
  | { does: 'extend'; node: number; which: number; amount: number }
  | { does: 'flush' | 'lose-answer' | 'give-back' | 'idle'; node: number }
  | { does: 'expire'; node: number }

const node = fc.nat(nodeCount - 1)
const which = fc.nat(20)
const delays = fc.noShrink(fc.nat())
const amount = fc.integer({ min: 1, max: 120 })
const harmless: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('hold' as const), node, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      node,
      which,
      percent: fc.constantFrom(0, 1, 50, 99, 100),
    }),
  },
  fc.record({ does: fc.constant('extend' as const), node, which, amount }),
  fc.record({
    does: fc.constantFrom('flush' as const, 'lose-answer' as const, 'give-back' as const, 'idle' as const),
    node,
  }),
)
const anything: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: harmless },
  fc.record({ does: fc.constant('expire' as const), node }),
)

class Node {
  readonly book: LeaseBook
  readonly nodeId: string
  readonly open: Hold[] = []
  /** Charges in the outbox. */
  pendingPico = 0n
  /** Posted, but the response was lost, so the node does not know. */
  #postedUnknownPico = 0n
  readonly #store: OneKeyStore
  #flushing = Promise.resolve()
  nowMs = 0

  constructor(store: OneKeyStore, number: number) {
    this.#store = store
    this.nodeId = `node_${number}`
    const now = (): number => this.nowMs
    this.book = new LeaseBook(store, this.nodeId, {
      leaseMs,
      clock: { monotonicMs: now, wallMs: now },
    })
    store.join(this.nodeId, this.book)
  }

  get isUnsure(): boolean {
    return this.#postedUnknownPico > 0n
  }

  heldPico(): bigint {
    return this.open.reduce((sum, hold) => sum + hold.amountPico, 0n)
  }

  settle(which: number, percent: number): bigint {
    const [hold] = this.open.splice(which % this.open.length, 1)
    if (hold === undefined) return 0n
    const chargePico = (hold.amountPico * BigInt(percent)) / 100n
    this.pendingPico += chargePico
    this.book.settle(hold, chargePico)
    return chargePico
  }

  /** One flush at a time, like the outbox. */
  flush(answerArrives: boolean): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush(answerArrives))
    return this.#flushing
  }

  async #flush(answerArrives: boolean): Promise<void> {
    // Writing a batch again changes nothing, and returns the current state.
    const unknownPico = this.#postedUnknownPico
    const batchPico = this.pendingPico
    this.pendingPico = 0n
    const leases = await this.#store.post(this.nodeId, batchPico)
    if (!answerArrives) {
      this.#postedUnknownPico += batchPico
      return
    }
    this.#postedUnknownPico = 0n
    this.book.flushed(new Map([['key', unknownPico + batchPico]]), leases)
  }
}

class Run {
  readonly store: OneKeyStore
  readonly nodes: Node[]
  readonly #creditPico: bigint
  /** The charges of all ended requests, posted or not. */
  spentPico = 0n
  expired = false

  constructor(delays: number, creditPico: bigint) {
    this.#creditPico = creditPico
    this.store = new OneKeyStore(delays, creditPico)
    this.nodes = Array.from({ length: nodeCount }, (_, number) => new Node(this.store, number))
  }

  leftPico(): bigint {
    return this.#creditPico - this.spentPico
  }

  /** Credit that no request holds, wherever it is. */
  idlePico(): bigint {
    return this.nodes.reduce((sum, node) => sum - node.heldPico(), this.leftPico())
  }

  async take(step: Step, alone: boolean): Promise<void> {
    const node = this.nodes[step.node]!
    switch (step.does) {
      case 'hold':
        return this.#hold(node, BigInt(step.amount), alone)
      case 'settle':
        if (node.open.length > 0) this.spentPico += node.settle(step.which, step.percent)
        return
      case 'extend': {
        const hold = node.open[step.which % Math.max(1, node.open.length)]
        if (hold !== undefined) await node.book.extend(hold, BigInt(step.amount))
        return
      }
      case 'flush':
      case 'lose-answer':
        return node.flush(step.does === 'flush')
      case 'give-back':
        return node.book.giveBack('key')
      case 'idle':
        return node.book.giveBackIdle(Date.now() + 1)
      case 'expire':
        this.expired = true
        node.nowMs += leaseMs
        this.store.expire(node.nodeId)
    }
  }

  async #hold(node: Node, amountPico: bigint, alone: boolean): Promise<void> {
    const idlePico = this.idlePico()
    const result = await node.book.hold('key', amountPico, Date.now())
    if ('hold' in result) {
      node.open.push(result.hold)
      return
    }
    // Until a lost response is repeated, a node takes posted charges for unposted ones, and is too cautious.
    if (!alone || this.nodes.some((one) => one.isUnsure)) return
    expect(idlePico, 'idle, and yet refused').toBeLessThan(amountPico)
    if (!this.expired) expect(result.refused.waitingHelps).toBe(this.leftPico() >= amountPico)
  }

  /** Ends all requests, posts all charges and returns all leases. */
  async end(): Promise<void> {
    for (const node of this.nodes) {
      while (node.open.length > 0) this.spentPico += node.settle(0, 100)
      await node.flush(true)
    }
    for (const node of this.nodes) await node.book.renew()
    for (const node of this.nodes) await node.book.giveBack('key')
    expect(this.store.chargedPico).toBe(this.spentPico)
    expect(
      [...this.store.leases.values()].every((pico) => pico === 0n),
      'credit is stuck',
    ).toBe(true)
    expect(this.store.freePico).toBe(this.leftPico())
    if (!this.expired) expect(this.store.freePico).toBeGreaterThanOrEqual(0n)
  }
}

describe('the arithmetic of leases', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
  const credit = fc.integer({ min: 0, max: 600 }).map(BigInt)

  it(`refuses nothing that idle credit covers, step by step (seed ${seed})`, async () => {
    const steps = fc.array(harmless, { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(delays, credit, steps, async (delays, creditPico, steps) => {
        const run = new Run(delays, creditPico)
        for (const step of steps) await run.take(step, true)
        await run.end()
      }),
      { seed, numRuns: 300 },
    )
  })

  it(`neither loses nor creates credit, with concurrent steps (seed ${seed})`, async () => {
    const steps = fc.array(anything, { minLength: 10, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(delays, credit, steps, async (delays, creditPico, steps) => {
        const run = new Run(delays, creditPico)
        for (let index = 0; index < steps.length; index += 6)
          await Promise.all(steps.slice(index, index + 6).map((step) => run.take(step, false)))
        await run.end()
      }),
      { seed, numRuns: 1_000 },
    )
  })
})
