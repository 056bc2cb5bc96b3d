import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BudgetSet } from '../budgets/budget-set.ts'
import { HardBudget } from '../budgets/hard-budget.ts'
import { heldOfBudget, type Hold } from './hold.ts'
import { SpendBook } from './spend-book.ts'
import { BudgetsInMemory } from './testing/budgets-in-memory.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

const nodeCount = 3
const dayMs = 86_400_000
const creditPico = 1_000_000n
const periods = ['day', 'week', 'total', 'day'] as const
/** Each budget covers one model, and which model answers is known only after the hold. */
const models: readonly (string | undefined)[] = [undefined, undefined, undefined, 'model']

/** The possible steps. Each place has a budget or none, and a request is covered by those of some places. */
type Step =
  /** `late`: it began before midnight, but places its hold only now. */
  | { does: 'hold'; node: number; amount: number; late: boolean; places: number }
  | { does: 'settle' | 'extend'; node: number; which: number; amount: number }
  | { does: 'flush' | 'idle' | 'kill'; node: number }
  | { does: 'turn' }
  | { does: 'limit' | 'make'; place: number; amount: number }
  | { does: 'delete'; place: number }

type StepOnNode = Extract<Step, { node: number }>

const node = fc.nat(nodeCount - 1)
const which = fc.nat(20)
const place = fc.nat(periods.length - 1)
const amount = fc.integer({ min: 1, max: 60 })
const limit = fc.integer({ min: 0, max: 200 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('hold' as const),
      node,
      amount,
      late: fc.boolean(),
      places: fc.nat(15),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constantFrom('settle' as const, 'extend' as const),
      node,
      which,
      amount,
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constantFrom('flush' as const, 'idle' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('turn' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('limit' as const, 'make' as const),
      place,
      amount: limit,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), place }) },
)

interface Running {
  hold: Hold
  /** The places whose budgets cover it. */
  places: number
}

interface Charge {
  pico: bigint
  startedAtMs: number
  places: number
  model: string
  held: string[]
}

interface Node {
  book: SpendBook
  nodeId: string
  open: Running[]
  pending: Charge[]
}

class Run {
  readonly #credit: OneKeyStore
  readonly #store: BudgetsInMemory
  readonly #budgets: (HardBudget | undefined)[]
  readonly #nodes: Node[]
  readonly #posted: Charge[] = []
  /** By period: charges of requests that began before their node knew of the budget. */
  readonly #unheldPico = new Map<string, bigint>()
  #day = 100
  #made = 0

  constructor(seed: number, limits: readonly number[]) {
    this.#credit = new OneKeyStore(seed, creditPico)
    this.#store = new BudgetsInMemory(seed)
    this.#budgets = limits.map((pico, at) => this.#newBudget(at, pico))
    this.#nodes = Array.from({ length: nodeCount }, (_, number) => this.#newNode(`node_${number}`))
  }

  #newNode(nodeId: string): Node {
    const stores = { leases: this.#credit, budgetLeases: this.#store }
    const book = new SpendBook(stores, nodeId, { askMs: 50 })
    this.#store.join(nodeId, book)
    // There is enough credit for everything, because this test is about budgets.
    return { book, nodeId, open: [], pending: [] }
  }

