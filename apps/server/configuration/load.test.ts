import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfiguration } from './load.ts'
import { formatMistake } from './mistakes/mistake.ts'
import { mistakesIn } from './testing/mistakes.ts'

const everything = `
server: { host: "::1", port: "\${PORT}", drain_seconds: 2.5 }
data_dir: data$\${x}
database: { url: "postgres://u:\${PASSWORD}@h/d" }
providers:
  openai: { style: openai, api_keys: ["\${KEY}"], upstream: { connect_seconds: 0.25 } }
  local: { style: openai, base_url: http://127.0.0.1:11434/v1/ }
  sandbox: false
models:
  local/llama:
    pricing:
      prompt: 0.0000025
      completion: "0.00001"
      overrides: [{ min_prompt_tokens: 200000, prompt: "1" }]
    upstreams: [{ provider: local, model: llama3.3 }]
    upstream: { total_seconds: 60 }
  local/free: { free: true }
prices: { file: newer.json, url: "https://example.com/prices.json", refresh_hours: 6 }
billing: { markup: "1.25", durability: power, read_on_seconds: 5, verify_hours: 6 }
upstream: { first_byte_seconds: 30 }
admin: { internal_secret: 0123456789abcdef }
`

/** A line of YAML, and part of the message about it. */
const mistakes: [string, string][] = [
  ['sever: {}', 't.yaml:1:1 sever: unknown key; did you mean "server"?'],
  ['server: { prot: 1 }', 't.yaml:1:11 server.prot: unknown key; did you mean "port"?'],
  ['server: { publicUrl: x }', 't.yaml:1:11 server.publicUrl: unknown key; did you mean "public_url"?'],
  [
    'server: { wholly_other: x }',
    't.yaml:1:11 server.wholly_other: unknown key; expected host, port, public_url',
  ],
  ['server: 8787', 't.yaml:1:9 server: expected a section with host, port'],
  [
    'server: { port: 65536 }',
    't.yaml:1:17 server.port: expected a whole number from 0 to 65535, found 65536',
  ],
  [
    'server: { port: "8787" }',
    't.yaml:1:17 server.port: expected a whole number from 0 to 65535, found "8787"',
  ],
  ['server: { port: 1.5 }', 't.yaml:1:17 server.port: expected a whole number from 0 to 65535, found 1.5'],
  ['server: { port: }', 't.yaml:1:17 server.port: expected a whole number from 0 to 65535, found nothing'],
  ['server: { host: "" }', 't.yaml:1:17 server.host: expected a text, found ""'],
  ['server: { public_url: "ftp://x" }', 't.yaml:1:23 server.public_url: expected an address such as'],
  ['server: { public_url: "http://u:p@x" }', 'server.public_url: expected an address such as'],
  [
    'server: { drain_seconds: 0 }',
    'server.drain_seconds: expected a number above 0 and at most 3600, found 0',
  ],
  [
    'server: { drain_delay_seconds: -1 }',
    'server.drain_delay_seconds: expected a number from 0 to 3600, found -1',
  ],
  [
    'billing: { read_on_seconds: 601 }',
    'billing.read_on_seconds: expected a number from 0 to 600, found 601',
  ],
  [
    'identity: { max_organizations: -1 }',
    'identity.max_organizations: expected a whole number of at least 0, found -1',
  ],
  [
    'identity: { role_mappings: [{ value: v, organization: acct_x, role: admin }] }',
    'identity.role_mappings[0].organization: expected the id of an organization such as "acct_',
  ],
  [
    'byok: { encryption_key_files: [k], providers: [Open AI] }',
    'byok.providers[0]: expected a name of lower-case letters, digits, ".", "_" and "-", at most 64, found',
  ],
  [
    `payments: { receipt: { issuer: ${'x'.repeat(201)} } }`,
    'payments.receipt.issuer: expected a text of at most 200 characters, found "xx',
  ],
  [
    `payments: { receipt: { issuer: x, legal_text: ${'x'.repeat(2001)} } }`,
    'payments.receipt.legal_text: expected a text of at most 2000 characters, found "xx',
  ],
  [
    `prompt_log: { redact: [{ name: x, pattern: ${'x'.repeat(1001)} }] }`,
    'without look-around and back-references; at most 1000 characters, found "xx',
  ],
  [
    `webhooks: { encryption_keys: [${'k,'.repeat(11)}] }`,
    'webhooks.encryption_keys: expected at most 10 entries, found 11',
  ],
  [
    `webhooks: { encryption_key_files: [${'k,'.repeat(11)}] }`,
    'webhooks.encryption_key_files: expected at most 10 entries, found 11',
  ],
  ['data_dir: 7', 't.yaml:1:11 data_dir: expected a text, found a number: put it in quotes'],
  ['data_dir: [a]', 'data_dir: expected a text, found a list'],
  ['database: {}', 't.yaml:1:11 database.url: missing; expected an address such as "postgres://'],
  ['database: { url: "mysql://u:hunter2@h" }', 'database.url: expected an address such as "postgres://'],
  ['redis: { url: "http://h" }', 'redis.url: expected an address such as "redis://'],
  ['models: { llama: {} }', 't.yaml:1:18 models.llama: expected a model as <provider>/<model_id>'],
  ['models: { "lokal/x": {} }', 'models["lokal/x"]: missing upstreams; unknown provider "lokal"'],
  [
    'models: { "openai/x": { context_length: 0 } }',
    'models["openai/x"].context_length: expected a whole number',
  ],
  [
    'models: { "openai/x": { tiers: [EASY] } }',
    'models["openai/x"].tiers[0]: expected one of SIMPLE, MEDIUM',
  ],
  ['models: { "openai/x": { upstreams: [] } }', 'models["openai/x"].upstreams: expected at least one'],
  ['models: { "openai/x": { upstreams: [{ provider: opena, model: y }] } }', 'did you mean "openai"?'],
  [
    'models: { "openai/x": { fallbacks: [y] } }',
    'fallbacks[0]: expected a model as <provider>/<model_id>, found "y"',
  ],
  [
    'models: { "openai/x": { modalities: { input: [smell] } } }',
    'modalities.input[0]: expected one of text, image',
  ],
  [
    'models: { "openai/x": { pricing: { prompt: "1" } } }',
    'pricing.completion: missing; expected USD per token',
  ],
  [
    'models: { "openai/x": { pricing: { prompt: -1, completion: 1 } } }',
    'pricing.prompt: expected USD per token as',
  ],
  [
    'models: { "openai/x": { pricing: { prompt: 1e-7, completion: 1 } } }',
    'pricing.prompt: expected USD per token as',
  ],
  [
    'models: { "openai/x": { free: true, pricing: { prompt: 1, completion: 1 } } }',
    'free: set either pricing',
  ],
  ['billing: { markup: 0 }', 'billing.markup: expected a factor as a decimal string such as "1.2"'],
  ['billing: { topup: { min_usd: "5.0000000000001" } }', 'billing.topup.min_usd: expected an amount of USD'],
  ['billing: { topup: { min_usd: -5 } }', 'billing.topup.min_usd: expected an amount of USD such as "12.50"'],
  ['billing: { topup: { min_usd: 20000 } }', 'billing.topup: min_usd (20000) is more than max_usd (10000)'],
  ['billing: { durability: disk }', 'billing.durability: expected one of process, power, found "disk"'],
  [
    'limits: { burst_per_key_per_second: 0 }',
    'limits.burst_per_key_per_second: expected a whole number from 1',
  ],
  ['upstream: { connect_secs: 1 }', 'upstream.connect_secs: unknown key; did you mean "connect_seconds"?'],
  [
    'identity: { issuer: "https://i" }',
    'identity: missing client_id; issuer and client_id must be set together',
  ],
  ['identity: { client_id: c }', 'identity: missing issuer'],
  [
    'identity: { issuer: "https://i", client_id: c, registration: open }',
    'identity.registration: is only for the embedded provider',
  ],
  ['mcp: { public_url: mcp.example.com }', 'mcp.public_url: expected an address'],
  ['mcp: { public_url: "https://mcp.example.com/?x" }', 'mcp.public_url: expected an address'],
  ['mcp: { public_url: "https://mcp.example.com/a:b" }', 'mcp.public_url: expected a path of letters'],
  ['mcp: { public_url: "http://127.0.0.1:8787" }', 'mcp.public_url: "/" is already used by the gateway'],
  [
    'mcp: { public_url: "http://127.0.0.1:8787/api/mcp" }',
    'mcp.public_url: "/api" is already used by the gateway',
  ],
  [
    'identity: { resource: "https://a.example" }\nmcp: { public_url: "https://a.example/" }',
    'mcp.public_url: is the same as identity.resource',
  ],
  ['identity: { registration: never }', 'identity.registration: expected one of open, closed, invite'],
  ['identity: { allowed_email_domains: ["@x"] }', 'identity.allowed_email_domains[0]: expected a domain'],
  [
    'server: { trusted_proxies: [10.0.0.0/40] }',
    'server.trusted_proxies[0]: expected an IP address or a range',
  ],
  ['billing: { topup: { min_usd: 5.001 } }', 'billing.topup.min_usd: expected whole cents'],
  ['billing: { topup: { min_usd: 0 } }', 'billing.topup.min_usd: expected whole cents, more than 0'],
  [
    'billing: { topup: { min_usd: 0.1 } }\npayments: { stripe: { secret_key: k, webhook_secret: w } }',
    'billing.topup: Stripe takes payments from 0.5 to 999999.99 USD',
  ],
  [
    'payments: { sandbox: true, stripe: { secret_key: k, webhook_secret: w } }',
    'payments.sandbox: is only for gateways without stripe',
  ],
  [
    'payments: { stripe: { secret_key: k, webhook_secret: w, api_base: "https://s.test/v1" } }',
    'payments.stripe.api_base: expected an origin',
  ],
  ['payments: { stripe: { secret_key: k } }', 'payments.stripe.webhook_secret: missing; expected a text'],
  ['admin: { internal_secret: short }', 'admin.internal_secret: expected a text of at least 16 characters'],
  [
    'server: { allowed_hosts: ["http://gateway"] }',
    'server.allowed_hosts[0]: expected a host such as "gateway.internal" (at any port)',
  ],
  ['server: { allowed_hosts: ["*"] }', 'server.allowed_hosts[0]: expected a host such as'],
  ['admin: { operators: [nobody] }', 'admin.operators[0]: expected an email address, found "nobody"'],
  ['server: {}\nserver: {}', 't.yaml:2:1 YAML: this key is set twice'],
  ['server: { host: x', 'YAML: wrong indentation, or a bracket that is not closed'],
  ['server:\n\tport: 1', 'YAML: tabs cannot be used'],
  ['data_dir: "x', 'YAML: a character is missing here'],
  ['- a', 't.yaml:1:1 expected a section with server, cors, dashboard, data_dir'],
  ['data_dir: ${NOT_SET}', 't.yaml:1:11 data_dir: the environment variable NOT_SET is not set'],
  ['data_dir: ${not closed', 'data_dir: expected ${NAME} with the name of an environment variable'],
  ['server: *nowhere', 't.yaml:1:9 server: the anchor of this YAML alias is not defined before it'],
]

