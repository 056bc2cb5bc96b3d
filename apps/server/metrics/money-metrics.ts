import type { LeaseTotals, SpendBook } from '@turnpike/billing'
import type { Outbox } from '@turnpike/gateway'
import type { Meters } from './register.ts'

export interface MoneySources {
  outbox: Pick<Outbox, 'rows' | 'bytes' | 'waitingMs' | 'tally' | 'keptApart'>
  leases: Pick<SpendBook, 'totals' | 'tally' | 'budgetTotals' | 'budgetTally' | 'shortBudgets'>
}

const picoPerUsd = 1e12

/** Metrics of charges on their way to the database, and of the credit that this node may spend. */
export function registerMoneyMetrics(meters: Meters, { outbox, leases }: MoneySources): void {
  registerOutbox(meters, outbox)
  registerLeases(meters, leases)
  registerBudgets(meters, leases)
}

function registerOutbox({ counter, gauge }: Meters, outbox: MoneySources['outbox']): void {
  gauge('turnpike_outbox_rows', 'Finished requests not yet in the database.', [], () => outbox.rows)
  gauge(
    'turnpike_outbox_bytes',
    'Bytes of finished requests not yet in the database.',
    [],
    () => outbox.bytes,
  )
  gauge(
    'turnpike_outbox_waiting_seconds',
    'For how long the outbox has held rows without the database accepting any.',
    [],
    () => outbox.waitingMs / 1_000,
  )
  counter(
    'turnpike_outbox_failed_writes_total',
    'Failed writes of outbox rows to disk; their requests were not answered.',
    [],
    () => outbox.tally.failedWrites,
  )
  counter(
    'turnpike_outbox_failed_flushes_total',
    'Failed attempts to move rows to the database; they are retried.',
    [],
    () => outbox.tally.failedFlushes,
  )
  counter(
    'turnpike_outbox_set_aside_total',
    'Rows that the database refused permanently; a person must look at them.',
    [],
    () => outbox.tally.setAside,
  )
  gauge(
    'turnpike_outbox_set_aside_rows',
    'Rows in the data directory that the database refused permanently; their charges are in no ledger.',
    [],
    () => outbox.keptApart.rows,
  )
  gauge(
    'turnpike_outbox_set_aside_usd',
    'Sum of the charges of set-aside rows, in USD, rounded.',
    [],
    () => Number(outbox.keptApart.chargePico) / picoPerUsd,
  )
  gauge(
    'turnpike_outbox_damaged_bytes',
    'Bytes of outbox files that could not be read as rows and were moved aside.',
    [],
    () => outbox.keptApart.damagedBytes,
  )
}

function registerLeases({ counter, gauge }: Meters, leases: MoneySources['leases']): void {
  gauge(
    'turnpike_lease_usd',
    'Credit leased by this node in USD, rounded, by state: available, held by requests, or charged but ' +
      'not yet in the database.',
    ['state'],
    () => usdByState(leases.totals()),
  )
  gauge('turnpike_lease_keys', 'Keys whose credit this node has leased.', [], () => leases.totals().keys)
  counter(
    'turnpike_lease_refills_total',
    "Requests to the database for more of a key's credit, by result.",
    ['result'],
    () => byResult(leases.tally),
  )
  counter(
    'turnpike_lease_asks_total',
    "Requests to return a key's idle credit: by this node to others, or by others to it.",
    ['by'],
    () => byAsker(leases.tally),
  )
}

/** Metrics of budgets, which nodes lease as they lease credit. */
function registerBudgets({ counter, gauge }: Meters, leases: MoneySources['leases']): void {
  gauge(
    'turnpike_budget_lease_usd',
    'Hard budgets leased by this node in USD, rounded, by state: available, held by requests, ' +
      'or charged but not yet in the database.',
    ['state'],
    () => usdByState(leases.budgetTotals()),
  )
  gauge(
    'turnpike_budget_leases',
    'Periods of hard budgets that this node has a lease of.',
    [],
    () => leases.budgetTotals().keys,
  )
  counter(
    'turnpike_budget_lease_refills_total',
    'Requests to the database for more of a budget, by result.',
    ['result'],
    () => byResult(leases.budgetTally),
  )
  counter(
    'turnpike_budget_lease_asks_total',
    'Requests to return the idle part of a budget: by this node to others, or by others to it.',
    ['by'],
    () => byAsker(leases.budgetTally),
  )
  counter(
    'turnpike_budget_short_total',
    "Requests that a budget did not cover, by the budget's scope. They were refused, cut, sent " +
      'to another model or given a lower output bound.',
    ['scope'],
    () => Object.entries(leases.shortBudgets).map(([scope, count]) => [{ scope }, count]),
  )
}

type Tally = MoneySources['leases']['tally']
type Measured<Name extends string> = [Record<Name, string>, number][]

function usdByState({ availablePico, heldPico, unflushedPico }: LeaseTotals): Measured<'state'> {
  return [
    [{ state: 'available' }, Number(availablePico) / picoPerUsd],
    [{ state: 'held' }, Number(heldPico) / picoPerUsd],
    [{ state: 'unflushed' }, Number(unflushedPico) / picoPerUsd],
  ]
}

function byResult(tally: Tally): Measured<'result'> {
  return (['granted', 'short', 'failed'] as const).map((result) => [{ result }, tally[result]])
}

function byAsker({ asked, answered }: Tally): Measured<'by'> {
  return [
    [{ by: 'this' }, asked],
    [{ by: 'others' }, answered],
  ]
}
