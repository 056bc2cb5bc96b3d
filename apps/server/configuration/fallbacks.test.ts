import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'
import { mistakesIn } from './testing/mistakes.ts'

const prices = '{ prompt: "1", completion: "2" }'

/** A configuration with one OpenAI model. */
const model = (settings: string): string => `models:\n  openai/gpt-4o: { ${settings} }\n`
const fallbacks = (names: string): string => model(`fallbacks: [${names}]`)
const upstreams = (list: string): string => model(`upstreams: [${list}]`)
const first = 'provider: openai, model: a'
const second = 'provider: openai, model: b'

test.each([
  ['several keys', 'providers: { openai: { api_keys: [a, b] } }'],
  ['a second upstream', upstreams(`{ ${first} }, { ${second} }`)],
  ['weights, one of them 0', upstreams(`{ ${first}, weight: 3 }, { ${second}, weight: 0 }`)],
  ['a price of its own', upstreams(`{ ${first} }, { ${second}, pricing: ${prices} }`)],
  ['packaged models', fallbacks('anthropic/claude-sonnet-4-5, sandbox/echo')],
  ['a fallback to a dated version', fallbacks('openai/gpt-4o-2024-08-06')],
  [
    'a fallback to a model of the file',
    `${fallbacks('b/y')}  b/y: { upstreams: [{ provider: openai, model: y }] }`,
  ],
  [
    'fallbacks to each other',
    `${fallbacks('openai/gpt-4.1')}  openai/gpt-4.1: { fallbacks: [openai/gpt-4o] }`,
  ],
  [
    'a fallback to a model at a second account',
    `providers: { azure-eu: { vendor: azure, base_url: "https://x" } }\n${fallbacks('azure-eu/gpt-4o')}`,
  ],
  ['a routing order', 'routing: { order: latency }'],
  [
    'a breaker',
    'routing: { breaker: { failures: 3, rest_seconds: 0.5, longest_rest_seconds: 60, probes: 1 } }',
  ],
])('accepts %s', (_what, text) => expect(mistakesIn(text)).toEqual([]))

test.each([
  [fallbacks('openai/gpt-4o'), 'fallbacks[0]: a model cannot fall back to itself'],
  [fallbacks('openai/gpt-4.1, openai/gpt-4.1'), 'fallbacks[1]: "openai/gpt-4.1" is listed twice'],
  [
    fallbacks('openai/gpt-4o-minni'),
    'fallbacks[0]: unknown model "openai/gpt-4o-minni"; did you mean "openai/gpt-4o-mini"?',
  ],
  [fallbacks('opnai/gpt-4o'), 'fallbacks[0]: unknown provider "opnai"; did you mean "openai"?'],
  [
    `providers: { sandbox: false }\n${fallbacks('sandbox/echo')}`,
    'fallbacks[0]: unknown model "sandbox/echo"',
  ],
  [
    upstreams(`{ ${first}, weight: 1 }, { ${second} }`),
    'upstreams[1]: missing weight; set it for all upstreams of a model, or for none',
  ],
  [
    `routing: { order: price }\n${upstreams(`{ ${first}, weight: 1 }`)}`,
    'upstreams[0].weight: has no effect with routing.order: price',
  ],
  [upstreams(`{ ${first} }, { ${first} }`), 'upstreams[1]: is the same as upstreams[0]: remove one of them'],
  [
    model(`free: true, upstreams: [{ ${first}, pricing: ${prices} }]`),
    'upstreams[0].pricing: a model is either free or has prices, not both',
  ],
  ['routing: { order: random }', 'routing.order: expected one of listed, price, latency'],
])('rejects %s', (text, expected) => expect(mistakesIn(text).join('\n')).toContain(expected))

test('upstreams, order and breaker are part of the resolved configuration', () => {
  const text =
    'routing: { order: price, breaker: { enabled: false } }\n' +
    model(`upstreams: [{ ${first}, pricing: ${prices} }], fallbacks: [openai/gpt-4.1]`)
  const { input } = parseConfiguration(text, {})
  const { routing, models } = resolveConfiguration(input!, { file: null, directory: '/', environment: {} })
  expect(routing).toMatchObject({ order: 'price', breaker: null })
  expect(models[0]).toMatchObject({
    upstreams: [{ provider: 'openai', model: 'a', pricing: { prompt: '1', completion: '2' } }],
    fallbacks: ['openai/gpt-4.1'],
  })
})
