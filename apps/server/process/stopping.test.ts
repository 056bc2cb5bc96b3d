import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VendorServer } from '@turnpike/simulators'
import { expect, it, vi } from 'vitest'
import { startTestNode } from '../testing/test-node.ts'

/** Found by the torture test: a client's leaving closes its connection, its charge is counted after that. */
it('charges an answer whose client left a moment before the gateway stopped', async () => {
  const vendor = new VendorServer()
  await vendor.listen()
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
  const input = { providers: { vendor: { style: 'openai' as const, base_url: vendor.baseUrl() } } }
  const models = { 'vendor/echo': { pricing: { prompt: '0.0000025', completion: '0.00001' } } }
  const options = { dataDir, input: { ...input, models } }
  try {
    const node = await startTestNode(options)
    const key = await node.createKey()
    const client = new AbortController()
    const content = `${'word '.repeat(200)}[sandbox: pace=50/s]`
    const body = { model: 'vendor/echo', stream: true, messages: [{ role: 'user', content }] }
    const response = await node.chat(key, body, { signal: client.signal })
    await response.body!.getReader().read()
    client.abort()
    // The tokens of what was delivered are counted in a worker, which takes a while to start.
    await vi.waitFor(() => expect(vendor.openSockets).toBe(0), 20_000)
    await node.stop()

    const again = await startTestNode(options)
    const { data } = await again.admin<{ data: object[] }>(`/accounts/${key.accountId}/usage/requests`)
    expect(data).toMatchObject([{ outcome: 'client_closed', status: 499, model_served: 'vendor/echo' }])
    expect(await again.admin('/ledger/verify')).toMatchObject({ ok: true })
    await again.stop()
  } finally {
    await vendor.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
