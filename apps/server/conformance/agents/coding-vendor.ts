import type { Vendor } from '@turnpike/simulators'
import { list } from '../vendors/oracle/json.ts'
import type { ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { styledVendor } from '../vendors/scripted/styled-vendor.ts'

/**
 * A model that takes the next of these turns for each round of tool results that the conversation holds. An
 * agent that declares no tools asks for a title.
 */
export function codingVendor(turns: () => readonly ScriptedAnswer[]): Vendor {
  return styledVendor(({ body, rounds }) => {
    if (list(body['tools']).length === 0) return title
    const all = turns()
    return all[Math.min(rounds, all.length - 1)]!
  })
}

const usage = { input: 12, cached: 0, output: 5, reasoning: 0 }
const title: ScriptedAnswer = { id: 'title', text: '{"title": "Forty-two"}', usage }
