import { describe, expect, test } from 'vitest'
import { scriptedFormats } from '../scripted/scripted-node.ts'
import { errorOf, script, startTrapNode } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

const world = await suiteWorld(startTrapNode())

const vendors = scriptedFormats.map(({ vendor }) => vendor)

/** An error in each vendor's format. */
function errorBody(vendor: string, message: string, code: number): unknown {
  switch (vendor) {
    case 'anthropic':
      return { type: 'error', error: { type: 'some_error', message }, request_id: 'req_1' }
    case 'gemini':
      return { error: { code, message, status: 'SOME_STATUS' } }
    case 'mistral':
      return { object: 'error', message, type: 'some_error', param: null, code: '1000' }
    default:
      return { error: { message, type: 'some_error', param: null, code: null } }
  }
}

describe.each(vendors)('%s', (vendor) => {
  test.each([401, 403])('its %d about our credential is not the caller’s', async (status) => {
    const refusal = script(errorBody(vendor, 'bad key sk-upstream', status), status)
    const answer = await world.ask(vendor, {}, refusal)
    expect(answer.status).toBe(502)
    expect(errorOf(answer)).toMatchObject({ type: 'upstream_error', code: 502 })
    expect(JSON.stringify(answer.body)).not.toContain('sk-upstream')
  })

  test.each([
    [400, 400, 'invalid_request_error'],
    [404, 404, 'not_found_error'],
    [413, 413, 'request_too_large'],
    [429, 429, 'rate_limit_error'],
    [500, 502, 'upstream_error'],
    [503, 503, 'service_unavailable'],
    [529, 503, 'service_unavailable'],
  ])('its %d becomes %d for the caller', async (status, expected, type) => {
    for (const stream of [false, true]) {
      const refusal = script(errorBody(vendor, 'Say it otherwise.', status), status)
      const answer = await world.ask(vendor, { stream }, refusal)
      expect(answer.status).toBe(expected)
      expect(errorOf(answer)).toMatchObject({ type, code: expected })
      if (status < 429) expect(errorOf(answer)['message']).toBe('Say it otherwise.')
    }
  })

  test('its retry-after is passed on with a 429, and ignored on a 200', async () => {
    const limited = script(errorBody(vendor, 'Slow down.', 429), 429, { 'retry-after': '17' })
    expect((await world.ask(vendor, {}, limited)).headers.get('retry-after')).toBe('17')
    const { says } = scriptedFormats.find((one) => one.vendor === vendor)!
    const usage = { input: 1, cached: 0, output: 1, reasoning: 0 }
    const fine = script(says.plain([{ text: 'Yes.', usage }]), 200, { 'retry-after': '17' })
    const answer = await world.ask(vendor, {}, fine)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('retry-after')).toBeNull()
  })

  test.each([
    ['an HTML page', '<html><body>502 Bad Gateway</body></html>', 502, 502],
    ['nothing', '', 500, 502],
    ['a text', 'upstream connect error', 503, 503],
    ['a list', [{ error: { code: 400, message: 'Listed.' } }], 400, 400],
    ['an error as a string', { error: 'Texted.' }, 400, 400],
    ['a detail', { detail: 'Detailed.' }, 400, 400],
    ['JSON without a message', {}, 400, 400],
  ])('its error may be %s', async (_what, body, status, expected) => {
    const answer = await world.ask(vendor, {}, script(body, status))
    expect(answer.status).toBe(expected)
    const { message, code } = errorOf(answer)
    expect(code).toBe(expected)
    expect(message).toMatch(/./u)
    expect(String(message)).not.toContain('<html>')
    const expectedWord = /(Listed|Texted|Detailed)\./u.exec(JSON.stringify(body))?.[0]
    if (expectedWord !== undefined) expect(message).toBe(expectedWord)
  })

  test.each([false, true])('a success without an answer is 502 (stream: %s)', async (stream) => {
    for (const body of ['<html></html>', '', '{"a":1}', '[]', 'null']) {
      const answer = await world.ask(vendor, { stream }, script(body))
      expect(answer.status, body).toBe(502)
      expect(errorOf(answer)['type']).toBe('upstream_error')
    }
  })
})

test("Google's RetryInfo becomes a Retry-After, rounded up", async () => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '21.2s' },
  ]
  const error = { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details }
  const answer = await world.ask('gemini', {}, script({ error }, 429))
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('22')
})

test("Google's 400 for a bad key of ours is 502", async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
  const answer = await world.ask('gemini', {}, script({ error }, 400))
  expect(answer.status).toBe(502)
})
