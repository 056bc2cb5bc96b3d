import { parseUsd } from '@turnpike/billing'
import { expect } from 'vitest'
import type { TestKey, TestNode } from '../../../../tests/nodes/test-node.ts'

/** Has every node write its charges to the database: a node does so before it reads accounts. */
export async function flushAll(nodes: readonly TestNode[]): Promise<void> {
  for (const node of nodes) await node.admin('/accounts')
}

/** The balance of a key, once all charges are in the database. */
export async function balanceOf(nodes: readonly TestNode[], key: TestKey): Promise<bigint> {
  await flushAll(nodes)
  const path = `/accounts/${key.accountId}/keys/${key.id}`
  return parseUsd((await nodes[0]!.admin<{ balance_usd: string }>(path)).balance_usd)
}

/** Expects that the ledger verifies, once all charges are in the database. */
export async function expectTrueBooks(nodes: readonly TestNode[]): Promise<void> {
  await flushAll(nodes)
  expect(await nodes[0]!.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
}
