import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseConfiguration } from './load.ts'
import { formatMistake } from './mistakes/mistake.ts'
import { resolveConfiguration } from './resolve/resolve.ts'

const directory = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
afterAll(() => rmSync(directory, { recursive: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}
const key = Buffer.alloc(32, 7).toString('base64')
save('key', 'sk-from-a-file\n')
save('empty', '\n')
save('two', 'one\ntwo\n')
save('database', 'postgres://turnpike:secret@db/turnpike\n')
save('encryption', `${key}\n`)
save('short', 'x')
save('long', 'a secret of sixteen letters')
const account = save('account.json', '{"type":"service_account"}')

const bedrock = 'https://bedrock-runtime.eu-west-1.amazonaws.com'

function read(text: string, environment: Record<string, string> = {}) {
  return parseConfiguration(text, environment, directory)
}

function mistakesOf(text: string, environment?: Record<string, string>): string[] {
  return read(text, environment).mistakes.map((mistake) => formatMistake('t.yaml', mistake))
}

function providerOf(section: string, environment: Record<string, string> = {}) {
  const { input, mistakes } = read(`providers: { p: { style: openai, ${section} } }`, environment)
  expect(mistakes).toEqual([])
  const { providers } = resolveConfiguration(input!, { file: null, directory, environment })
  return providers.find(({ name }) => name === 'p')!
}

describe('a secret in a file', () => {
  it('is used like a secret in the configuration itself', () => {
    const { input, mistakes } = read(
      'database: { url_file: database }\nwebhooks: { encryption_key_files: [encryption] }\n' +
        'admin: { internal_secret_file: "${WHERE}/long" }',
      { WHERE: directory },
    )
    expect(mistakes).toEqual([])
    expect(input).toMatchObject({
      database: { url: 'postgres://turnpike:secret@db/turnpike' },
      webhooks: { encryption_keys: [key] },
      admin: { internal_secret: 'a secret of sixteen letters' },
    })
  })

  it('is kept as a path for a provider, because the file is read again when it changes', () => {
    expect(providerOf('base_url: "http://a/v1", api_key_files: [key]').apiKeyFiles).toEqual([
      join(directory, 'key'),
    ])
  })

  it.each([
    [
      'providers: { openai: { api_key_files: [none] } }',
      `openai.api_key_files[0]: the file ${directory}/none cannot`,
    ],
    ['providers: { openai: { api_key_files: [empty] } }', `the file ${directory}/empty is empty`],
    ['providers: { openai: { api_key_files: [two] } }', `the file ${directory}/two contains more than a key`],
    ['database: { url_file: none }', 't.yaml:1:23 database.url_file: the file'],
    ['database: { url_file: key }', `database.url_file: in ${directory}/key: expected an address such as`],
    [
      'database: { url_file: database, url: postgres://a/b }',
      'url_file: cannot be combined with url: remove one',
    ],
    ['database: {}', 'database.url: missing; expected an address'],
    ['admin: { internal_secret_file: short }', 'in ' + directory + '/short: expected a text of at least 16'],
    ['webhooks: { encryption_key_files: [key] }', 'expected 32 random bytes in base64'],
  ])('is rejected with a message: %s', (text, message) => {
    const mistakes = mistakesOf(text)
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(message)
    expect(mistakes[0]).not.toContain('sk-from-a-file')
  })
})

describe('the identity of a provider', () => {
  it.each([
    [`base_url: "${bedrock}", aws: {}`, { kind: 'aws', region: 'eu-west-1' }],
    [
      `base_url: "${bedrock}", aws: { region: us-east-1, profile: prod, role_arn: r, external_id: e }`,
      { kind: 'aws', region: 'us-east-1', profile: 'prod', roleArn: 'r', externalId: 'e' },
    ],
    [
      `base_url: "${bedrock}", aws: { access_key_id: AKIA, secret_access_key_file: key }`,
      { keys: { accessKeyId: 'AKIA', secretAccessKey: 'sk-from-a-file' } },
    ],
    [
      'base_url: "http://a/v1", google: { credentials_file: account.json, impersonate: a@b }',
      { kind: 'google', file: account, impersonate: 'a@b' },
    ],
    [
      'base_url: "http://a/v1", entra: {}',
      { kind: 'entra', scope: 'https://cognitiveservices.azure.com/.default' },
    ],
    [
      'base_url: "http://a/v1", entra: { tenant_id: t, client_id: c, client_secret_file: key, scope: s }',
      { tenantId: 't', clientId: 'c', clientSecretFile: join(directory, 'key'), scope: 's' },
    ],
  ])('is resolved from %s', (section, identity) => {
    expect(providerOf(section).identity).toMatchObject(identity)
  })

  it("takes the region from the environment if the address contains none, as AWS's SDKs do", () => {
    const section = 'base_url: "http://a/v1", aws: {}'
    expect(providerOf(section, { AWS_REGION: 'ap-south-1' }).identity).toMatchObject({ region: 'ap-south-1' })
  })

  it("is the vendor's usual one if none is configured", () => {
    const vertex = (more: string) => {
      const { input } = read(`providers: { vertex: { project: p, regions: [global]${more} } }`)
      const { providers } = resolveConfiguration(input!, { file: null, directory, environment: {} })
      return providers.find(({ name }) => name === 'vertex')!
    }
    expect(vertex('').identity).toEqual({ kind: 'google' })
    expect(vertex(', api_keys: [t]').identity).toBeUndefined()
    expect(vertex(', api_key_files: [key]').identity).toBeUndefined()
  })

  it.each([
    ['aws: {}', 'providers.p.aws: missing region; neither the address nor AWS_REGION contains it'],
    ['aws: { region: r }, google: {}', 'providers.p.google: cannot be combined with aws: remove one of them'],
    ['aws: { region: r, external_id: e }', 'aws.external_id: belongs to a role: set role_arn'],
    ['aws: { region: r, access_key_id: a }', 'access_key_id and secret_access_key must be set together'],
    ['aws: { region: r, session_token: t }', 'aws.session_token: belongs to access keys: set access_key_id'],
    [
      'aws: { region: r, profile: p, access_key_id: a, secret_access_key: s }',
      'aws.access_key_id: cannot be combined with profile: remove one of them',
    ],
    ['aws: { regin: r }', 'aws.regin: unknown key; did you mean "region"?'],
    ['google: { credentials_file: none.json }', 'google.credentials_file: the file'],
    ['google: { credentials: "{" }', "google.credentials: expected the JSON that Google's console provides"],
    [
      "google: { credentials: '{}', credentials_file: account.json }",
      'google.credentials: cannot be combined with credentials_file',
    ],
    ['entra: { client_secret: s }', 'entra: missing tenant_id; client_secret belongs to an application'],
    ['entra: { tenant_id: t }', 'entra: missing client_secret, certificate_file or token_file'],
    [
      'entra: { tenant_id: t, client_id: c, client_secret: s, certificate_file: key }',
      'entra.certificate_file: cannot be combined with client_secret',
    ],
  ])('%s is rejected', (section, message) => {
    const mistakes = mistakesOf(`providers: { p: { style: openai, base_url: "http://a/v1", ${section} } }`)
    expect(mistakes.join('\n')).toContain(message)
  })
})
