import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignableRequest } from '@turnpike/gateway'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseConfiguration } from '../configuration/load.ts'
import { resolveConfiguration } from '../configuration/resolve/resolve.ts'
import { openCredentials, type OpenCredentials } from './open-credentials.ts'

const patience = { timeout: 20_000, interval: 20 }
const directory = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
afterAll(() => rmSync(directory, { recursive: true }))

let opened: OpenCredentials
afterEach(() => opened.close())

/** Opens the credentials of a provider with this configuration. */
function open(section: string) {
  const text = `providers: { p: { style: openai, ${section} } }`
  const { input, mistakes } = parseConfiguration(text, {}, directory)
  expect(mistakes).toEqual([])
  const { providers } = resolveConfiguration(input!, { file: null, directory, environment: {} })
  opened = openCredentials(providers, { warn: () => undefined, error: () => undefined })
  return opened.byProvider.get('p')!
}

const bearer = { header: 'authorization', prefix: 'Bearer ' }
const call = (origin = 'http://a'): SignableRequest => ({
  method: 'POST',
  origin,
  path: '/model/m%3A0/converse',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
})

describe('the credentials of a provider', () => {
  it('are its keys, its keys in files, and its identity, in this order', () => {
    writeFileSync(join(directory, 'key'), 'in-a-file\n')
    const found = open(
      'base_url: "http://a/v1", api_keys: [one, two], api_key_files: [key], ' +
        'aws: { region: us-east-1, access_key_id: AKIA, secret_access_key: secret }',
    )
    expect(found.map(({ kind, number }) => [kind, number])).toEqual([
      ['key', 1],
      ['key', 2],
      ['key', 3],
      ['signature', 4],
    ])
    expect(found[2]!.headers(call(), bearer)).toEqual({ authorization: 'Bearer in-a-file' })
  })

  it("follow a key's file, and report the new key to those who wait for it", async () => {
    writeFileSync(join(directory, 'key'), 'first')
    const [key] = open('base_url: "http://a/v1", api_key_files: [key]')
    let renewals = 0
    key!.onRenewed!(() => renewals++)
    const usedHeaders = { authorization: 'Bearer first' }
    const refusal = { usedHeaders, errorType: undefined, dateHeader: undefined }
    expect(key!.handleRefusal(refusal)).toBe('rest')
    writeFileSync(join(directory, 'key'), 'second')
    await expect
      .poll(() => key!.headers(call(), bearer), patience)
      .toEqual({ authorization: 'Bearer second' })
    expect(renewals).toBe(1)
    expect(key!.handleRefusal(refusal)).toBe('again')
  })

  it('sign for the region of the call', async () => {
    const [aws] = open(
      'base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com", ' +
        'aws: { access_key_id: AKIA, secret_access_key: secret }',
    )
    await aws!.ready(5_000)
    const proof = await aws!.headers(call('https://bedrock-runtime.eu-west-1.amazonaws.com'), bearer)
    expect(proof!['authorization']).toMatch(/Credential=AKIA\/\d{8}\/eu-west-1\/bedrock\/aws4_request/)
    expect(aws!.secrets()).toEqual(['secret'])
    expect(aws!.state()).toMatchObject({ source: 'AWS: keys', state: 'ready', expiresInSeconds: null })
  })

  it("make the start fail if a key's file does not exist", () => {
    writeFileSync(join(directory, 'short-lived'), 'k')
    const text = 'providers: { p: { style: openai, base_url: "http://a/v1", api_key_files: [short-lived] } }'
    const { input } = parseConfiguration(text, {}, directory)
    const { providers } = resolveConfiguration(input!, { file: null, directory, environment: {} })
    rmSync(join(directory, 'short-lived'))
    const log = { warn: () => undefined, error: () => undefined }
    expect(() => openCredentials(providers, log)).toThrow(/short-lived cannot be read \(ENOENT\)/)
  })
})
