import { describe, expect, test } from 'vitest'
import { BoundedLabel } from './bounded-label.ts'
import { suiteKey, suiteNode } from '../../../tests/nodes/suite.ts'

const callersOwn = 'hostile'

/** The possible values of labels, whatever callers send. */
const shortLists: Record<string, RegExp> = {
  outcome: /^(completed|client_closed|upstream_cut|credit_exhausted|failed)$/,
  type: /^[a-z_]+$/,
  direction: /^(in|out)$/,
  endpoint: /^(chat\.completions|messages)$/,
  operation: /^generate$/,
  counter: /^(vendor|gateway)$/,
  provider: /^(sandbox|)$/,
  model: /^(sandbox\/[a-z]+|)$/,
  tier: /^(SIMPLE|MEDIUM|COMPLEX|REASONING)$/,
  scored: /^(SIMPLE|MEDIUM|COMPLEX|REASONING)$/,
  limit: /^[a-z-]+$/i,
  reason: /^(implausible|beyond-hold|requests|bodies|event-loop|no-key|no-bearer|unknown-key|not-looked-up)$/,
  result: /^(ok|granted|short|failed|resting|unsupported|[a-z-]+|status-\d{3})$/,
  state: /^(closed|half-open|open|available|held|unflushed)$/,
  by: /^(this|others)$/,
  scope: /^(organization|project|member|key|tag|model)$/,
  kind: /^(webhook|mail)$/,
  check: /^(database|notices|redis)$/,
}

describe('labels', () => {
  const node = suiteNode({ providers: { sandbox: { style: 'sandbox' } } })
  const key = suiteKey(node)

  test('have values from short lists, whatever callers send', async () => {
    const messages = [{ role: 'user', content: `${callersOwn} words` }]
    for (let round = 0; round < 10; round++) {
      const own = `${callersOwn}-${round}`
      const ask = (body: object, headers: Record<string, string> = {}) =>
        node.chat(key, { messages, ...body }, { headers }).then((response) => response.text())
      await ask({ model: own })
      await ask({ model: `sandbox/${own}` })
      await ask({ model: `${own}/${own}`, models: [own] })
      await ask({ model: 'sandbox/echo', metadata: { tags: [own] }, user: own }, { 'x-turnpike-tags': own })
      await ask({ model: 'auto', metadata: { tags: [own] } })
      await ask({ model: 'sandbox/echo' }, { traceparent: own, 'user-agent': own })
      await node.chat({ ...key, raw: own }, { model: own, messages })
      await fetch(`${node.origin}/${own}`)
      await fetch(`${node.baseUrl}/models/${own}`, { headers: { authorization: `Bearer ${key.raw}` } })
    }
    const text = await (await node.metrics()).text()
    expect(text).not.toContain(callersOwn)
    const own = text.split('\n').filter((line) => line.startsWith('turnpike_'))
    for (const [, name, value] of own.join('\n').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      if (name !== 'le') expect(value, name).toMatch(shortLists[name!] ?? /^$/)
    expect(own.length).toBeLessThan(150)
  })

  test('count all further values together once there are many', () => {
    const label = new BoundedLabel(2)
    expect(['a', 'b', 'c', 'a', 'd'].map((value) => label.of(value))).toEqual([
      'a',
      'b',
      'other',
      'a',
      'other',
    ])
  })
})
