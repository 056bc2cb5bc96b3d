import { array, assert, double, nat, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { applyPlan, planPath, readPlanPath, type PathPlan } from './plan.ts'
import { bodyOf, type VendorScript } from './script.ts'

const plans: PathPlan[] = [
  {},
  { case: 'a b/c' },
  { split: { seed: 7 } },
  { split: { seed: 7, meanBytes: 3 } },
  { split: { at: [1, 5] }, label: 'x' },
  { case: 'c', fault: { kind: 'reset', at: 'start' }, label: '%' },
  { fault: { kind: 'close', at: 0.25 } },
]

test.each(plans)('%j survives the conversion to a path and back', (plan) => {
  const path = `${planPath(plan)}/v1/chat/completions?x=1`
  expect(readPlanPath(path)).toEqual({ plan, path: '/v1/chat/completions?x=1' })
})

test('splits keep bytes and tokens, faults keep a prefix', () => {
  const pieces = array(uint8Array({ maxLength: 40 }), { maxLength: 6 })
  const holds = property(pieces, nat(), double({ min: 0, max: 1, noNaN: true }), check)
  assert(holds, { verbose: true })
})

function check(pieces: Uint8Array[], seed: number, at: number): void {
  const script: VendorScript = {
    status: 200,
    headers: {},
    steps: [
      { type: 'head' },
      ...pieces.map((bytes) => ({ type: 'bytes' as const, bytes: Buffer.from(bytes), tokens: 1 })),
      { type: 'end' },
    ],
    bill: undefined,
  }
  const whole = bodyOf(script)
  const split = applyPlan(script, { split: { seed, meanBytes: 5 } })
  expect(bodyOf(split)).toEqual(whole)
  const tokens = split.steps.reduce((sum, step) => sum + (step.type === 'bytes' ? step.tokens : 0), 0)
  expect(tokens).toBe(pieces.length)
  const broken = applyPlan(script, { split: { seed }, fault: { kind: 'reset', at } })
  expect(bodyOf(broken)).toEqual(whole.subarray(0, Math.floor(whole.length * at)))
  expect(broken.steps.at(-1)).toEqual({ type: 'reset' })
}
