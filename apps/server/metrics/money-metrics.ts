import type { LeaseTotals, SpendBook } from '@turnpike/billing'
import type { Outbox } from '@turnpike/gateway'
import type { Registry } from 'prom-client'
import { alone, countedElsewhere, measured } from './counted.ts'

export interface MoneySources {
  outbox: Pick<Outbox, 'rows' | 'bytes' | 'waitingMs' | 'tally' | 'keptApart'>
  leases: Pick<SpendBook, 'totals' | 'tally' | 'budgetTotals' | 'budgetTally' | 'shortBudgets'>
}

const picoPerUsd = 1e12

/** Charges on their way to the database, and the credit that this node may spend. */
export function registerMoneyMetrics(registry: Registry, { outbox, leases }: MoneySources): void {
  registerOutbox(registry, outbox)
  registerLeases(registry, leases)
  registerBudgets(registry, leases)
}

function registerOutbox(registry: Registry, outbox: MoneySources['outbox']): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    measured(registry, { name, help }, () => alone(value()))
  const counter = (name: string, help: string, value: () => number): void =>
    countedElsewhere(registry, { name, help }, () => alone(value()))

  gauge('turnpike_outbox_rows', 'Finished requests that are not in the database yet.', () => outbox.rows)
  gauge(
    'turnpike_outbox_bytes',
    'Bytes of finished requests that are not in the database yet.',
    () => outbox.bytes,
  )
  gauge(
    'turnpike_outbox_waiting_seconds',
    'For how long the outbox has had rows of which the database took none.',
    () => outbox.waitingMs / 1_000,
  )
  counter(
    'turnpike_outbox_failed_writes_total',
    'Times that rows could not be written to the disk: their requests were not answered.',
    () => outbox.tally.failedWrites,
  )
  counter(
    'turnpike_outbox_failed_flushes_total',
    'Times that the database took no rows; they are tried again.',
    () => outbox.tally.failedFlushes,
  )
  counter(
    'turnpike_outbox_set_aside_total',
    'Rows that the database refused for good: a person must look at them.',
    () => outbox.tally.setAside,
  )
  gauge(
    'turnpike_outbox_set_aside_rows',
    'Rows in the data directory that the database refused for good: their charges are in no ledger.',
    () => outbox.keptApart.rows,
  )
  gauge(
    'turnpike_outbox_set_aside_usd',
    'What the rows that were set aside would have charged, in USD, rounded.',
    () => Number(outbox.keptApart.chargePico) / picoPerUsd,
  )
  gauge(
    'turnpike_outbox_damaged_bytes',
    "Bytes of the outbox's files that were no rows any more and were kept apart.",
    () => outbox.keptApart.damagedBytes,
  )
}

function registerLeases(registry: Registry, leases: MoneySources['leases']): void {
  measured(
    registry,
    {
      name: 'turnpike_lease_usd',
      help:
        "Keys' credit on this node in USD, rounded: free to be held, held by requests, and charged but not " +
        'yet in the database.',
      labelNames: ['state'],
    },
    () => usdByState(leases.totals()),
  )
  measured(
    registry,
    { name: 'turnpike_lease_keys', help: 'Keys of whose credit this node has a lease.' },
    () => alone(leases.totals().keys),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_lease_refills_total',
      help: 'Times that the database was asked for more credit of a key, by what it said.',
      labelNames: ['result'],
    },
    () => byResult(leases.tally),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_lease_asks_total',
      help: "Times that a key's idle credit was asked back: by this node of others, or by others of it.",
      labelNames: ['by'],
    },
    () => byAsker(leases.tally),
  )
}

/** What budgets leave, which nodes lease as they do credit. */
function registerBudgets(registry: Registry, leases: MoneySources['leases']): void {
  measured(
    registry,
    {
      name: 'turnpike_budget_lease_usd',
      help:
        'What this node has leased of hard budgets in USD, rounded: free to be held, held by requests, and ' +
        'charged but not yet in the database.',
      labelNames: ['state'],
    },
    () => usdByState(leases.budgetTotals()),
  )
  measured(
    registry,
    { name: 'turnpike_budget_leases', help: 'Periods of hard budgets of which this node has a lease.' },
    () => alone(leases.budgetTotals().keys),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_budget_lease_refills_total',
      help: 'Times that the database was asked for more of a budget, by what it said.',
      labelNames: ['result'],
    },
    () => byResult(leases.budgetTally),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_budget_lease_asks_total',
      help: 'Times that what is idle of a budget was asked back: by this node of others, or by others of it.',
      labelNames: ['by'],
    },
    () => byAsker(leases.budgetTally),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_budget_short_total',
      help:
        "Times that a budget did not cover a request, by the budget's scope: it was refused, cut, went on " +
        'with another model or with a lower bound.',
      labelNames: ['scope'],
    },
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
