import type { Vendor, VendorScript } from '@turnpike/simulators'
import { list } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styledVendor, type Asked } from '../vendors/scripted/styled-vendor.ts'

/**
 * What a model says of each request; a list is taken turn by turn, of which each round of results begins one.
 */
export type Turns = readonly ScriptedAnswer[] | ((asked: Asked) => ScriptedAnswer | VendorScript)

/** A model that says this. An agent that declares no tools asks for a title, where nothing else is said. */
export function codingVendor(turns: () => Turns): Vendor {
  return styledVendor((asked) => {
    const all = turns()
    if (typeof all === 'function') return all(asked)
    if (list(asked.body['tools']).length === 0) return title
    return all[Math.min(asked.rounds, all.length - 1)]!
  })
}

/** One after the other, whatever is asked. */
export function inTurn(...answers: readonly ScriptedAnswer[]): Turns {
  let next = 0
  return () => answers[Math.min(next++, answers.length - 1)]!
}

const usage = { input: 12, cached: 0, output: 5, reasoning: 0 }
const title: ScriptedAnswer = { id: 'title', text: '{"title": "Forty-two"}', usage }
