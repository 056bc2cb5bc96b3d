import type { BridgeHead } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import type { Attempt } from '../context/stages.ts'
import type { Batch, Part } from '../operations/rules.ts'
import type { UpstreamRequest } from '../upstream/client.ts'
import { noCredential } from '../upstream/credentials/no-credential.ts'
import { failureOf, isOwnFailure } from '../upstream/failure.ts'
import { PartsReceiver, type PartsCall } from './parts.ts'

it('a part without time left fails with a timeout, not with an internal error', async () => {
  const attempt = {
    candidate: {
      provider: { name: 'slow', apiKeys: [] as string[], headers: {}, baseUrl: 'https://slow.example' },
      credential: noCredential,
    },
  } as Attempt
  const receiver = new PartsReceiver(attempt, {} as Batch, {} as never, {} as BridgeHead)
  receiver.start({ parts: [{} as Part] } as unknown as PartsCall, 0)
  await expect(receiver.begun).rejects.toMatchObject({ type: 'upstream_timeout', status: 504 })
})

/** A request in three parts, each of which must be signed before it is sent. */
function signedParts(outbound: PartsCall['outbound']) {
  const sent: UpstreamRequest[] = []
  const seen: number[] = []
  const request = { input: undefined as unknown }
  const attempt = {
    request,
    candidate: {
      provider: { name: 'cloud', apiKeys: [] as string[], headers: {} },
      credential: noCredential,
    },
  } as unknown as Attempt
  attempt.candidate.provider.baseUrl = 'https://cloud.example'
  const batch = { inputSeen: (asked: readonly Part[]) => void seen.push(asked.length) } as unknown as Batch
  const receiver = new PartsReceiver(attempt, batch, {} as never, {} as BridgeHead)
  const client = { send: (one: UpstreamRequest) => void sent.push(one) }
  receiver.start({ client, parts: [{}, {}, {}] as Part[], outbound }, 60_000)
  return { receiver, sent, seen }
}

const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1_000 }
const signed = { path: '/', headers: {}, timeouts } as unknown as UpstreamRequest

it('each part is signed before it is sent', async () => {
  const { sent } = signedParts(async () => signed)
  expect(sent).toEqual([])
  await Promise.resolve()
  expect(sent).toHaveLength(3)
})

it('a part that is not signed when the caller leaves is not sent, and not charged', async () => {
  const signing = Promise.withResolvers<UpstreamRequest>()
  let turn = 0
  const { receiver, sent, seen } = signedParts(() => (turn++ === 0 ? signed : signing.promise))
  receiver.onClientClosed()
  signing.resolve(signed)
  await receiver.begun
  await signing.promise
  expect([sent.length, seen]).toEqual([1, [1]])
})

it('parts without a credential are left to the next candidate', async () => {
  let turn = 0
  const { receiver } = signedParts(() => (turn++ === 0 ? signed : undefined))
  const error = await receiver.begun.then(undefined, (thrown: GatewayError) => thrown)
  expect(error).toMatchObject({ type: 'upstream_error', retryable: true })
  expect([failureOf(error, null), isOwnFailure(error as GatewayError)]).toEqual(['no-credential', true])
})
