import type { Vendor, VendorScript } from '@turnpike/simulators'
import { list } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styledVendor, type Asked } from '../vendors/scripted/styled-vendor.ts'

/** The answers of a model. A list is used turn by turn, and each round of tool results starts a turn. */
export type Turns = readonly ScriptedAnswer[] | ((asked: Asked) => ScriptedAnswer | VendorScript)

/** A model with these answers. With a list, a request without tools asks for a title, which is fixed. */
export function codingVendor(turns: () => Turns): Vendor {
  return styledVendor((asked) => {
    const all = turns()
    if (typeof all === 'function') return all(asked)
    if (list(asked.body['tools']).length === 0) return title
    return all[Math.min(asked.rounds, all.length - 1)]!
  })
}

/** Returns them one after another, whatever the request is. */
export function inTurn(...answers: readonly ScriptedAnswer[]): Turns {
  let next = 0
  return () => answers[Math.min(next++, answers.length - 1)]!
}

const usage = { input: 12, cached: 0, output: 5, reasoning: 0 }
const title: ScriptedAnswer = { id: 'title', text: '{"title": "Forty-two"}', usage }
