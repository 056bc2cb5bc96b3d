import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { VendorServer } from '@turnpike/simulators'
import { expect, it, vi } from 'vitest'
import { startTestNode } from '../../../tests/nodes/test-node.ts'

/** Found by the torture test: a client's leaving closes its connection first, and is charged later. */
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
    // A worker counts the delivered tokens, and takes a while to start.
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

/** A busy machine handles timers first, and then the data that arrived meanwhile. */
it('serves a request that arrived in time on a kept connection, and then closes the connection', async () => {
  const node = await startTestNode({ input: { server: { drain_delay_seconds: 1 } } })
  const { host, hostname, port } = new URL(node.origin)
  const socket = connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.on('error', (error) => (text += String(error))).on('close', () => (isClosed = true))
  const request = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const answers = (): number => text.split('HTTP/1.1 200 OK').length - 1
  socket.write(request)
  await vi.waitFor(() => expect(answers()).toBe(1), 20_000)
  // After this turn, timers are handled next.
  await nextTurn()
  const stopped = node.stop()
  socket.write(request)
  const standsStillUntilMs = performance.now() + 1_500
  while (performance.now() < standsStillUntilMs);
  await stopped
  await vi.waitFor(() => expect([answers(), isClosed], text).toEqual([2, true]), 20_000)
})
