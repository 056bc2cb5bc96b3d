import { randomBytes } from 'node:crypto'
import type { RequestRecord, UsageTotals } from '@turnpike/gateway'
import type { Account, ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import type { Storage } from '../open-storage.ts'

/** A day at noon UTC, so that ranges around it do not meet midnight by chance. */
export const noonMs = Date.UTC(2026, 2, 15, 12)

/** The totals of no requests. */
export const noUsage: UsageTotals = {
  totalRequests: 0,
  totalTokensIn: 0,
  totalTokensOut: 0,
  totalCostPico: 0n,
  totalBaselinePico: 0n,
  totalVendorCostPico: 0n,
  totalCostedPico: 0n,
}

export async function newAccount(storage: Storage): Promise<Account> {
  const { account } = await storage.accounts.provision({ subject: uniqueText(), tier: 'free' }, Date.now())
  return account
}

export function newKey(
  storage: Storage,
  accountId: string,
  nowMs: number = Date.now(),
  drawsOn: string | null = null,
): Promise<ApiKey> {
  return storage.apiKeys.create(
    {
      accountId,
      name: 'test',
      keyPrefix: 'sk-turnpike-abcd',
      keyHash: uniqueText(),
      expiresAtMs: null,
      allowedModels: null,
      spendLimitPico: null,
      spendLimitPeriod: null,
      drawsOn,
    },
    nowMs,
  )
}

/** An account with one key that has this much credit. */
export async function fundedKey(storage: Storage, amountPico: bigint): Promise<ApiKey> {
  const account = await newAccount(storage)
  const key = await newKey(storage, account.id)
  await grant(storage, account.id, amountPico)
  return key
}

export async function grant(storage: Storage, accountId: string, amountPico: bigint): Promise<void> {
  const result = await storage.ledger.move(
    { accountId, kind: 'grant', amountPico, reference: `grant:${uniqueText()}`, reason: null },
    Date.now(),
  )
  if ('refused' in result) throw new Error(result.refused)
}

export function newRecord(
  key: Pick<ApiKey, 'id' | 'accountId'>,
  changes: Partial<RequestRecord> = {},
): RequestRecord {
  return {
    id: newIdentifier('req', changes.startedAtMs ?? noonMs),
    accountId: key.accountId,
    keyId: key.id,
    startedAtMs: noonMs,
    endpoint: 'chat.completions',
    stream: true,
    modelAsked: 'gpt-5-mini',
    modelServed: 'openai/gpt-5-mini',
    provider: 'openai',
    tier: null,
    route: null,
    baselinePico: null,
    tags: [],
    outcome: 'completed',
    status: 200,
    errorType: null,
    attempts: [{ provider: 'openai', model: 'gpt-5-mini', status: 200, result: 'ok', durationMs: 900 }],
    dropped: [],
    usage: { inputTokens: 10, outputTokens: 5, raw: { prompt_tokens: 10, completion_tokens: 5 } },
    tokensIn: 10,
    tokensOut: 5,
    priceVersion: 'test-1',
    pricing: { prompt: '0.00000025', completion: '0.000002' },
    markup: '1.0',
    holdPico: 100_000n,
    chargePico: 12_500_000n,
    vendorCostPico: changes.chargePico ?? 12_500_000n,
    durationMs: 1_000,
    firstTokenMs: 200,
    ...changes,
  }
}

export function uniqueText(): string {
  return randomBytes(16).toString('hex')
}
