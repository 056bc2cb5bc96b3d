import { Journal, type Performance } from './journal.ts'
import { applyPlan, readPlanPath, type Plan } from './plan.ts'
import type { Vendor, VendorRequest, VendorScript } from './script.ts'

/** A source of recorded cases, such as `Recordings` in `recordings.ts`. */
export interface CaseSource {
  /** @throws {Error} if there is no such case */
  script(id: string): VendorScript
}

/** The header that selects a plan, in the syntax of a plan's path: `/case/<id>/split/7`. */
export const planHeader = 'x-sim-plan'

/**
 * Decides how each request is answered: by a plan in the request's path or its `x-sim-plan` header, else by
 * the next plan in the queue, else by the vendor. Keeps the journal.
 */
export class Director {
  readonly journal: Journal
  readonly #vendor: Vendor
  readonly #cases: CaseSource | undefined
  readonly #queue: Plan[] = []

  constructor(vendor: Vendor, options: { cases?: CaseSource | undefined; journal?: Journal } = {}) {
    this.#vendor = vendor
    this.#cases = options.cases
    this.journal = options.journal ?? new Journal()
  }

  /** Queues a plan for the next request that has none of its own. */
  next(plan: Plan): void {
    this.#queue.push(plan)
  }

  /** Drops plans whose requests never came. */
  forgetPlans(): void {
    this.#queue.length = 0
  }

  perform(request: VendorRequest): Performance {
    const { plan, path } = this.#planOf(request)
    const seen = { ...request, path }
    const script = applyPlan(this.#scriptOf(seen, plan), plan)
    return { script, watcher: this.journal.begin(seen, plan, script) }
  }

  #planOf(request: VendorRequest): { plan: Plan; path: string } {
    const inPath = readPlanPath(request.path)
    const header = request.headers[planHeader]
    const plan = header === undefined ? inPath.plan : { ...inPath.plan, ...readPlanPath(header).plan }
    const { label, ...rest } = plan
    if (Object.keys(rest).length > 0) return { plan, path: inPath.path }
    const queued = this.#queue.shift() ?? {}
    return { plan: label === undefined ? queued : { label, ...queued }, path: inPath.path }
  }

  #scriptOf(request: VendorRequest, plan: Plan): VendorScript {
    if (plan.script !== undefined) return plan.script
    if (plan.case === undefined) return this.#vendor.answer(request)
    if (this.#cases === undefined)
      throw new Error(`No recordings were given, but case ${plan.case} is asked for`)
    return this.#cases.script(plan.case)
  }
}
