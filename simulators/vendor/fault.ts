import { bodyOf, type ScriptStep, type VendorScript } from './script.ts'

/**
 * How an answer fails: `reset` breaks the connection, `stall` goes silent, `close` ends the incomplete body
 * cleanly.
 */
export interface Fault {
  kind: FaultKind
  /** `start`: before the head. Otherwise the part of the body that is still sent: 0 none, 1 all. */
  at: 'start' | number
}

export const faultKinds = ['reset', 'stall', 'close'] as const
export type FaultKind = (typeof faultKinds)[number]

const lastStep = { reset: 'reset', stall: 'hang', close: 'end' } as const

/** The same answer with the fault; the bytes before the fault are unchanged. */
export function breakScript(script: VendorScript, fault: Fault): VendorScript {
  const last: ScriptStep = { type: lastStep[fault.kind] }
  if (fault.at === 'start') return { ...script, steps: [last] }
  const limit = Math.floor(bodyOf(script).length * fault.at)
  const headers = { ...script.headers }
  if (fault.kind === 'close') delete headers['content-length']
  return { ...script, headers, steps: [...stepsUpTo(script.steps, limit), last] }
}

function stepsUpTo(steps: ScriptStep[], limit: number): ScriptStep[] {
  const kept: ScriptStep[] = []
  let left = limit
  for (const step of steps) {
    if (step.type === 'bytes') {
      if (left === 0) break
      const whole = step.bytes.length <= left
      kept.push(whole ? step : { type: 'bytes', bytes: step.bytes.subarray(0, left), tokens: 0 })
      left -= Math.min(left, step.bytes.length)
    } else if (step.type === 'head' || step.type === 'delay') kept.push(step)
    else break
  }
  return kept
}
