import { describe, expect, test } from 'vitest'
import type { KeyJson, ListJson } from '../testing/answers.ts'
import { decideCheckout } from '../testing/signed-in.ts'
import { suiteUser } from '../testing/suite.ts'

interface BudgetJson {
  id: string
  spent_usd: string
  left_usd: string
  hard: boolean
  notify: number[]
}

const onTerminal = { env: { TURNPIKE_FORCE_TTY: '100', NO_COLOR: '1' } }

const { home } = suiteUser({ server: { port: 0, trusted_proxies: ['127.0.0.1'] } })

async function paid(words: string[]): Promise<void> {
  const { stdout } = await home.run(['topup', ...words, '--no-open'])
  await decideCheckout(stdout.trim(), 'pay')
}

describe('budgets', () => {
  const create = ['budgets', 'create', '--name', 'Search', '--on', 'tag:team:search']

  test('a hard budget is created, shown, reached, raised and deleted', async () => {
    const { value: key } = await home.json<KeyJson>(['keys', 'create', '--name', 'k'])
    await paid(['--amount', '10', '--key', key.id])
    const made = await home.run([...create, '--limit', '0.000001', '--period', 'month', '--hard'])
    expect(made).toMatchObject({ code: 0, stderr: '✓ Created the hard budget Search\n' })
    expect(made.stdout).toMatch(/^bud_\w{26}\n$/)
    const id = made.stdout.trim()
    const ask = ['chat', 'Hello', '--model', 'sandbox/echo', '--tag', 'team:search']
    // A node applies a budget within a second after its creation.
    await expect.poll(async () => (await home.run(ask)).stderr, { timeout: 15_000 }).toContain('Search')
    const refused = await home.run(ask)
    expect(refused.stderr).toContain(`Raise it: turnpike budgets update ${id} --limit`)
    expect(refused.stderr).not.toContain('Add credit')

    const raised = await home.run(['budgets', 'update', id, '--limit', '5', '--notify', '90'])
    expect(raised.stdout).toMatch(
      /^Search\n {2}id +bud_\w+\n {2}on +tag:team:search\n {2}limit +\$5\.00 a month/,
    )
    await expect.poll(async () => (await home.run(ask)).code, { timeout: 15_000 }).toBe(0)
    const show = () => home.json<BudgetJson & { days: unknown[] }>(['budgets', 'show', id])
    await expect.poll(async () => (await show()).value.spent_usd).not.toBe('0')
    expect((await show()).value).toMatchObject({
      notify: [90],
      forecast_usd: expect.stringMatching(/^0\.0/),
      days: [{ requests: expect.any(Number) }],
      resets_at: expect.any(Number),
    })
    const shown = await home.run(['budgets', 'show', id], onTerminal)
    expect(shown.stdout).toMatch(/ {2}spent +\$0\.\d+ {2}0 %\n {2}left +\$4\.9\d+\n/)
    expect(shown.stdout).toMatch(/ {2}forecast +\$0\.\d+\n {2}notify at +90 %\n {2}resets +/)
    const left = await home.run(['budgets', 'show', id, '--fields', 'left_usd'])
    expect(left.stdout).toMatch(/^4\.9\d+\n$/)
    const listed = await home.run(['budgets', 'list', '--fields', 'id,limit_usd,subject,hard'])
    expect(listed.stdout).toBe(`${id}\t$5.00 a month\ttag:team:search\thard\n`)

    const deleted = await home.run(['budgets', 'delete', id])
    expect(deleted).toEqual({ code: 0, stdout: '', stderr: '✓ Deleted the budget Search\n' })
    expect(await home.run(['budgets', 'list'])).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^No budgets yet/),
    })
    expect((await home.run(['budgets', 'show', id])).code).toBe(1)
  })

  test('a soft budget of an organization is created and reported', async () => {
    await home.run(['org', 'create', 'Engines'])
    const words = ['budgets', 'create', '--name', 'All', '--on', 'organization', '--limit', '100', '--soft']
    const made = await home.json<BudgetJson>([...words, '--notify', 'none', '--org', 'Engines'])
    expect(made.value).toMatchObject({ hard: false, notify: [], scope: 'organization', period: 'month' })
    const report = await home.run([
      'budgets',
      'report',
      made.value.id,
      '--from',
      'monday',
      '--org',
      'Engines',
    ])
    expect([report.code, report.stdout]).toEqual([1, ''])
    const now = await home.run(['budgets', 'report', made.value.id, '--org', 'Engines'])
    expect([now.code, now.stdout]).toEqual([0, expect.stringMatching(/ {2}ledger +\$0\.00\n/)])
    const own = await home.json<ListJson>(['budgets', 'list'])
    expect(own.value.data).toEqual([])
    const update = ['budgets', 'update', made.value.id, '--org', 'Engines']
    const hard = await home.json<BudgetJson>([...update, '--hard', '--notify', '50,75'])
    expect(hard.value).toMatchObject({ hard: true, notify: [50, 75], limit_usd: '100' })
    const again = await home.json([...words, '--org', 'Engines'])
    expect([again.code, again.value]).toMatchObject([0, { hard: false }])
    const same = await home.run([...words, '--org', 'Engines'])
    expect([same.code, same.stderr]).toEqual([
      1,
      expect.stringContaining('A budget like this already exists'),
    ])
  })

  test.each([
    [['--on', 'planet', '--limit', '5'], '--on'],
    [['--on', 'tag', '--limit', '5'], '--on'],
    [['--on', 'organization:x', '--limit', '5'], '--on'],
    [['--on', 'key:key_1', '--limit', '5'], 'subject'],
    [['--on', 'organization', '--limit', 'much'], '--limit'],
    [['--on', 'organization', '--limit', '5', '--hard', '--soft'], '--soft'],
    [['--on', 'organization', '--limit', '5', '--notify', 'none', '--notify', '5'], '--notify'],
    [['--on', 'organization', '--limit', '5', '--notify', '0'], '--notify'],
    [['--on', 'organization', '--limit', '5', '--period', 'year'], '--period'],
  ])('the error names the wrong option: %j', async (words, param) => {
    const { code, value } = await home.json(['budgets', 'create', '--name', 'x', ...words])
    expect([code, value]).toMatchObject([1, { error: { param } }])
  })

  test('has a default name from what it applies to', async () => {
    const words = ['budgets', 'create', '--on', 'model:sandbox/echo', '--limit', '0', '--period', 'total']
    const { value } = await home.json<BudgetJson>(words)
    expect(value).toMatchObject({ name: 'model:sandbox/echo', subject: 'sandbox/echo', resets_at: null })
    const shown = await home.run(['budgets', 'show', value.id])
    expect(shown.stdout).toMatch(
      / {2}limit +\$0\.00 in total\n[^]* {2}spent [^\n]* 100 %\n[^]* {2}resets +never\n/,
    )
    expect((await home.run(['budgets', 'delete', value.id, '--yes'])).code).toBe(0)
  })

  test('rejects a change without any option', async () => {
    const { code, stderr } = await home.run(['budgets', 'update', 'bud_1'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing to change')])
  })
})

