import { breakScript, faultKinds, type Fault } from './fault.ts'
import { splitScript, type Split } from './split.ts'
import type { VendorScript } from './script.ts'

/** How a test wants a request to be answered; omitted fields leave it to the vendor. */
export interface Plan {
  /** The id of a recorded case to answer with. */
  case?: string
  /** An answer made by the test. */
  script?: VendorScript
  split?: Split
  fault?: Fault
  /** Recorded in the journal, so that concurrent tests find their own requests. */
  label?: string
}

/** The part of a plan that fits into a path. */
export type PathPlan = Omit<Plan, 'script'>

/**
 * The path prefix that selects a plan: `/case/<id>/split/7/reset/0.5/label/<text>`. A gateway passes on
 * neither headers nor the order of a queue, but it keeps the path of its base URL.
 */
export function planPath(plan: PathPlan): string {
  const pairs: string[] = []
  if (plan.case !== undefined) pairs.push('case', plan.case)
  if (plan.split !== undefined) pairs.push('split', splitText(plan.split))
  if (plan.fault !== undefined) pairs.push(plan.fault.kind, String(plan.fault.at))
  if (plan.label !== undefined) pairs.push('label', plan.label)
  return pairs.map((part) => `/${encodeURIComponent(part)}`).join('')
}

/** The plan in a path, and the rest of the path for the vendor. */
export function readPlanPath(path: string): { plan: Plan; path: string } {
  const segments = path.split('/')
  const plan: Plan = {}
  let at = 1
  while (at + 1 < segments.length && readPair(plan, segments[at]!, decodeSegment(segments[at + 1]!))) at += 2
  return { plan, path: `/${segments.slice(at).join('/')}` }
}

/** The script with the plan's split and fault. The fault comes last because it counts bytes, not writes. */
export function applyPlan(script: VendorScript, plan: Plan): VendorScript {
  const split = plan.split === undefined ? script : splitScript(script, plan.split)
  return plan.fault === undefined ? split : breakScript(split, plan.fault)
}

function readPair(plan: Plan, key: string, value: string): boolean {
  const kind = faultKinds.find((one) => one === key)
  if (kind !== undefined) plan.fault = { kind, at: value === 'start' ? 'start' : Number(value) }
  else if (key === 'case') plan.case = value
  else if (key === 'split') plan.split = readSplit(value)
  else if (key === 'label') plan.label = value
  else return false
  return true
}

/** `at:3,17` for positions, `seed` or `seed:meanBytes` for random splits. */
function splitText(split: Split): string {
  if ('at' in split) return `at:${split.at.join(',')}`
  return split.meanBytes === undefined ? String(split.seed) : `${split.seed}:${split.meanBytes}`
}

function readSplit(text: string): Split {
  const [head = '', tail = ''] = text.split(':')
  if (head === 'at') return { at: tail.split(',').map(Number) }
  const seed = Number(head)
  return tail === '' ? { seed } : { seed, meanBytes: Number(tail) }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
