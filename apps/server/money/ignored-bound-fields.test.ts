import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { chunksScript, delta } from './testing/chunk-script.ts'
import { echoing, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

type Json = Record<string, unknown>

const words = 500
/** Credit for this many tokens; one read of the vendor's bytes may contain more. */
const covered = 100
const bound = 5

/** Fields besides `content` that contain text: at least a word in each piece. */
const sayings: Record<string, (at: number) => Json> = {
  refusal: () => delta({ refusal: ' word' }),
  reasoning: () => delta({ reasoning_content: ' word' }),
  'reasoning of a type of its own': (at) =>
    delta({ reasoning_details: [{ type: 'reasoning.other', text: ` word ${at}` }] }),
  'an unknown field': () => delta({ thoughts: ' word' }),
  'an unknown kind of content': (at) => delta({ content: [{ type: 'output_text', text: ` word ${at}` }] }),
  'spoken output, as text': (at) => delta({ audio: { id: 'audio_1', transcript: ` word ${at}` } }),
  'spoken output, as sound': (at) => delta({ audio: { id: 'audio_1', data: soundOf('word', at) } }),
  'names of tools': (at) =>
    delta({ tool_calls: [{ index: at, id: `c${at}`, function: { name: `word_${at}` } }] }),
  'arguments of a tool': () =>
    delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: ' word' } }] }),
  'text behind the finish': (at) => delta({ content: ' word' }, at === 0 ? 'stop' : null),
  'text as in completions': () => ({ index: 0, text: ' word', finish_reason: null }),
  'tokens by their probability alone': () => ({
    ...delta({ content: '' }),
    logprobs: { content: [{ token: ' word', logprob: 0, bytes: null, top_logprobs: [] }] },
  }),
  'choices beyond the requested number': (at) => ({ ...delta({ content: ' word' }), index: at % 7 }),
}

describe('output of a vendor that ignores the bound', () => {
  const fleet = suiteFleet(databases()[0]!.create, 1, echoing('0.00001'))

  it.each(Object.keys(sayings))('in %s is delivered as far as the credit covers it', async (name) => {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd: '0.001' })
    const messages = [{ role: 'user', content: 'x' }]
    const body = { model: 'vendor/echo', stream: true, max_tokens: bound, messages }
    const answers = Array.from({ length: 10 }, async () => {
      fleet.vendor.next({ script: endless(sayings[name]!) })
      return (await node.chat(key, body)).text()
    })
    const pieces = (await Promise.all(answers)).join('').match(/word|d29yZ/g)?.length ?? 0
    expect(pieces).toBeLessThanOrEqual(covered)
    const { balance_usd: balance } = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
    expect(Number(balance)).toBeGreaterThanOrEqual(0)
    expect(await node.admin('/ledger/verify')).toMatchObject({ differences: [] })
  })

  it('is counted by how an answer continues if it begins with little', async () => {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd: '0.06' })
    const piece = ' 7q\u{1f9a9}x'
    const leastTokens = 5
    const texts = [
      ...Array.from({ length: 17 }, () => ' '.repeat(1_000)),
      ...Array.from({ length: 5_000 }, () => piece),
    ]
    const choices = [...texts.map((content) => delta({ content })), end]
    fleet.vendor.next({ script: chunksScript(choices.map((choice) => ({ choices: [choice] }))) })
    const messages = [{ role: 'user', content: 'x' }]
    const response = await node.chat(key, { model: 'vendor/echo', stream: true, max_tokens: bound, messages })
    const pieces = (await response.text()).split('7q').length - 1
    expect(pieces).toBeGreaterThan(0)
    expect(pieces).toBeLessThanOrEqual(6_000 / leastTokens)
  })

  it('does not include metadata about the answer', async () => {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd: '0.00005' })
    const page = {
      type: 'url_citation',
      url_citation: { url: 'https://a.test', content: 'a page '.repeat(99) },
    }
    const choices = [delta({ content: 'Yes' }), delta({ annotations: [page] }), end]
    fleet.vendor.next({ script: chunksScript(choices.map((choice) => ({ choices: [choice] }))) })
    const messages = [{ role: 'user', content: 'x' }]
    const response = await node.chat(key, { model: 'vendor/echo', stream: true, max_tokens: bound, messages })
    expect(await response.text()).toMatch(/a page .*data: \[DONE\]\n\n$/s)
  })
})

function soundOf(word: string, at: number): string {
  return Buffer.from(`${word}${at}`.padEnd(300, '.')).toString('base64')
}

const end = delta({}, 'stop')

function endless(say: (at: number) => Json): VendorScript {
  const choices = [...Array.from({ length: words }, (_, at) => say(at)), end]
  return chunksScript(choices.map((choice) => ({ choices: [choice] })))
}
