import type { LeaseTotals, SpendBook } from '@turnpike/billing'
import type { Outbox } from '@turnpike/gateway'
import type { Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

export interface MoneySources {
  outbox: Pick<Outbox, 'rows' | 'bytes' | 'waitingMs' | 'tally' | 'keptApart'>
  leases: Pick<SpendBook, 'totals' | 'tally' | 'budgetTotals' | 'budgetTally' | 'shortBudgets'>
}

const picoPerUsd = 1e12

/** Metrics of charges on their way to the database, and of the credit that this node may spend. */
export function registerMoneyMetrics(registry: Registry, { outbox, leases }: MoneySources): void {
  registerOutbox(registry, outbox)
  registerLeases(registry, leases)
  registerBudgets(registry, leases)
}

function registerOutbox(registry: Registry, outbox: MoneySources['outbox']): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registerGauge(registry, { name, help }, () => alone(value()))
  const counter = (name: string, help: string, value: () => number): void =>
    registerCounter(registry, { name, help }, () => alone(value()))

  gauge('turnpike_outbox_rows', 'Finished requests not yet in the database.', () => outbox.rows)
  gauge('turnpike_outbox_bytes', 'Bytes of finished requests not yet in the database.', () => outbox.bytes)
  gauge(
    'turnpike_outbox_waiting_seconds',
    'For how long the outbox has held rows without the database accepting any.',
    () => outbox.waitingMs / 1_000,
  )
  counter(
    'turnpike_outbox_failed_writes_total',
    'Failed writes of outbox rows to disk; their requests were not answered.',
    () => outbox.tally.failedWrites,
  )
  counter(
    'turnpike_outbox_failed_flushes_total',
    'Failed attempts to move rows to the database; they are retried.',
    () => outbox.tally.failedFlushes,
  )
  counter(
    'turnpike_outbox_set_aside_total',
    'Rows that the database refused permanently; a person must look at them.',
    () => outbox.tally.setAside,
  )
  gauge(
    'turnpike_outbox_set_aside_rows',
    'Rows in the data directory that the database refused permanently; their charges are in no ledger.',
    () => outbox.keptApart.rows,
  )
  gauge(
    'turnpike_outbox_set_aside_usd',
    'Sum of the charges of set-aside rows, in USD, rounded.',
    () => Number(outbox.keptApart.chargePico) / picoPerUsd,
  )
  gauge(
    'turnpike_outbox_damaged_bytes',
    'Bytes of outbox files that could not be read as rows and were moved aside.',
    () => outbox.keptApart.damagedBytes,
  )
}

function registerLeases(registry: Registry, leases: MoneySources['leases']): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_lease_usd',
      help:
        'Credit leased by this node in USD, rounded, by state: available, held by requests, or charged but ' +
        'not yet in the database.',
      labelNames: ['state'],
    },
    () => usdByState(leases.totals()),
  )
  registerGauge(
    registry,
    { name: 'turnpike_lease_keys', help: 'Keys whose credit this node has leased.' },
    () => alone(leases.totals().keys),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_lease_refills_total',
      help: "Requests to the database for more of a key's credit, by result.",
      labelNames: ['result'],
    },
    () => byResult(leases.tally),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_lease_asks_total',
      help: "Requests to return a key's idle credit: by this node to others, or by others to it.",
      labelNames: ['by'],
    },
    () => byAsker(leases.tally),
  )
}

/** Metrics of budgets, which nodes lease as they lease credit. */
function registerBudgets(registry: Registry, leases: MoneySources['leases']): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_budget_lease_usd',
      help:
        'Hard budgets leased by this node in USD, rounded, by state: available, held by requests, ' +
        'or charged but not yet in the database.',
      labelNames: ['state'],
    },
    () => usdByState(leases.budgetTotals()),
  )
  registerGauge(
    registry,
    { name: 'turnpike_budget_leases', help: 'Periods of hard budgets that this node has a lease of.' },
    () => alone(leases.budgetTotals().keys),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_budget_lease_refills_total',
      help: 'Requests to the database for more of a budget, by result.',
      labelNames: ['result'],
    },
    () => byResult(leases.budgetTally),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_budget_lease_asks_total',
      help: 'Requests to return the idle part of a budget: by this node to others, or by others to it.',
      labelNames: ['by'],
    },
    () => byAsker(leases.budgetTally),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_budget_short_total',
      help:
        "Requests that a budget did not cover, by the budget's scope. They were refused, cut, sent " +
        'to another model or given a lower output bound.',
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
