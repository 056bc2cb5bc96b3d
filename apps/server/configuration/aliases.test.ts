import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'
import { mistakesIn } from './testing/mistakes.ts'

const models = (...lines: string[]): string => `models:\n${lines.map((line) => `  ${line}\n`).join('')}`
const alias = (name: string, target: string): string => `${name}: { alias_of: ${target} }`

test.each([
  ['has no provider', models(alias('claude-sonnet-4-6', 'openai/gpt-5'))],
  ['names a provider that is not configured', models(alias('acme/fast', 'openai/gpt-5-mini'))],
  ['refers to auto-routing', models(alias('claude-opus-4-8', 'turnpike/auto-premium'))],
  ['refers to a dated version', models(alias('fast', 'openai/gpt-4o-2024-08-06'))],
  [
    'refers to a model of the file',
    models(alias('fast', 'b/y'), 'b/y: { upstreams: [{ provider: openai, model: y }] }'),
  ],
  [
    'is used as a fallback',
    models(alias('my/fast', 'openai/gpt-4.1'), 'openai/gpt-4o: { fallbacks: [my/fast] }'),
  ],
  [
    'has the name of a model whose vendor is not configured',
    `providers: { openai: {} }\n${models(alias('anthropic/claude-sonnet-4-6', 'openai/gpt-5'))}`,
  ],
])('an alias is valid if it %s', (_what, text) => expect(mistakesIn(text)).toEqual([]))

test.each([
  [alias('fast', 'openai/gpt-99'), 'models.fast.alias_of: unknown model "openai/gpt-99"'],
  [alias('fast', 'opnai/gpt-5'), 'models.fast.alias_of: unknown provider "opnai"; did you mean "openai"?'],
  [alias('fast', 'gpt-5'), 'models.fast.alias_of: expected a model as <provider>/<model_id>'],
  [alias('a/b', 'a/b'), 'alias_of: an alias cannot refer to itself'],
  [alias('auto', 'openai/gpt-5'), 'models.auto: this name is reserved for auto-routing'],
  [alias('turnpike/fast', 'openai/gpt-5'), 'this name is reserved for auto-routing'],
  [alias('openai/gpt-5', 'openai/gpt-5-mini'), 'a model already has this name'],
  [
    'fast: { alias_of: openai/gpt-5, context_length: 5 }',
    'models.fast.context_length: an alias can only have alias_of',
  ],
  ['fast: { alias_of: openai/gpt-5, free: true }', 'models.fast.free: an alias can only have alias_of'],
  ['fast: { context_length: 5 }', 'models.fast: expected a model as <provider>/<model_id>, or an alias'],
  ['fast: { alias_of: 5 }', 'models.fast.alias_of: expected a model as <provider>/<model_id>'],
])('an alias is rejected: %s', (text, expected) =>
  expect(mistakesIn(models(text)).join('\n')).toContain(expected),
)

test('an alias of an alias is rejected, and so is an alias in place of a model', () => {
  const chain = models(alias('one', 'my/two'), alias('my/two', 'openai/gpt-5'))
  expect(mistakesIn(chain).join('\n')).toContain('models.one.alias_of: "my/two" is itself an alias')
  const auto = models(alias('my/auto', 'turnpike/auto'), 'openai/gpt-4o: { fallbacks: [my/auto] }')
  expect(mistakesIn(auto).join('\n')).toContain('fallbacks[0]: "my/auto" is an alias of auto-routing')
  const tiers = 'routing: { auto: { tiers: { SIMPLE: [my/fast] }, baseline_model: my/fast } }\n'
  const wrong = mistakesIn(tiers + models(alias('my/fast', 'openai/gpt-5-mini'))).join('\n')
  expect(wrong).toContain('routing.auto.tiers.SIMPLE[0]: is an alias: use the model, openai/gpt-5-mini')
  expect(wrong).toContain('routing.auto.baseline_model: is an alias')
})

test('an alias is part of the resolved configuration', () => {
  const { input } = parseConfiguration(models(alias('claude-sonnet-4-6', 'openai/gpt-5')), {})
  const resolved = resolveConfiguration(input!, { file: null, directory: '/', environment: {} })
  expect(resolved.models).toEqual([{ id: 'claude-sonnet-4-6', free: false, aliasOf: 'openai/gpt-5' }])
})
