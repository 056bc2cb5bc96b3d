import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hold } from './hold.ts'
import { LeaseBook } from './lease-book.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

const nodeCount = 2
const dayMs = 86_400_000
const creditPico = 1_000_000n
/** The same value as in `key-credit.ts`. */
const scarceForMs = 5_000

/** The possible steps. A few requests reach a limit. */
type Step =
  /** `late`: it began before midnight, but places its hold only now. */
  | { does: 'hold'; node: number; amount: number; late: boolean }
  /** Places holds of this amount for requests from before midnight, until the node grants no more. */
  | { does: 'drain'; node: number; amount: number }
  | { does: 'settle' | 'extend'; node: number; which: number; amount: number }
  | { does: 'flush' | 'idle'; node: number }
  | { does: 'turn' }
  /** Waits until credit is no longer scarce. */
  | { does: 'wait' }
  | { does: 'limit'; amount: number }

type StepOnNode = Exclude<Step, { does: 'turn' | 'wait' | 'limit' }>

const node = fc.nat(nodeCount - 1)
const which = fc.nat(20)
const delays = fc.noShrink(fc.nat())
const amount = fc.integer({ min: 1, max: 60 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('hold' as const), node, amount, late: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom('settle' as const, 'extend' as const),
      node,
      which,
      amount,
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('flush' as const, 'idle' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('turn' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('limit' as const), amount: fc.integer({ min: 0, max: 150 }) }),
  },
)

/** Requests that nearly reach a day's limit, then some of the next day, and some late ones. */
const turnOfDay: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(
      fc.tuple(
        holdStep(30, true),
        fc.record({ does: fc.constant('settle' as const), node, which, amount: fc.constant(60) }),
        fc.record({ does: fc.constant('flush' as const), node }),
      ),
      { minLength: 2, maxLength: 10, size: 'max' },
    ),
    fc.array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({
            does: fc.constant('drain' as const),
            node,
            amount: fc.integer({ min: 1, max: 4 }),
          }),
        },
        { weight: 3, arbitrary: holdStep(60, false) },
        {
          weight: 2,
          arbitrary: fc.record({
            does: fc.constantFrom('settle' as const, 'extend' as const),
            node,
            which,
            amount: fc.nat(30),
          }),
        },
        { weight: 1, arbitrary: fc.record({ does: fc.constant('flush' as const), node }) },
      ),
      { minLength: 4, maxLength: 20, size: 'max' },
    ),
  )
  .map(([before, about]) => [
    ...before.flat(),
    { does: 'flush', node: 0 },
    { does: 'flush', node: 1 },
    { does: 'wait' },
    ...about,
  ])

function holdStep(max: number, late: boolean): fc.Arbitrary<Step> {
  const amount = fc.integer({ min: 1, max })
  return fc.record({ does: fc.constant('hold' as const), node, amount, late: fc.constant(late) })
}

interface Node {
  book: LeaseBook
  nodeId: string
  open: Hold[]
  pending: { pico: bigint; startedAtMs: number }[]
}

class Run {
  readonly store: OneKeyStore
  readonly nodes: Node[]
  day = 100
  /** Charges, posted or not. */
  readonly #chargedPico = new Map<number, bigint>()

  constructor(delays: number, limitPico: bigint) {
    this.store = new OneKeyStore(delays, creditPico, limitPico)
    this.nodes = Array.from({ length: nodeCount }, (_, number) => {
      const nodeId = `node_${number}`
      const book = new LeaseBook(this.store, nodeId, { askMs: 50 })
      this.store.join(nodeId, book)
      return { book, nodeId, open: [], pending: [] }
    })
  }

