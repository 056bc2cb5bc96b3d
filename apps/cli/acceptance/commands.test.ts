import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { KeyJson, ListJson } from '../testing/answers.ts'
import { decideCheckout } from '../testing/signed-in.ts'
import { suiteUser } from '../testing/suite.ts'

const keyPattern = /^sk-turnpike-[0-9A-Za-z]{38}$/
const rawKey = expect.stringMatching(keyPattern)
const error = (code: number, type: string) => ({ error: expect.objectContaining({ code, type }) })

/** From nothing to a first conversation, in the order in which a user meets the commands. */
describe('a new user', () => {
  const { node, home } = suiteUser()
  let first: KeyJson

  test('has no keys, no movements and no usage', async () => {
    expect(await home.run(['keys', 'list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No keys yet. Create one: turnpike keys create --name laptop\n',
    })
    const none = { object: 'list', data: [], has_more: false, next_cursor: null }
    expect((await home.json(['keys', 'list'])).value).toEqual(none)
    expect((await home.json(['ledger'])).value).toEqual(none)
    const nothing = { total_requests: 0, total_tokens_in: 0, total_tokens_out: 0, total_cost_usd: '0' }
    expect((await home.json(['usage'])).value).toEqual({ range_days: 30, ...nothing })
    expect(await home.run(['env'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No API key found/),
    })
    // A logged-in user needs no key to list the models.
    const models = ['echo', 'embed', 'lorem', 'moderate', 'rerank'].map((name) => `sandbox/${name}\n`)
    expect((await home.run(['models', 'sandbox/', '--fields', 'id'])).stdout).toBe(models.join(''))
  })

  test('creates a key, which stdout shows once and last_key stores', async () => {
    const { code, stdout, stderr } = await home.run(['keys', 'create', '--name', 'my laptop'])
    expect(code).toBe(0)
    const raw = stdout.trimEnd()
    expect(raw).toMatch(keyPattern)
    expect(stderr).toMatch(/✓ Created key my laptop \(key_\w{26}\)\n/)
    expect(home.read('last_key')).toBe(`${raw}\n`)
    expect(statSync(home.path('last_key')).mode & 0o777).toBe(0o600)

    const { value } = await home.json<ListJson>(['keys', 'list'])
    expect(value.data).toEqual([
      expect.objectContaining({ name: 'my laptop', key_prefix: raw.slice(0, 16), status: 'active' }),
    ])
    expect(JSON.stringify(value)).not.toContain(raw)
    first = { ...(value.data[0] as unknown as KeyJson), raw }
    const env = `OPENAI_API_KEY=${raw}\nOPENAI_BASE_URL=${node.origin}/v1\n`
    expect(await home.run(['env'])).toEqual({ code: 0, stdout: env, stderr: '' })
    const variables = { OPENAI_API_KEY: raw, OPENAI_BASE_URL: `${node.origin}/v1` }
    expect((await home.json(['env'])).value).toEqual(variables)
  })

  test('creates another without caching it, as JSON', async () => {
    const words = [
      'keys',
      'create',
      '--name',
      'ci',
      '--no-cache',
      '--expires',
      '30d',
      '--model',
      'sandbox/echo',
    ]
    const { code, value, stderr } = await home.json<KeyJson & { allowed_models: string[] }>(words)
    expect([code, stderr]).toEqual([0, ''])
    expect(value).toMatchObject({ name: 'ci', raw: rawKey, allowed_models: ['sandbox/echo'] })
    expect(home.read('last_key')).toBe(`${first.raw}\n`)
    const renamed = await home.json<KeyJson>([
      'keys',
      'update',
      value.id,
      '--name',
      'robot',
      '--expires',
      'never',
    ])
    expect(renamed.value).toMatchObject({ id: value.id, name: 'robot', expires_at: null })
    const shown = await home.run(['keys', 'show', value.id])
    expect(shown.stdout).toMatch(/^robot\n {2}id {9}key_/)
    expect((await home.json<KeyJson>(['keys', 'show', value.id])).value).toEqual(renamed.value)
    const { stdout } = await home.run(['keys', 'list', '--fields', 'name,status'])
    expect(stdout.split('\n').sort()).toEqual(['', 'my laptop\tactive', 'robot\tactive'])
  })

  test('names a key after the machine by default', async () => {
    const { value } = await home.json<KeyJson>(['keys', 'create', '--no-cache'])
    expect(value.name).toBe(hostname())
    await home.run(['keys', 'revoke', value.id, '--yes'])
  })

  test('limits how much a key may spend in a period', async () => {
    const words = ['keys', 'create', '--name', 'daily', '--no-cache', '--spend-limit', '5']
    const made = await home.json<KeyJson>([...words, '--spend-limit-period', 'day'])
    const limits = { spend_limit_usd: '5', spend_limit_period: 'day', spent_usd: '0' }
    expect(made.value).toMatchObject({ ...limits, spend_limit_resets_at: expect.any(Number) })
    const shown = await home.run(['keys', 'show', made.value.id])
    expect(shown.stdout).toMatch(/ {2}limit {6}\$5\.00 a day\n {2}spent {6}\$0\.00, resets \d{4}-/)
    const listed = await home.run(['keys', 'list', '--fields', 'name,spend_limit_usd'])
    expect(listed.stdout).toContain('daily\t$5.00 a day\n')
    const update = ['keys', 'update', made.value.id]
    const zero = await home.run([...update, '--spend-limit', '0', '--spend-limit-period', 'total'])
    expect(zero.stdout).toContain('$0.00 in total')
    const raised = await home.json([...update, '--spend-limit', '7.50', '--spend-limit-period', 'month'])
    expect(raised.value).toMatchObject({ spend_limit_usd: '7.5', spend_limit_period: 'month' })
    const free = await home.json([...update, '--spend-limit', 'none'])
    expect(free.value).toMatchObject({ spend_limit_usd: null, spend_limit_period: null, spent_usd: null })
    const lenient = await home.run([...update, '--unsupported-fields', 'drop'])
    expect(lenient.stdout).toMatch(/ {2}unsupported {2}drop fields\n/)
    const unsaid = await home.json([...update, '--unsupported-fields', 'gateway'])
    expect(unsaid.value).toMatchObject({ unsupported_fields: null })
    const missing = await home.run([...update, '--spend-limit-period', 'day'])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('spend_limit')])
    const revoked = await home.run(['keys', 'revoke', made.value.id, '--yes'])
    expect(revoked).toMatchObject({ code: 0, stderr: expect.stringMatching(/^✓ Revoked key daily/) })
  })

  test('gets a hint for a key that does not exist', async () => {
    const key = await home.run(['keys', 'show', 'key_none'])
    expect(key).toMatchObject({ code: 1, stderr: expect.stringContaining('turnpike keys list') })
    const wrong = await home.run(['models', '--key', 'sk-turnpike-wrong'])
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('turnpike keys create') })
    const words = await home.run(['keys', 'show'])
    expect(words).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('See: turnpike keys show --help'),
    })
  })

  test('gets a hint when there is no credit', async () => {
    const { code, stdout, stderr } = await home.run(['test'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Add credit: turnpike topup --amount 10')
    const { value } = await home.json(['test'])
    expect(value).toEqual(error(402, 'insufficient_quota'))
  })

  test('tops up: stdout has the address, a person pays, and --wait notices', async () => {
    const shown = await home.run(['topup', '--amount', '25', '--no-open'])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(new RegExp(`^${node.origin}/sandbox-checkout/top_\\w{26}\n$`))

    const waiting = home.start(['topup', '--amount', '12.50', '--wait', '--key', first.id, '--json'])
    const [address] = await waiting.seen(/http\S+/)
    expect(waiting.stdout).toBe('')
    await decideCheckout(address, 'pay')
    const { code, stdout } = await waiting.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'paid', amount_usd: '12.5', key_id: first.id })
    const { value } = await home.json(['balance'])
    expect(value).toEqual({ balance_usd: '12.5', currency: 'USD', unassigned_usd: '0' })
    expect(await home.run(['balance'])).toEqual({ code: 0, stdout: '$12.50\n', stderr: '' })
    const balance = await home.run(['balance', '--fields', 'balance_usd'], { env: { TURNPIKE_JSON: '1' } })
    expect(balance.stdout).toBe('{"balance_usd":"12.5"}\n')
  })

  test('gets the checkout opened in the browser, but never with --json or --no-open', async () => {
    const opened = `${home.directory}/opened`
    const browser = `${home.directory}/browser`
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
    const env = { BROWSER: browser }
    await home.run(['topup', '--amount', '5', '--json'], { env })
    await home.run(['topup', '--amount', '5', '--no-open'], { env })
    const { stdout, stderr } = await home.run(['topup', '--amount', '5'], { env })
    expect(stderr).toContain('Your browser has been opened.')
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(stdout)
  })

  test('gets exit code 3 if a checkout expires', async () => {
    const waiting = home.start(['topup', '--amount', '5', '--wait'])
    const [address] = await waiting.seen(/http\S+/, 'stdout')
    await decideCheckout(address, 'expire')
    const { code, stdout, stderr } = await waiting.ended
    expect([code, stdout]).toEqual([3, `${address}\n`])
    expect(stderr).toContain('✗ The checkout ended as expired.')
  })

  test('tests the gateway and sees the model, times, tokens and cost', async () => {
    const { code, value } = await home.json<Record<string, unknown>>(['test'])
    expect(code).toBe(0)
    expect(value).toEqual({
      ok: true,
      model: 'sandbox/echo',
      content: 'Reply with the single word OK.',
      time_to_first_token_ms: expect.any(Number),
      latency_ms: expect.any(Number),
      tokens_in: expect.any(Number),
      tokens_out: expect.any(Number),
      cost_usd: expect.stringMatching(/^0\.0000\d+$/),
      request_id: expect.stringMatching(/^req_/),
    })
    const { stdout } = await home.run(['test', '--model', 'sandbox/lorem'])
    expect(stdout).toMatch(/^✓ sandbox\/lorem answers\n {2}answer /)
    expect(stdout).toMatch(
      / {2}first token {2}[\d.]+ m?s\n[^]* {2}tokens {7}\d+ in, \d+ out\n {2}cost {9}\$0\.000\d+\n/,
    )
  })

  test('lists models with prices per million tokens', async () => {
    const { code, stdout } = await home.run(['models'])
    expect(code).toBe(0)
    expect(stdout).toContain('sandbox/echo\t$0.10\t$0.40\t$0.01\t131072\t8192\t\n')
    const { value } = await home.json<ListJson>(['models', 'LOREM', '--fields', 'id'])
    expect(value.data).toEqual([{ id: 'sandbox/lorem' }])
    const none = await home.run(['models', '--provider', 'nobody'])
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'No matching models.\n' })
  })

  test('explains which model auto-routing would choose, at no cost', async () => {
    const words = ['route', 'Prove', 'that', 'there', 'are', 'infinitely', 'many', 'primes']
    const { code, value } = await home.json<Record<string, unknown>>(words)
    expect(code).toBe(0)
    expect(value).toMatchObject({ object: 'route', model: 'sandbox/lorem', profile: 'auto', filters: [] })
    const shown = await home.run([...words, '--system', 'Be brief.'])
    expect([shown.code, shown.stderr]).toEqual([0, ''])
    expect(shown.stdout).toMatch(/^sandbox\/lorem {2}[A-Z]+\n\nChance of success/)
    const plain = await home.run(['route', 'Hi', '--model', 'sandbox/echo'])
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('turnpike/auto') })
  })

  test('chats: the answer is on stdout, its cost on stderr', async () => {
    const words = ['chat', 'Hello', 'there', '--model', 'sandbox/echo', '--tag', 'team:docs']
    const chat = await home.run(words)
    expect([chat.code, chat.stdout]).toEqual([0, 'Hello there\n'])
    expect(chat.stderr).toMatch(/^sandbox\/echo · \d+ in, \d+ out · \$0\.\d+ · [\d.]+ m?s\n$/)
    // Without a model, auto-routing chooses one, and the output names it.
    const routed = await home.json<{ model: string }>(['chat', 'Hello'])
    expect(routed.value.model).toBe('sandbox/lorem')
    const piped = await home.json(['chat', '--model', 'sandbox/echo', '--tag', 'team:docs'], {
      stdin: 'From a pipe',
    })
    expect(piped.value).toMatchObject({
      content: 'From a pipe',
      finish_reason: 'stop',
      cost_usd: expect.stringMatching(/^0\.0/),
    })
  })

  test('sees what arrived of a stream that breaks off, and then its failure', async () => {
    const cut = await home.run([
      'chat',
      '--model',
      'sandbox/echo',
      '[sandbox: error_after=3 tokens=20] one two three',
    ])
    expect(cut.code).toBe(3)
    expect(cut.stdout).toMatch(/\S\n$/)
    expect(cut.stderr).toMatch(/^✗ /)
    const json = await home.json(['chat', '--model', 'sandbox/echo', '[sandbox: error_after=3 tokens=20] x'])
    expect(json.value).toMatchObject({ error: { type: expect.any(String), request_id: expect.any(String) } })
  })

  test('sees usage as a total, in groups and by tags', async () => {
    const { value } = await home.json<Record<string, unknown>>(['usage', '--days', '7', '--tag', 'team:docs'])
    expect(value).toMatchObject({
      range_days: 7,
      total_requests: 2,
      total_cost_usd: expect.stringMatching(/^0\.0/),
    })
    const { value: byTag } = await home.json<ListJson>(['usage', '--by', 'tag', '--by', 'model'])
    expect(byTag.data.map(({ group }) => group)).toContainEqual(['team:docs', 'sandbox/echo'])
    const { value: dearest } = await home.json<ListJson>(['usage', '--by', 'tag', '--limit', '1'])
    expect([dearest.data.length, dearest.has_more]).toEqual([1, true])
    const first = await home.run(['usage', '--by', 'tag', '--limit', '1'])
    expect(first.stdout).toMatch(/^[^\t]+\t0\.\d+\t\d+\t\d+\t\d+\n\(others\)\t0\.\d+\t\d+\t\d+\t\d+\n$/)
    const next = await home.json<ListJson>(['usage', '--by', 'tag', '--cursor', dearest.next_cursor!])
    expect(next.value.data).not.toContainEqual(dearest.data[0])
    const { stdout } = await home.run(['usage', '--by', 'model'])
    expect(stdout).toMatch(/^sandbox\/(echo|lorem)\t0\.\d+\t\d+\t\d+\t\d+\n/)
    const chart = await home.run(['usage', '--days', '7'], {
      env: { TURNPIKE_FORCE_TTY: '60', NO_COLOR: '1' },
    })
    expect(chart.stdout.split('\n')).toHaveLength(14)
    expect(chart.stdout).toMatch(/\d{4}-\d\d-\d\d {2}█+ +\$0\.\d+\n$/)
  })

  test('sees how requests went, compared with the days before', async () => {
    const { value } = await home.json<Record<string, unknown>>(['usage', '--health', '--by', 'model'])
    expect(value).toMatchObject({
      object: 'health',
      range_days: 30,
      by: 'model',
      previous: { requests: 0 },
      data: expect.arrayContaining([expect.objectContaining({ group: 'sandbox/echo' })]),
    })
    const figures = await home.run(['usage', '--health', '--days', '1', '--by', 'hour'], {
      env: { TURNPIKE_FORCE_TTY: '140', NO_COLOR: '1' },
    })
    expect(figures.stdout).toMatch(/^Today \(UTC\), compared with the day before .*\n +requests +\d+ \(0\)\n/)
    expect(figures.stdout).toMatch(/first token, p50 +\d+ ms\n/)
    expect(figures.stdout).toMatch(/HOUR +REQUESTS +ERRORS +FIRST p50 +p95/)
    expect(figures.stdout).toMatch(/Counted since \d{4}-\d\d-\d\dT\d\d:\d\dZ\.\n$/)
  })

  test('sees the ledger, and moves credit', async () => {
    const { value: other } = await home.json<KeyJson>(['keys', 'create', '--name', 'other', '--no-cache'])
    const moved = await home.json(['keys', 'transfer', first.id, '--to', other.id, '--amount', '2'])
    expect(moved.value).toMatchObject({ kind: 'transfer', amount_usd: '2', change_usd: '0' })
    const back = await home.run(['keys', 'transfer', other.id, '--to', first.id, '--amount', '0.5'])
    expect([back.code, back.stdout]).toEqual([0, ''])
    expect(back.stderr).toBe(`✓ Moved $0.50 from ${other.id} to ${first.id}\n`)
    const { value } = await home.json<ListJson>(['ledger', '--limit', '2'])
    expect([value.data.length, value.has_more]).toEqual([2, true])
    const next = await home.json<ListJson>(['ledger', '--cursor', value.next_cursor!])
    expect(next.value.data.map(({ kind }) => kind)).toContain('topup')
    const { stdout } = await home.run(['ledger'])
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\ttransfer\t\$0\.00\tkey:key_/)
  })

  test('is told which key has credit if the chosen one has none', async () => {
    const words = ['keys', 'create', '--name', 'apart', '--draws-on', 'own', '--no-cache']
    const { stdout: raw, stderr: made } = await home.run(words)
    const [id] = /key_\w{26}/.exec(made)!
    expect(made).toContain(`It has no credit yet: turnpike topup --amount 10 --key ${id}`)
    const refused = await home.run(['test', '--key', raw.trim()])
    const [, hint] = /Use that credit: turnpike (keys update <id> --draws-on key_\w{26})/.exec(
      refused.stderr,
    )!
    expect((await home.run(hint!.replace('<id>', id).split(' '))).code).toBe(0)
    expect((await home.run(['test', '--key', raw.trim()])).code).toBe(0)
    const shared = await home.run(['keys', 'create', '--name', 'shared', '--no-cache'])
    expect(shared.stderr).toMatch(/It uses the account's credit, on key_\w{26}/)
  })

  test('rotates and revokes the cached key', async () => {
    const rotated = await home.json<KeyJson>(['keys', 'rotate', first.id])
    expect(rotated.value).toMatchObject({ name: 'my laptop', raw: rawKey })
    expect(home.read('last_key')).toBe(`${rotated.value.raw}\n`)
    const old = await home.json(['test', '--key', first.raw])
    expect(old).toMatchObject({ code: 1, value: error(401, 'authentication_error') })
    const revoked = await home.run(['keys', 'revoke', rotated.value.id])
    expect(revoked).toMatchObject({ code: 0, stdout: '' })
    expect(revoked.stderr).toMatch(/^✓ Revoked key my laptop \(key_\w+\)\nIt was the cached key/)
    expect(() => home.read('last_key')).toThrow('ENOENT')
    const again = await home.json<KeyJson>(['keys', 'revoke', rotated.value.id])
    expect(again).toMatchObject({ code: 0, value: { status: 'revoked' } })
  })

  test('rotates a key that keeps working for a while', async () => {
    const { value: old } = await home.json<KeyJson>(['keys', 'create', '--name', 'slow', '--no-cache'])
    const words = ['keys', 'rotate', old.id, '--grace', '3600', '--no-cache']
    const { code, stdout, stderr } = await home.run(words)
    expect([code, stdout.trimEnd()]).toEqual([0, rawKey])
    expect(stderr).toMatch(new RegExp(`^✓ Rotated key slow; ${old.id} keeps working for 3600 s\n! Save`))
    expect((await home.run(['models', '--key', old.raw])).code).toBe(0)
    expect((await home.json<KeyJson>(['keys', 'show', old.id])).value.status).toBe('active')
  })

  test('logs out: the local files are removed, and the login is revoked', async () => {
    await home.run(['keys', 'create', '--name', 'last'])
    const credentials = JSON.parse(home.read('credentials.json')) as {
      servers: Record<string, { refresh_token: string; token_endpoint: string; client_id: string }>
    }
    const { refresh_token, token_endpoint, client_id } = credentials.servers[node.origin]!
    const { code, value } = await home.json(['logout'])
    expect([code, value]).toEqual([0, { logged_out: true, revoked: true, key_removed: true }])
    for (const file of ['credentials.json', 'last_key'])
      expect(() => readFileSync(home.path(file))).toThrow('ENOENT')
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id })
    const answer = await fetch(token_endpoint, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await home.run(['logout'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Not logged in/),
    })
    const { value: refused, ...ended } = await home.json(['whoami'])
    expect([ended.code, refused]).toMatchObject([1, { error: { type: 'authentication_error' } }])
  })
})
