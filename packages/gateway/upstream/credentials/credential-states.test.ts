import { expect, it } from 'vitest'
import { HandMadeToken } from '../../testing/token-world.ts'
import { credentialStates, secretsInUse } from './credential-states.ts'
import { keyCredentials } from './key-credentials.ts'

it('reports each credential’s state, and which secrets to hide', () => {
  const token = new HandMadeToken()
  const credentials = keyCredentials([
    { name: 'openai', apiKeys: ['sk-1', 'sk-2'] },
    { name: 'own', apiKeys: [] },
  ]).set('cloud', [token])
  token.fails = { failure: 'no answer', hint: 'look at the network' }
  expect(credentialStates(credentials)).toMatchObject([
    { provider: 'openai', number: 1, kind: 'key', state: 'ready', failure: null },
    { provider: 'openai', number: 2 },
    { provider: 'cloud', number: 1, kind: 'token', state: 'absent', failure: 'no answer' },
  ])
  expect(secretsInUse(credentials)).toEqual(['sk-1', 'sk-2'])
  token.mint('minted', 1_000)
  expect(secretsInUse(credentials)).toContain('minted')
})
