import { callerFormats } from '@turnpike/dialects'
import { expect, it } from 'vitest'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'
import { noCredential } from '../upstream/credentials/no-credential.ts'
import { AttemptLoop } from './attempt-loop.ts'

const candidate = {
  model: { id: 'vendor/m', contextLength: 1_000, maxOutputTokens: 100 },
  upstream: { model: 'm' },
  provider: { name: 'vendor', format: 'openai-chat', apiKeys: [] },
  prices: { version: 'v', pricing: {} },
  credential: noCredential,
  health: { ofKey: { key: 0 }, tryAcquire: () => ({}), release: () => undefined },
} as unknown as Candidate

/** Stands in for every failure before a call that is not the request's fault: no client can reach it. */
const logged: object[] = []
const log = { error: (fields: object) => void logged.push(fields) }
const gateway = { clients: new Map(), log } as unknown as Gateway

function held(headSent: boolean): Held {
  return {
    format: callerFormats.find(({ name }) => name === 'openai-chat'),
    candidates: [candidate],
    headSent,
    key: { accountId: 'a' },
    record: { attempts: [], id: 'req' },
    exchange: { requestId: 'req', startedAtMs: 0 },
    operation: { choices: () => 1, quotable: () => [] },
    outputBound: { tokens: 10, isSent: false },
    call: { request: { stream: true } },
  } as unknown as Held
}

it('throws a failure before the call, while a status can still report it', async () => {
  await expect(new AttemptLoop(held(false), gateway).ask(candidate)).rejects.toMatchObject({ status: 500 })
})

it('ends with an error event if the head of a stream has already gone out', async () => {
  const answer = await new AttemptLoop(held(true), gateway).ask(candidate)
  const ending = await answer!.relay()
  expect(ending).toMatchObject({ outcome: 'failed', status: 200, tail: { kind: 'stream' } })
  if (ending.tail.kind !== 'stream') throw new Error(ending.tail.kind)
  expect(ending.tail.text(undefined, { usd: '0' })).toContain('"error"')
  // Nothing else reports this error, so it is logged.
  expect(logged).toMatchObject([{ requestId: 'req', status: 500 }])
})
