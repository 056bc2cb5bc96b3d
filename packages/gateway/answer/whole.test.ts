import { vendorFormats, type BridgeHead } from '@turnpike/dialects'
import { expect, it } from 'vitest'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { BackgroundReads } from '../services/background-reads.ts'
import { WholeAnswerReceiver } from './whole.ts'

const attempt = {
  candidate: {
    model: { supportedParameters: ['reasoning'] },
    upstream: { model: 'm' },
    provider: { name: 'vendor', format: 'openai-chat', paidFields: [] },
  },
  request: { call: { request: { stream: false, tools: [], extensions: {} } }, operation: generate },
} as unknown as Attempt

const noCall = { pause: () => undefined, resume: () => undefined, abort: () => undefined }

it('stops reading if the vendor failed before the client left', async () => {
  const backgroundReads = new BackgroundReads(60_000)
  const gateway = { backgroundReads } as unknown as Gateway
  const receiver = new WholeAnswerReceiver(attempt, vendorFormats['openai-chat'], {} as BridgeHead, gateway)
  receiver.onCall(noCall)
  receiver.onError(new Error('the connection broke'))
  await expect(receiver.begun).rejects.toThrow()
  receiver.onClientClosed()
  expect(backgroundReads.size).toBe(0)
  backgroundReads.close()
})

it('keeps reading while the vendor may still be reasoning', () => {
  const backgroundReads = new BackgroundReads(60_000)
  const gateway = { backgroundReads } as unknown as Gateway
  const receiver = new WholeAnswerReceiver(attempt, vendorFormats['openai-chat'], {} as BridgeHead, gateway)
  receiver.onCall(noCall)
  receiver.onClientClosed()
  expect(backgroundReads.size).toBe(1)
  backgroundReads.close()
  expect(backgroundReads.size).toBe(0)
})
