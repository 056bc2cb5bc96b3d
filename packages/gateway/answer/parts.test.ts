import type { BridgeHead } from '@turnpike/dialects'
import { expect, it } from 'vitest'
import type { Attempt } from '../context/stages.ts'
import type { Batch, Part } from '../operations/rules.ts'
import { PartsReceiver, type PartsCall } from './parts.ts'

it('a part for which no time is left ends in time, and is no mistake of ours', async () => {
  const attempt = {
    candidate: {
      provider: { name: 'slow', apiKeys: [] as string[], headers: {}, baseUrl: 'https://slow.example' },
    },
  } as Attempt
  const receiver = new PartsReceiver(attempt, {} as Batch, {} as never, {} as BridgeHead)
  receiver.start({ parts: [{} as Part] } as unknown as PartsCall, 0)
  await expect(receiver.begun).rejects.toMatchObject({ type: 'upstream_timeout', status: 504 })
})
