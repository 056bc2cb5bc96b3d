import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../../nodes/suite.ts'
import { asksForStream } from '../chat-cases.ts'
import { object, type Json } from '../oracle/json.ts'
import { anthropicMeaning } from '../parity/meaning-anthropic.ts'
import { googleMeaning } from '../parity/meaning-google.ts'
import { differencesOf } from '../parity/meaning.ts'
import { startVendorNode, upstreamModel } from '../vendor-node.ts'
import { askedOfAnthropic } from './said-to-anthropic.ts'
import { askedOfGoogle } from './said-to-google.ts'

/**
 * Programs' real requests to Anthropic and Google, translated to OpenAI's format, must reach the vendor as
 * they were recorded, without loss or addition.
 */

interface Asked {
  recorded: RecordedCase
  original: Json
  request: Json
}

/** Intended differences, by case and path. */
const justified: Record<string, { path: string; reason: string }> = {
  'pydantic-ai-test-google-model-thinking-part-iter-i0': {
    path: 'generation.thinkingConfig',
    reason: 'OpenAI has no word for showing thoughts without wishing for more or fewer of them',
  },
}

/** Requests that the gateway refuses, as their vendor does or did. */
const refused = new Set([
  // The result's identifier does not match the call before it.
  'dd-trace-py-anthropic-completion-tools-call-with-tool-result-stream-helper-i0',
  // Its messages are invalid.
  'dd-trace-py-anthropic-completion-error-i0',
])

const recordings = allRecordings()
const all = recordings.cases.flatMap((recorded) => askedOf(recorded) ?? [])

function askedOf(recorded: RecordedCase): Asked | undefined {
  const google = recorded.api.endsWith('enerateContent')
  const body = recordings.request(recorded.id)
  if ((!google && recorded.api !== 'messages') || body === undefined) return undefined
  if (recorded.id.startsWith('parity-') || refused.has(recorded.id)) return undefined
  const original = object(JSON.parse(body.toString('utf8')))
  const request = google ? askedOfGoogle(original) : askedOfAnthropic(original)
  return request === undefined ? undefined : { recorded, original, request }
}

describe('recorded requests', () => {
  const models = all.map(({ recorded }) => ({
    vendor: recorded.vendor,
    model: upstreamModel(recorded),
    plan: { case: recorded.id, label: recorded.id },
  }))
  const world = suiteStart(() => startVendorNode(models, recordings))

  test.runIf(recordings.areReal)('can mostly be expressed in OpenAI’s format', () => {
    expect(all.length).toBeGreaterThanOrEqual(55)
  })

  const named = all.map((asked, index): [string, Asked, number] => [
    `${asked.recorded.vendor} ${asked.recorded.id}`,
    asked,
    index,
  ])

  test.concurrent.each(named)('%s', async (_name, { recorded, original, request }, index) => {
    const stream = asksForStream(recorded)
    const response = await world.node.chat(world.key, { ...request, stream, model: world.names[index]! })
    await response.text()
    const [entry] = world.vendor.journal.findByLabel(recorded.id)
    const sent = object(JSON.parse(entry!.request.body.toString('utf8')))
    const meaning = recorded.api === 'messages' ? anthropicMeaning : withoutIdentity
    const differences = differencesOf(meaning(original), meaning(sent))
    const allowed = justified[recorded.id]?.path
    expect(differences.filter(({ path }) => path !== allowed)).toEqual([])
  })
})

/** Removes identifiers and signatures, which come with the gateway's own answers, not with these requests. */
function withoutIdentity(body: Json): unknown {
  return JSON.parse(
    JSON.stringify(googleMeaning(body), (name, value: unknown) =>
      name === 'thoughtSignature' || name === 'id' ? undefined : value,
    ),
  )
}
