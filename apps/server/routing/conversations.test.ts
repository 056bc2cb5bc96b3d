import { describe, expect, it } from 'vitest'
import { ask, assistant, fourTiers, image, model, says, user, type Routed } from './testing/four-tiers.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'

const vendor = suiteVendor()

const node = suiteNode(() => {
  const { models, ...rest } = fourTiers(vendor)
  const named = { ...models, 'vendor/模型-é': model('0.00001', 'REASONING') }
  const audio = { modalities: { input: ['text', 'audio'] as ['text', 'audio'] } }
  const { tiers: _, ...hears } = model('0.000001', 'SIMPLE', audio)
  return { ...rest, models: { ...named, 'vendor/hears': hears } }
})
const key = suiteKey(node)

const retry = (messages: object[]): Promise<Routed> =>
  ask(node, key, { messages, metadata: { retry_of: 'req_of_somebody_else' } })
/** A prompt above all image tiers, to see whether a later request counts as the same conversation. */
const pictures = (data: string): object[] => [user([image(data)])]

describe('conversations are distinguished', () => {
  it('if they begin with images of one size and nothing else', async () => {
    const [one, other] = ['A', 'B'].map((letter) => `iVBORw0KGgo${'A'.repeat(4_000)}${letter.repeat(4_000)}`)
    const first = await retry(pictures(one!))
    expect(first.tier).toBe('COMPLEX')
    const row = await node.admin<{ route: { conversation: string | null } }>(
      `/accounts/${key.accountId}/usage/requests/${(await retry(pictures(other!))).id}`,
    )
    expect(row.route.conversation).toBeNull()
    const again = await node.admin<{ route: { conversation: string | null } }>(
      `/accounts/${key.accountId}/usage/requests/${(await retry(pictures(one!))).id}`,
    )
    expect(again.route.conversation).toBe('COMPLEX')
  })

  it('if they begin with the same words: without an answer, nothing continues a conversation', async () => {
    const begun = [user('hi'), assistant('Hello.'), user('and now?')]
    await ask(node, key, { messages: begun, metadata: { retry_of: 'req_1' } })
    const { id } = await ask(node, key, says('hi'))
    const row = await node.admin<object>(`/accounts/${key.accountId}/usage/requests/${id}`)
    expect(row).toMatchObject({ tier: 'SIMPLE', route: { conversation: null } })
  })

  it('if the caller names its end users', async () => {
    const begun = (end: string): object => ({
      user: end,
      messages: [user('hello'), assistant('Hi.'), user('go on')],
    })
    await ask(node, key, { ...begun('ann'), metadata: { retry_of: 'req_1' } })
    expect((await ask(node, key, begun('ann'))).tier).toBe('MEDIUM')
    expect((await ask(node, key, begun('bob'))).tier).toBe('SIMPLE')
  })
})

describe('an answer that is sent back', () => {
  it('moves up one tier, whichever request it names, and stops at the top', async () => {
    const other = await node.createKey()
    const theirs = await ask(node, other, says('hi there'))
    const messages = [user('hi there')]
    const tiers: (string | null)[] = []
    for (let time = 0; time < 5; time++)
      tiers.push((await ask(node, key, { messages, metadata: { retry_of: theirs.id } })).tier)
    expect(tiers).toEqual(['MEDIUM', 'COMPLEX', 'REASONING', 'REASONING', 'REASONING'])
    expect((await ask(node, other, { messages })).tier).toBe('SIMPLE')
  })
})

it('tries the model that the caller names in addition if none of its own can answer', async () => {
  const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
  const answer = await ask(node, key, { messages: [user([audio])], models: ['vendor/hears'] })
  expect(answer).toMatchObject({ status: 200, model: 'vendor/hears', tier: null, route: null })
})

it('reports the model in headers, whatever it is called', async () => {
  const only = await node.createKey({ allowedModels: ['vendor/模型-é'] })
  const answer = await ask(node, only, says('hi'))
  const name = 'vendor/%E6%A8%A1%E5%9E%8B-%C3%A9'
  expect(answer).toMatchObject({ status: 200, model: name, tier: 'REASONING' })
  expect(answer.route).toMatch(new RegExp(`; ${name}, then 0 more$`))
  const streamed = await node.chat(only, { model: 'auto', stream: true, ...says('hi') })
  expect(streamed.headers.get('x-turnpike-model')).toBe(name)
  expect(await streamed.text()).toContain('vendor/模型-é')
})

it('refuses every model if a list contains only a dated version of one', async () => {
  const dated = await node.createKey({ allowedModels: ['vendor/tiny-2025-01-01'] })
  const { status, json } = await ask(node, dated, says('hi'))
  expect([status, json.error!.message]).toEqual([
    400,
    expect.stringMatching(/vendor\/\S+ is not allowed for this key/),
  ])
})
