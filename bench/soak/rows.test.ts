import { expect, test } from 'vitest'
import { totalsOf, type ExportRow } from './rows.ts'

const good: ExportRow = {
  outcome: 'completed',
  status: 200,
  error_type: null,
  cost_usd: '0.000147',
  model_served: 'first/load-model',
  tokens_in: 500,
  tokens_out: 120,
  attempts: [{ provider: 'first', result: 'ok' }],
}

const tried = (...providers: string[]): ExportRow['attempts'] =>
  providers.map((provider) => ({ provider, result: 'status-500' }))

const failed: ExportRow = {
  ...good,
  outcome: 'failed',
  status: 502,
  error_type: 'upstream_error',
  cost_usd: '0',
  attempts: tried('second', 'first', 'third'),
}

async function totals(...rows: ExportRow[]) {
  return await totalsOf(
    (async function* () {
      yield* rows
    })(),
    true,
  )
}

test('adds costs, and checks each against its tokens at the price of the model that served', async () => {
  const rescued = {
    ...good,
    model_served: 'third/load-model',
    cost_usd: '0.000343',
    attempts: tried('first', 'third'),
  }
  expect(await totals(good, rescued, failed)).toMatchObject({
    rows: 3,
    costPico: 490_000_000n,
    rescued: 1,
    wrongCosts: 0,
    givenUpEarly: 0,
    failed: new Map([['502', 1]]),
  })
})

test('finds a cost that is wrong by a trillionth of a dollar', async () => {
  expect((await totals({ ...good, cost_usd: '0.000147000001' })).wrongCosts).toBe(1)
  expect((await totals({ ...failed, cost_usd: '0.000000000001' })).wrongCosts).toBe(1)
  expect((await totals({ ...good, model_served: 'third/load-model' })).wrongCosts).toBe(1)
})

test('finds a request that failed before all candidates were tried', async () => {
  expect((await totals({ ...failed, attempts: tried('first', 'second') })).givenUpEarly).toBe(1)
  expect((await totals({ ...failed, attempts: tried('third') })).givenUpEarly).toBe(0)
})

test('does not count a client that left as a failure', async () => {
  const left = { ...failed, status: 499, error_type: 'client_closed_request', attempts: tried('first') }
  expect(await totals(left)).toMatchObject({ failed: new Map(), givenUpEarly: 0 })
})