  #newBudget(at: number, limit: number): HardBudget {
    const id = `bud_${++this.#made}`
    const limitPico = BigInt(limit)
    this.#store.limitPico.set(id, limitPico)
    const model = models[at]
    const what =
      model === undefined ? { scope: 'organization', subject: '' } : { scope: 'model', subject: model }
    return new HardBudget({ id, name: id, period: periods[at]!, limitPico, ...what } as HardBudget['rule'])
  }

  #under(places: number): HardBudget[] {
    return this.#budgets.filter(
      (budget, at) => budget !== undefined && (places & (1 << at)) !== 0,
    ) as HardBudget[]
  }

  #limitOf(budget: HardBudget): bigint | undefined {
    return this.#store.limitPico.get(budget.rule.id)
  }

  /** What is used of a period: spent according to the database, charged to its holds, or held. */
  #usedPico(leaseId: string): bigint {
    let usedPico = this.#store.spentPico(leaseId)
    for (const { open, pending } of this.#nodes) {
      for (const { hold } of open)
        for (const held of heldBudgets(hold)) if (held.leaseId === leaseId) usedPico += held.pico
      for (const { pico, held } of pending) if (held.includes(leaseId)) usedPico += pico
    }
    return usedPico
  }

  #granted(hold: Hold, model?: string): void {
    for (const { budget, leaseId } of heldBudgets(hold)) {
      const limitPico = this.#limitOf(budget)
      if (limitPico === undefined || (model !== undefined && !counts(budget, model))) continue
      const usedPico = this.#usedPico(leaseId)
      const mostPico = limitPico + (this.#unheldPico.get(leaseId) ?? 0n)
      expect(usedPico <= mostPico, `granted ${usedPico} of ${mostPico} in ${leaseId}`).toBe(true)
    }
  }

  async take(step: Step, alone: boolean): Promise<void> {
    switch (step.does) {
      case 'turn':
        this.#day++
        return
      case 'limit': {
        const budget = this.#budgets[step.place]
        if (budget === undefined) return
        this.#store.limitPico.set(budget.rule.id, BigInt(step.amount))
        return this.#changed(budget)
      }
      case 'make':
      case 'delete': {
        const before = this.#budgets[step.place]
        if (before !== undefined) this.#store.limitPico.delete(before.rule.id)
        const made = step.does === 'make' ? this.#newBudget(step.place, step.amount) : undefined
        this.#budgets[step.place] = made
        if (made !== undefined) await this.#countBefore(step.place, made)
        if (before !== undefined) await this.#changed(before)
        return
      }
      default:
        return this.#takeOn(this.#nodes[step.node]!, step, alone)
    }
  }

  async #changed({ rule }: HardBudget): Promise<void> {
    for (const { book } of this.#nodes) await book.budgetChanged(rule.id)
  }

  /** Counts like the database in the transaction that creates the budget. */
  async #countBefore(at: number, budget: HardBudget): Promise<void> {
    for (const { pico, places, model, startedAtMs } of this.#posted)
      if ((places & (1 << at)) !== 0 && counts(budget, model))
        await this.#store.post('nobody', pico, { counted: [budget.leaseId(startedAtMs)], held: [] })
  }

  async #takeOn(one: Node, step: StepOnNode, alone: boolean): Promise<void> {
    switch (step.does) {
      case 'hold': {
        const startedAtMs = (step.late ? this.#day : this.#day + 1) * dayMs - 1
        const budgets = this.#under(step.places)
        const amountPico = BigInt(step.amount)
        const idlePico = budgets.map(
          (budget) => this.#limitOf(budget)! - this.#usedPico(budget.leaseId(startedAtMs)),
        )
        const result = await one.book.hold(
          { keyId: 'key', startedAtMs, budgets: new BudgetSet(budgets) },
          amountPico,
        )
        if (!this.#nodes.includes(one)) return
        if ('hold' in result) {
          one.open.push({ hold: result.hold, places: step.places })
          this.#granted(result.hold)
        } else if (alone)
          expect(
            idlePico.some((pico) => pico < amountPico),
            `${idlePico.join()} are idle`,
          ).toBe(true)
        return
      }
      case 'extend': {
        const running = one.open[step.which % Math.max(1, one.open.length)]
        const model = step.which % 2 === 0 ? 'model' : 'other'
        if (running === undefined) return
        const refused = await one.book.extend(running.hold, BigInt(step.amount), model)
        if (refused === undefined && this.#nodes.includes(one)) this.#granted(running.hold, model)
        return
      }
      case 'settle': {
        const [running] = one.open.splice(step.which % Math.max(1, one.open.length), 1)
        if (running !== undefined) this.#settle(one, running, step.amount, step.which % 2 === 0)
        return
      }
      case 'flush':
        return this.#flush(one)
      case 'idle':
        return one.book.giveBackIdle(Date.now() + 1)
      case 'kill':
        return this.#kill(one)
    }
  }

  /** Charges no more than each budget that counts it has reserved: less if an extension left one out. */
  #settle(one: Node, { hold, places }: Running, percent: number, isModel: boolean): void {
    const model = isModel ? 'model' : 'other'
    const counting = heldBudgets(hold).filter(({ budget }) => counts(budget, model))
    const mostPico = counting.reduce((least, { pico }) => (pico < least ? pico : least), hold.amountPico)
    const pico = (mostPico * BigInt(percent)) / 60n
    const held = counting.map(({ leaseId }) => leaseId)
    one.pending.push({ pico, startedAtMs: hold.startedAtMs, places, model, held })
    one.book.settle(hold, pico, model)
  }

  async #flush(one: Node): Promise<void> {
    for (const charge of one.pending.splice(0)) {
      const { pico, startedAtMs, places, model, held } = charge
      const counted = this.#under(places)
        .filter((budget) => counts(budget, model))
        .map((budget) => budget.leaseId(startedAtMs))
      this.#posted.push(charge)
      for (const leaseId of counted)
        if (!held.includes(leaseId))
          this.#unheldPico.set(leaseId, (this.#unheldPico.get(leaseId) ?? 0n) + pico)
      const states = await this.#store.post(one.nodeId, pico, { counted, held })
      const leases = await this.#credit.post(one.nodeId, pico, startedAtMs)
      const charged = new Map([['key', pico], ...held.map((leaseId) => [leaseId, pico] as const)])
      one.book.flushed(charged, new Map([...leases, ...states]))
    }
  }

  /** Running requests are lost. The outbox is flushed, then leases are returned, then the node restarts. */
  async #kill(one: Node): Promise<void> {
    const at = this.#nodes.indexOf(one)
    if (at < 0) return
    one.open = []
    await this.#flush(one)
    await this.#store.giveBackAll(one.nodeId)
    await this.#credit.giveBackAll(one.nodeId)
    this.#nodes[at] = this.#newNode(one.nodeId)
  }

  async end(): Promise<void> {
    for (const one of this.#nodes) {
      for (const running of one.open.splice(0)) this.#settle(one, running, 60, true)
      await this.#flush(one)
    }
    for (const { book } of this.#nodes) {
      await book.giveBackIdle(Date.now() + 1)
      expect(book.budgetTotals(), 'something is stuck').toMatchObject({ heldPico: 0n, unflushedPico: 0n })
    }
    expect(this.#store.leasedPico, 'leases are stuck').toBe(0n)
  }
}

