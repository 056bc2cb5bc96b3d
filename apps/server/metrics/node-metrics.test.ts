import { newApiKey } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../tests/nodes/free-port.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'

const chat = 'endpoint="chat.completions",operation="generate"'
const messagesApi = chat.replace('chat.completions', 'messages')

describe('/metrics', () => {
  const node = suiteNode({ providers: { sandbox: { style: 'sandbox' } } })

  test('counts every settled request, and shows the outbox', async () => {
    const key = await node.createKey()
    const messages = [{ role: 'user', content: 'one two three' }]
    expect((await node.chat(key, { model: 'sandbox/echo', messages })).status).toBe(200)
    expect((await node.chat(key, { model: 'sandbox/none', messages })).status).toBe(404)
    for (const path of ['messages', 'messages/count_tokens']) {
      const headers = { 'x-api-key': key.raw, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'sandbox/echo', messages, max_tokens: 9 })
      const answer = await fetch(`${node.baseUrl}/${path}`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
    }
    await node.admin('/ledger/verify') // A read flushes the outbox first.
    const answer = await node.metrics()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/)
    const text = await answer.text()
    for (const line of [
      `turnpike_requests_total{${chat},outcome="completed",provider="sandbox"} 1`,
      'turnpike_token_counts_total{counter="gateway"} 1',
      'turnpike_token_counts_total{counter="vendor"} 0',
      `turnpike_requests_total{${chat},outcome="failed",provider=""} 1`,
      `turnpike_requests_total{${messagesApi},outcome="completed",provider="sandbox"} 1`,
      'turnpike_request_errors_total{type="not_found_error"} 1',
      'turnpike_first_token_seconds_count{provider="sandbox"} 2',
      'turnpike_request_duration_seconds_count{provider="sandbox"} 2',
      'turnpike_model_requests_total{provider="sandbox",model="sandbox/echo"} 2',
      'turnpike_charges_beyond_hold_total 0',
      'turnpike_upstream_attempts_total{provider="sandbox",result="ok"} 2',
      'turnpike_upstreams{provider="sandbox",state="closed"} 1',
      'turnpike_outbox_rows 0',
      'turnpike_outbox_bytes 0',
      'turnpike_outbox_waiting_seconds 0',
      'turnpike_open_requests 0',
      'turnpike_check_ok{check="database"} 1',
      'turnpike_lease_refills_total{result="granted"} 1',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toMatch(
      /^turnpike_tokens_total\{direction="in",provider="sandbox",model="sandbox\/echo"\} [1-9]/m,
    )
    expect(text).toMatch(/^process_cpu_seconds_total /m)
  })

  test('counts unauthenticated requests by reason', async () => {
    const post = { method: 'POST', body: '{}' }
    const at = `${node.baseUrl}/chat/completions`
    expect((await fetch(at, post)).status).toBe(401)
    expect((await fetch(`${node.baseUrl}/models`)).status).toBe(401)
    expect((await fetch(at, { ...post, headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
    const { raw } = newApiKey()
    expect((await node.chat({ accountId: '', id: '', raw }, {})).status).toBe(401)
    const lines = (await (await node.metrics()).text()).split('\n')
    for (const [reason, count] of [
      ['no-key', 2],
      ['no-bearer', 1],
      ['unknown-key', 1],
      ['not-looked-up', 0],
    ])
      expect(lines).toContain(`turnpike_unauthenticated_requests_total{reason="${reason}"} ${count}`)
  })

  test('is only for the operator', async () => {
    expect((await fetch(`${node.origin}/metrics`)).status).toBe(401)
  })
})

test('metrics are at a port of their own if one is configured, without a secret', async () => {
  const port = await freePort()
  const node = await startTestNode({ input: { telemetry: { metrics_port: port } } })
  try {
    const origin = `http://127.0.0.1:${port}`
    const answer = await fetch(`${origin}/metrics`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('turnpike_outbox_rows 0')
    expect((await fetch(`${origin}/api/v1/admin/accounts`)).status).toBe(404)
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404)
  } finally {
    await node.stop()
  }
})