test('an automatic top-up is set and turned off; a payment method is listed and removed', async () => {
  const off = await home.run(['auto-topup', 'show'])
  expect([off.code, off.stdout]).toEqual([0, expect.stringMatching(/^Off\./)])
  const none = await home.run(['payment-methods', 'list'])
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('--save') })
  const set = ['auto-topup', 'set', '--below', '1', '--amount', '50']
  const unsaved = await home.run([...set, '--cap', '200'])
  expect([unsaved.code, unsaved.stderr]).toEqual([1, expect.stringContaining('turnpike topup')])

  await paid(['--amount', '25', '--save'])
  const { value: methods } = await home.json<ListJson>(['payment-methods', 'list'])
  expect(methods.data).toMatchObject([{ id: expect.stringMatching(/^pmt_/), sandbox: true }])
  const id = methods.data[0]!['id'] as string
  expect((await home.run(['payment-methods', 'list'])).stdout).toMatch(new RegExp(`^${id}\t`))
  const uncapped = await home.run(set)
  expect([uncapped.code, uncapped.stderr]).toEqual([1, expect.stringContaining('--cap')])
  const on = await home.json([...set, '--cap', '200'])
  expect(on.value).toMatchObject({ enabled: true, monthly_cap_usd: '200', payment_method_id: id })
  const changed = await home.json(['auto-topup', 'set', '--below', '2', '--amount', '20'])
  expect(changed.value).toMatchObject({ threshold_usd: '2', monthly_cap_usd: '200' })
  expect((await home.run(['auto-topup', 'show'])).stdout).toMatch(
    / {2}below +\$2\.00\n {2}charges +\$20\.00\n/,
  )
  const stopped = await home.json(['auto-topup', 'off'])
  expect(stopped.value).toMatchObject({ enabled: false })

  const removed = await home.run(['payment-methods', 'remove', id])
  expect(removed).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^✓ Removed /) })
  expect((await home.json<ListJson>(['payment-methods', 'list'])).value.data).toEqual([])
  expect((await home.run(['payment-methods', 'remove', id])).code).toBe(1)
})
