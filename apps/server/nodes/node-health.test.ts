import { keyCredentials, noCredential, type Credential, type CredentialState } from '@turnpike/gateway'
import { describe, expect, it } from 'vitest'
import { NodeHealth } from './node-health.ts'

const tokenThat = (state: CredentialState['state']): Credential => ({
  ...noCredential,
  kind: 'token',
  number: 1,
  state: () => ({ ...noCredential.state(), kind: 'token', state, hint: 'for the operator alone' }),
})

function healthWith(further: readonly (readonly [string, Credential])[]): NodeHealth {
  const credentials = keyCredentials([{ name: 'openai', apiKeys: ['k'] }])
  for (const [name, credential] of further) credentials.set(name, [credential])
  return new NodeHealth({
    storage: { ping: () => Promise.resolve() },
    server: { draining: false },
    notices: { state: 'listening' },
    limits: { check: () => undefined },
    credentials,
  })
}

describe('the health of a node', () => {
  it('is ok, and does not mention credentials if all are keys', async () => {
    const { status, checks } = await healthWith([]).report()
    expect([status, Object.keys(checks)]).toEqual(['ok', ['database', 'notices']])
  })

  it.each([
    ['ready', 'ok', undefined],
    ['minting', 'degraded', 'no credential for cloud'],
    ['absent', 'degraded', 'no credential for cloud'],
    ['failing', 'degraded', 'the credential for cloud could not be renewed'],
  ] as const)('as its tokens are: %s is %s', async (state, status, message) => {
    const report = await healthWith([['cloud', tokenThat(state)]]).report()
    expect([report.status, report.checks['credentials']?.message]).toEqual([status, message])
    // Anybody may read the report.
    expect(JSON.stringify(report)).not.toContain('operator')
  })

  it('names each provider that lacks a credential once', async () => {
    const all = ['a', 'b'].map((name) => [name, tokenThat('absent')] as const)
    const { checks } = await healthWith([...all, ['c', tokenThat('failing')]]).report()
    expect(checks['credentials']).toEqual({ status: 'degraded', message: 'no credential for a, b' })
  })
})