describe('a mistake is reported with its place, its path and the expected value', () => {
  test.each(mistakes)('in %s', (text, expected) => {
    const found = mistakesIn(text)
    expect(found.join('\n')).toContain(expected)
  })

  test('all mistakes are reported at once, in the order of the file', () => {
    const text = 'server: { port: no, prot: 1 }\ndata_dir: 7\nbilling: { markup: "-1" }\ndata_dir: x\n'
    expect(mistakesIn(text).map((line) => line.split(' ')[0])).toEqual([
      't.yaml:1:17',
      't.yaml:1:21',
      't.yaml:2:11',
      't.yaml:3:20',
      't.yaml:4:1',
    ])
  })
})

test('no message repeats a secret', () => {
  const secret = 'hunter2'
  const text = [
    `admin: { internal_secret: ${secret}, internal_secrets: ${secret} }`,
    `database: { url: "http://u:${secret}@h" }`,
    `redis: { url: ${secret} }`,
    `providers: { openai: { style: "\${SECRET}", api_keys: ${secret}, base_url: "\${SECRET}" } }`,
    `payments: { stripe: { secret_key: { ${secret}x: 1 }, webhook_secret: 5 } }`,
  ].join('\n')
  const messages = mistakesIn(text, { SECRET: secret }).join('\n')
  expect(messages.replaceAll(`${secret}x`, '')).not.toContain(secret)
  for (const broken of [
    `a: "${secret}" ${secret}`,
    `a: [${secret}`,
    `%${secret}\n---\n a`,
    `? [${secret}]\n: 1`,
  ]) {
    expect(mistakesIn(broken).join('\n')).not.toContain(secret)
  }
})

