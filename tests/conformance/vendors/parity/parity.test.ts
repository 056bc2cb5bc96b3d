import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../../nodes/suite.ts'
import { list, object, type Json } from '../oracle/json.ts'
import { startVendorNode, upstreamModel } from '../vendor-node.ts'
import { justified, notCompared } from './justified.ts'
import { differencesOf, type Difference } from './meaning.ts'
import { nextMessages, scenarios, type Scenario } from './scenarios.ts'

/**
 * OpenAI's request for a scenario, sent to each other vendor, must have the meaning of that vendor's own
 * recorded request; so must the second turn, which sends back the gateway's version of the first answer.
 */

const recordings = allRecordings()
const all = scenarios(recordings)

describe.runIf(recordings.areReal)('parity', () => {
  const models = all.map((scenario) => ({
    vendor: scenario.vendor.name,
    model: upstreamModel(recordings.get(scenario.case)),
    plan: { case: scenario.case, label: scenario.case },
  }))
  const world = suiteStart(() => startVendorNode(models, recordings))

  test('has all scenarios', () => {
    expect(all.length).toBeGreaterThanOrEqual(25)
    const recorded = recordings.cases.flatMap(({ id }) => /^parity-(\w+)-/u.exec(id)?.[1] ?? [])
    const compared = [...all.map(({ name }) => name), ...Object.keys(notCompared)]
    expect(new Set(compared)).toEqual(new Set(recorded))
  })

  const named = all.map((scenario, index): [string, string, Scenario, number] => [
    scenario.name,
    scenario.vendor.name,
    scenario,
    index,
  ])

  test.concurrent.each(named)('%s at %s', async (_name, _vendor, scenario, index) => {
    const model = world.names[index]!
    const first = await ask({ ...scenario.request, model })
    const answer = object(list(first['choices'])[0]!['message'])
    await ask({ ...scenario.request, messages: nextMessages(scenario, answer), model })
    const [sent, sentNext] = world.vendor.journal
      .findByLabel(scenario.case)
      .map(({ request }) => object(JSON.parse(request.body.toString('utf8'))))
    expect(unjustified(scenario, 1, scenario.recorded, sent!)).toEqual([])
    expect(unjustified(scenario, 2, scenario.recordedNext, sentNext!)).toEqual([])
  })

  test('needs every listed justification', () => {
    expect(justified.filter((one) => !met.has(one))).toEqual([])
  })

  async function ask(request: Json): Promise<Json> {
    const response = await world.node.chat(world.key, request)
    const body = object(await response.json())
    expect(body).not.toHaveProperty('error')
    return body
  }
})

const met = new Set<unknown>()

function unjustified({ name, vendor }: Scenario, turn: number, recorded: Json, sent: Json): Difference[] {
  const differences = differencesOf(vendor.meaning(recorded), vendor.meaning(sent))
  return differences.filter((difference) => {
    const row = justified.find(
      (one) =>
        one.vendor === vendor.name &&
        one.scenarios.includes(name) &&
        (one.turn ?? turn) === turn &&
        isAtOrBelow(difference.path, one.path),
    )
    met.add(row)
    return row === undefined
  })
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}