  /** When a hold is granted, its day must be within the limit. Earlier holds may continue. */
  #granted(startedAtMs: number): void {
    const day = dayOf(startedAtMs)
    let usedPico = this.#chargedPico.get(day) ?? 0n
    for (const { open } of this.nodes)
      for (const hold of open) if (dayOf(hold.startedAtMs) === day) usedPico += hold.amountPico
    const limitPico = this.store.limitPico!
    expect(usedPico <= limitPico, `granted ${usedPico} of ${limitPico} on day ${day / dayMs}`).toBe(true)
  }

  /** The part of the limit that nobody holds. Leases count for both days until they are charged. */
  #idlePico(startedAtMs: number): bigint {
    const day = dayOf(startedAtMs)
    const [now, next] = [this.store.spentPico.get(day) ?? 0n, this.store.spentPico.get(day + dayMs) ?? 0n]
    let idlePico = this.store.limitPico! - (now > next ? now : next)
    for (const { open, pending } of this.nodes) {
      for (const { amountPico } of open) idlePico -= amountPico
      for (const { pico } of pending) idlePico -= pico
    }
    return idlePico
  }

  async take(step: Step, alone: boolean): Promise<void> {
    switch (step.does) {
      case 'turn':
        return this.#turn()
      case 'wait':
        vi.setSystemTime(Date.now() + scarceForMs + 1)
        return
      case 'limit':
        this.store.limitPico = BigInt(step.amount)
        for (const { book } of this.nodes) await book.limitsChanged('key')
        return
      default:
        return this.#takeOn(this.nodes[step.node]!, step, alone)
    }
  }

  async #takeOn(one: Node, step: StepOnNode, alone: boolean): Promise<void> {
    switch (step.does) {
      case 'hold': {
        const startedAtMs = (step.late ? this.day : this.day + 1) * dayMs - 1
        const idlePico = this.#idlePico(startedAtMs)
        const result = await one.book.hold('key', BigInt(step.amount), startedAtMs)
        if ('hold' in result) {
          one.open.push(result.hold)
          this.#granted(startedAtMs)
        } else if (alone) expect(idlePico < BigInt(step.amount), `${idlePico} are idle`).toBe(true)
        return
      }
      case 'drain': {
        const startedAtMs = this.day * dayMs - 1
        for (;;) {
          const hold = one.book.tryHold('key', BigInt(step.amount), startedAtMs)
          if (hold === undefined) return
          one.open.push(hold)
          this.#granted(startedAtMs)
        }
      }
      case 'extend': {
        const hold = one.open[step.which % Math.max(1, one.open.length)]
        if (hold !== undefined && (await one.book.extend(hold, BigInt(step.amount))))
          this.#granted(hold.startedAtMs)
        return
      }
      case 'settle': {
        const [hold] = one.open.splice(step.which % Math.max(1, one.open.length), 1)
        if (hold !== undefined) this.#settle(one, hold, (hold.amountPico * BigInt(step.amount)) / 60n)
        return
      }
      case 'flush':
        return this.#flush(one)
      case 'idle':
        return one.book.giveBackIdle(Date.now() + 1)
    }
  }

  /** No request runs across two turns of a day. */
  #turn(): void {
    this.day++
    for (const one of this.nodes) {
      const tooOld = one.open.filter(({ startedAtMs }) => startedAtMs < (this.day - 1) * dayMs)
      one.open = one.open.filter((hold) => !tooOld.includes(hold))
      for (const hold of tooOld) this.#settle(one, hold, hold.amountPico)
    }
  }

  #settle(one: Node, hold: Hold, pico: bigint): void {
    const { startedAtMs } = hold
    const day = dayOf(startedAtMs)
    this.#chargedPico.set(day, (this.#chargedPico.get(day) ?? 0n) + pico)
    one.pending.push({ pico, startedAtMs })
    one.book.settle(hold, pico)
  }

  async #flush(one: Node): Promise<void> {
    for (const { pico, startedAtMs } of one.pending.splice(0))
      one.book.flushed(new Map([['key', pico]]), await this.store.post(one.nodeId, pico, startedAtMs))
  }

  async end(): Promise<void> {
    for (const one of this.nodes) {
      for (const hold of one.open.splice(0)) this.#settle(one, hold, hold.amountPico)
      await this.#flush(one)
    }
    for (const { book } of this.nodes) await book.giveBack('key')
    const leases = [...this.store.leases.values()]
    expect(
      leases.every((pico) => pico === 0n),
      'credit is stuck',
    ).toBe(true)
  }
}

const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs

/** Groups steps that run concurrently. A step that concerns all nodes runs alone. */
function batchesOf(steps: readonly Step[]): Step[][] {
  const batches: Step[][] = [[]]
  for (const one of steps) {
    const isAlone = one.does === 'turn' || one.does === 'limit' || one.does === 'wait'
    if (isAlone) batches.push([one], [])
    else if (batches.at(-1)!.push(one) === 6) batches.push([])
  }
  return batches
}

describe('the arithmetic of spend limits', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
  const limit = fc.integer({ min: 0, max: 150 }).map(BigInt)

  async function eachAlone(delays: number, limitPico: bigint, steps: readonly Step[]): Promise<void> {
    const run = new Run(delays, limitPico)
    for (const step of steps) await run.take(step, true)
    await run.end()
  }

  async function manyAtOnce(delays: number, limitPico: bigint, steps: readonly Step[]): Promise<void> {
    const run = new Run(delays, limitPico)
    for (const batch of batchesOf(steps)) await Promise.all(batch.map((one) => run.take(one, false)))
    await run.end()
  }

  it(`never exceeds a day’s limit, and refuses nothing within it (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 80, size: 'max' })
    await fc.assert(fc.asyncProperty(delays, limit, steps, eachAlone), { seed, numRuns: 500 })
  })

  it(`never exceeds a day’s limit, with concurrent steps (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 80, size: 'max' })
    await fc.assert(fc.asyncProperty(delays, limit, steps, manyAtOnce), { seed, numRuns: 2_000 })
  })

  describe('at the turn of a day', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
    afterEach(() => void vi.useRealTimers())

    it(`never exceeds a day’s limit, and refuses nothing within it (seed ${seed})`, async () => {
      await fc.assert(fc.asyncProperty(delays, limit, turnOfDay, eachAlone), { seed, numRuns: 500 })
    })

    it(`never exceeds a day’s limit, with concurrent steps (seed ${seed})`, async () => {
      await fc.assert(fc.asyncProperty(delays, limit, turnOfDay, manyAtOnce), { seed, numRuns: 1_000 })
    })
  })
})