describe('files and the environment', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'turnpike-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  function load(environment: Record<string, string> = {}, path?: string) {
    const loaded = loadConfiguration({ environment, directory, path })
    if (loaded.configuration === undefined) throw new Error(JSON.stringify(loaded.mistakes))
    return loaded.configuration
  }

  test('vendors are taken from the environment if the file names none', () => {
    const environment = {
      OPENAI_API_KEY: 'o',
      ANTHROPIC_API_KEY: 'a',
      GEMINI_API_KEY: 'g',
      DEEPSEEK_API_KEY: 'd',
      MISTRAL_API_KEY: 'm',
      GROQ_API_KEY: 'not one of the contract',
    }
    const summaryOf = ({ providers }: ReturnType<typeof load>) =>
      providers.map(({ name, style, format, apiKeys }) => [name, style, format, ...apiKeys].join(' '))
    expect(summaryOf(load(environment))).toEqual([
      'openai openai openai-chat o',
      'anthropic anthropic anthropic-messages a',
      'gemini google google-generate g',
      'deepseek deepseek deepseek-chat d',
      'mistral mistral mistral-chat m',
      'sandbox sandbox openai-chat',
    ])
    expect(summaryOf(load({ ...environment, OPENAI_API_KEY: '' }))[0]).toMatch(/^anthropic/)
  })

  test('a vendor without a key causes a warning', () => {
    writeFileSync(join(directory, 'turnpike.yaml'), 'providers: { groq: {}, ollama: {}, sandbox: false }')
    expect(load().warnings).toEqual(['the provider groq has no api_keys, and Groq refuses calls without one'])
  })

  test('the named file is loaded, else the one in TURNPIKE_CONFIG, else turnpike.yaml', () => {
    for (const port of [1, 2, 3]) writeFileSync(join(directory, `${port}.yaml`), `server: { port: ${port} }`)
    expect(load({ TURNPIKE_CONFIG: '2.yaml' }, '1.yaml').server.port).toBe(1)
    expect(load({ TURNPIKE_CONFIG: '2.yaml' }).server.port).toBe(2)
    writeFileSync(join(directory, 'turnpike.yaml'), 'server: { port: 3 }')
    expect(load()).toMatchObject({ file: join(directory, 'turnpike.yaml'), server: { port: 3 } })
  })

  test('a named file that does not exist is a mistake', () => {
    const loaded = loadConfiguration({ environment: { TURNPIKE_CONFIG: 'no.yaml' }, directory })
    expect(loaded.mistakes.map((mistake) => formatMistake('no.yaml', mistake))[0]).toMatch(
      /^no\.yaml cannot be read/,
    )
  })

  test('every setting is resolved', () => {
    writeFileSync(join(directory, 'turnpike.yaml'), everything)
    const configuration = load({ PORT: '9000', PASSWORD: 'p', KEY: 'one' })
    expect(configuration.server).toMatchObject({ port: 9000, publicUrl: 'http://[::1]:9000', drainMs: 2500 })
    expect(configuration.dataDir).toBe(join(directory, 'data${x}'))
    expect(configuration.databaseUrl).toBe('postgres://u:p@h/d')
    const general = { firstByteMs: 30_000, idleMs: 120_000, totalMs: 900_000 }
    expect(configuration.providers).toMatchObject([
      {
        name: 'openai',
        vendor: 'openai',
        style: 'openai',
        baseUrl: 'https://api.openai.com/v1',
        apiKeys: ['one'],
        timeouts: { ...general, connectMs: 250 },
      },
      {
        name: 'local',
        vendor: undefined,
        style: 'openai',
        baseUrl: 'http://127.0.0.1:11434/v1',
        apiKeys: [],
        timeouts: { ...general, connectMs: 5000 },
      },
    ])
    expect(configuration.models).toEqual([
      {
        id: 'local/llama',
        free: false,
        pricing: {
          prompt: '0.0000025',
          completion: '0.00001',
          overrides: [{ min_prompt_tokens: 200_000, prompt: '1' }],
        },
        upstreams: [{ provider: 'local', model: 'llama3.3' }],
        timeouts: { totalMs: 60_000 },
      },
      { id: 'local/free', free: true },
    ])
    expect(configuration.prices).toEqual({
      file: join(directory, 'newer.json'),
      url: 'https://example.com/prices.json',
      refreshMs: 21_600_000,
    })
    expect(configuration.billing).toEqual({
      markup: '1.25',
      topup: { minPico: 5_000_000_000_000n, maxPico: 10_000_000_000_000_000n },
      leaseMs: 120_000,
      durability: 'power',
      readOnMs: 5_000,
      verifyEveryMs: 21_600_000,
    })
    expect(configuration.admin).toEqual({
      internalSecret: '0123456789abcdef',
      operators: [],
    })
  })

  test.each([
    ['http://localhost:1', true],
    ['http://[::1]:1', true],
    ['http://127.8.9.1', true],
    ['https://llm.example.com', false],
    ['http://192.168.0.7:8787', false],
  ])('the sandbox is available by default only to callers on this machine: %s', (publicUrl, isThere) => {
    writeFileSync(join(directory, 'turnpike.yaml'), `server: { public_url: "${publicUrl}" }`)
    expect(load().providers.some(({ name }) => name === 'sandbox')).toBe(isThere)
    writeFileSync(join(directory, 'turnpike.yaml'), 'server: { host: 0.0.0.0 }')
    expect(load().providers).toEqual([])
  })
})
