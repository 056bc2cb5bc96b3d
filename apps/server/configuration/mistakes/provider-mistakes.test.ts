import { expect, test } from 'vitest'
import { mistakesIn } from '../testing/mistakes.ts'

/** A line of YAML, and part of the message about it. */
const mistakes: [string, string][] = [
  ['providers: []', 'providers: expected a section of named entries, found a list'],
  ['providers: { Up: { style: openai } }', 't.yaml:1:14 providers.Up: expected a name of lower-case letters'],
  [
    'providers: { a: true }',
    'providers.a: expected false or a section with vendor, style, formats, base_url, api_keys',
  ],
  [
    'providers: { a: {} }',
    't.yaml:1:17 providers.a.style: missing; expected one of openai, openai-responses, anthropic',
  ],
  ['providers: { grok: {} }', 'since "grok" is not a known vendor; did you mean "groq"?'],
  [
    'providers: { a: { vendor: gorq } }',
    'providers.a.vendor: expected one of ai21, alibaba, anthropic, azure',
  ],
  ['providers: { a: { vendor: groq, style: mistral } }', 'providers.a.style: Groq uses openai: remove'],
  ['providers: { azure: {} }', 'providers.azure: missing base_url; Azure OpenAI has an address of your own'],
  ['providers: { vertex: {} }', 'providers.vertex: missing base_url; Google Cloud Vertex AI has an address'],
  [
    'providers: { a: { vendor: azure } }',
    'providers.a: missing base_url; Azure OpenAI has an address of your own, such as ' +
      'https://<resource>.openai',
  ],
  ['providers: { groq: { allow_unpriced: tools } }', 'providers.groq.allow_unpriced: expected a list'],
  ['providers: { groq: { allow_unpriced: [""] } }', 'providers.groq.allow_unpriced[0]: expected a text'],
  [
    'models: { a/m: { pricing: { prompt: "1", completion: "1", service_tiers: { Fast: {} } } } }',
    'pricing.service_tiers.Fast: expected',
  ],
  [
    'models: { a/m: { pricing: { prompt: "1", completion: "1", service_tiers: { x: { input: "1" } } } } }',
    'pricing.service_tiers.x.input: unknown key',
  ],
  ['providers: { groq: { path: v1 } }', 'providers.groq.path: expected a path such as "/openai/deployments/'],
  ['providers: { groq: { path: "/a?b" } }', 'providers.groq.path: expected a path such as'],
  ['providers: { groq: { path: "/{deployment}/x" } }', 'providers.groq.path: expected a path such as'],
  [
    'providers: { deepseek: { formats: [anthropic] } }',
    'formats[0]: expected one of openai-chat, openai-completions, openai-responses',
  ],
  [
    'providers: { groq: { formats: [openai-chat, anthropic-messages] } }',
    'formats[1]: Groq only supports openai-chat',
  ],
  [
    'providers: { deepseek: { formats: [openai-chat] } }',
    'formats[0]: DeepSeek only supports deepseek-chat and anthropic-messages and openai-responses and',
  ],
  ['providers: { deepseek: { formats: [deepseek-chat, deepseek-chat] } }', 'formats[1]: is listed twice'],
  ['providers: { deepseek: { formats: [] } }', 'providers.deepseek.formats: expected at least one'],
  [
    'models: { groq/m: { formats: [openai-responses] } }',
    'models["groq/m"].formats[0]: Groq only supports openai-chat',
  ],
  ['models: { openai/m: { formats: [openai-chat, openai-chat] } }', 'formats[1]: is listed twice'],
  [
    'models: { a/m: { upstreams: [{ provider: groq, model: m, formats: [google-generate] }] } }',
    'models["a/m"].upstreams[0].formats[0]: Groq only supports openai-chat',
  ],
  ['providers: { groq: { paths: { embed: v1 } } }', 'providers.groq.paths.embed: expected a path such as'],
  ['providers: { groq: { paths: { chat: /v1 } } }', 'providers.groq.paths.chat: unknown key'],
  [
    'providers: { groq: { path: /a, paths: { generate: /b } } }',
    'providers.groq.path: is the same as paths.generate: remove one of them',
  ],
  ['models: { groq/m: { operations: [] } }', '.operations: expected at least one'],
  ['models: { groq/m: { operations: [chat] } }', 'operations[0]: expected one of generate, embed, rerank'],
  ['models: { groq/m: { operations: [embed], tiers: [SIMPLE] } }', '.tiers: models of auto-routing must'],
  [
    'models: { groq/m: { operations: [embed] } }\nrouting: { auto: { tiers: { SIMPLE: [groq/m] } } }',
    'routing.auto.tiers.SIMPLE[0]: models of auto-routing must',
  ],
  ['providers: { groq: { api_version: "" } }', 'providers.groq.api_version: expected a text'],
  ['providers: { groq: { credential_header: "a b" } }', 'credential_header: expected the name of a header'],
  [
    'providers: { groq: { headers: { Host: x } } }',
    'providers.groq.headers.Host: expected the name of a header',
  ],
  ['providers: { groq: { headers: { "a b": x } } }', 'expected the name of a header that the gateway'],
  ['providers: { groq: { headers: { x: [] } } }', 'providers.groq.headers.x: expected a text, found a list'],
  [
    'providers: { groq: { takes_stream_options: 1 } }',
    'takes_stream_options: expected true or false, found 1',
  ],
  ['prices: { refresh_hours: 0 }', 'prices.refresh_hours: expected a whole number from 1 to 8760, found 0'],
  ['prices: { url: "file:///x" }', 'prices.url: expected an address such as'],
  [
    'providers: { vertex: { regions: [global] } }',
    'providers.vertex: missing project; it is part of the address of Google Cloud Vertex AI',
  ],
  ['providers: { vertex: { project: "a/b" } }', 'project: expected a name of letters, digits and -'],
  ['providers: { vertex: { regions: ["x.evil.example"], project: p } }', 'expected a region such as'],
  ['providers: { vertex: { regions: [eu, us, eu], project: p } }', 'regions[2]: is listed twice'],
  [
    'providers: { azure: { regions: [eu], resource: r } }',
    'regions: Azure OpenAI does not support regions: leave it out',
  ],
  [
    'providers: { groq: { project: p } }',
    'providers.groq.project: Groq does not support project: leave it out',
  ],
  [
    'providers: { azure: { resource: r, base_url: "https://r.openai.azure.com" } }',
    'resource: cannot be combined with base_url: remove one of them',
  ],
  [
    'providers: { vertex: { regions: [eu, us], base_url: "https://v.example/v1" } }',
    'regions: base_url is a single address',
  ],
  [
    'providers: { vertex: { regions: [eu], project: p } }\nmodels: { vertex/x: { upstreams: ' +
      '[{ provider: vertex, model: x, region: us }] } }',
    'region: is not one of the regions of the provider vertex, which are eu',
  ],
  ['providers: { a: { style: openai } }', 't.yaml:1:17 providers.a: missing base_url; a provider of style'],
  ['providers: { turnpike: { style: sandbox } }', 'providers.turnpike: this name is reserved'],
  ['providers: { openai: { style: opnai } }', 'providers.openai.style: expected one of openai,'],
  ['providers: { openai: { style: openai, api_keys: k } }', 'providers.openai.api_keys: expected a list'],
  [
    'providers: { openai: { style: openai, api_keys: [1] } }',
    'providers.openai.api_keys[0]: expected a text',
  ],
  [
    'providers: { openai: { style: openai, upstream: { idle_seconds: -1 } } }',
    'upstream.idle_seconds: expected',
  ],
]

test.each(mistakes)('rejects %s', (text, expected) => {
  expect(mistakesIn(text).join('\n')).toContain(expected)
})