function heldBudgets(hold: Hold): { budget: HardBudget; leaseId: string; pico: bigint }[] {
  const { budgets } = hold
  return (budgets?.ids ?? []).map((leaseId, at) => ({
    budget: budgets!.set.budgets[at]!,
    leaseId,
    pico: heldOfBudget(hold, at),
  }))
}

function counts({ rule }: HardBudget, model: string): boolean {
  return rule.scope !== 'model' || rule.subject === model
}

/** Groups steps that run concurrently. A step that concerns all nodes runs alone. */
function batchesOf(steps: readonly Step[]): Step[][] {
  const batches: Step[][] = [[]]
  for (const one of steps) {
    const isAlone = !('node' in one) || one.does === 'kill'
    if (isAlone) batches.push([one], [])
    else if (batches.at(-1)!.push(one) === 6) batches.push([])
  }
  return batches
}

describe('the arithmetic of budgets', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
  const delays = fc.noShrink(fc.nat())
  const limits = fc.array(limit, { minLength: periods.length, maxLength: periods.length })

  it(`never exceeds a period’s limit, and refuses nothing within it (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 80, size: 'max' })
    const property = fc.asyncProperty(delays, limits, steps, async (turns, limitsPico, all) => {
      const run = new Run(turns, limitsPico)
      for (const one of all) await run.take(one, true)
      await run.end()
    })
    await fc.assert(property, { seed, numRuns: 400 })
  }, 120_000)

  it(`never exceeds a period’s limit, with concurrent steps (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 80, size: 'max' })
    const property = fc.asyncProperty(delays, limits, steps, async (turns, limitsPico, all) => {
      const run = new Run(turns, limitsPico)
      for (const batch of batchesOf(all)) await Promise.all(batch.map((one) => run.take(one, false)))
      await run.end()
    })
    await fc.assert(property, { seed, numRuns: 1_000 })
  }, 120_000)
})
