import { formatUsd, type Topup } from '@turnpike/billing'
import type { ListedLog, UsageGroup } from '@turnpike/gateway'
import type { Account } from '@turnpike/identity'
import { defaultIdentityProvider } from '../accounts/defaults.ts'
import { accountRecord } from '../accounts/record.ts'
import { ruleRecord } from '../alerts/routes.ts'
import { autoTopupRecord, paymentMethodRecord } from '../auto-topup/record.ts'
import { billingFields } from '../billing-details/record.ts'
import { deliveryRecord, eventRecord } from '../events/delivery-record.ts'
import { recordOf as targetRecordOf } from '../events/target-record.ts'
import { csvFormat } from '../files/csv.ts'
import { jsonLines } from '../files/stream.ts'
import { keyRecords } from '../keys/record.ts'
import { budgetRecord } from '../budgets/record.ts'
import { ledgerCsv, ledgerRows } from '../ledger/export.ts'
import { sessionsOf } from '../logins/account-sessions.ts'
import { organizationRecord } from '../organizations/record.ts'
import { projectRecord } from '../projects/record.ts'
import { requestLogRecord } from '../prompt-log/record.ts'
import { daysOf } from '../prompt-log/routes.ts'
import type { ManagementServices } from '../services.ts'
import { receiptOf } from '../topups/receipt.ts'
import { topupRecord } from '../topups/record.ts'
import { requestCsv } from '../usage/csv.ts'
import { vendorKeyRecord } from '../vendor-keys/record.ts'
import { jsonEntry, rowEntries, textEntry } from './parts.ts'
import type { ZipEntry } from './zip.ts'

const dayMs = 86_400_000
const pageRows = 200
const groupsAtOnce = 5_000
/** Long enough to include data imported from before the account was created. */
const leastDays = 366

const readMe = `The data that Turnpike has about your account, at the time of this export.

account.json         the account: name, address, balance
billing.json         whom receipts are made out to; null where you have not said
keys.json            your API keys, revoked ones included; never the keys themselves, which nobody keeps
projects.json        what your keys are for
budgets.json         what may be spent on what, and what was in the period under way
vendor-keys.json     your own keys of vendors, by their last four characters; the keys themselves are sealed
organizations.json   those that you belong to, with your role; what is theirs is not among your own data
sessions.json        where you are signed in: browsers, command lines, devices, apps
topups.json          what you bought, with the receipts
payments.json        payment methods that you saved, and automatic top-up
alerts.json          what you are accountEvents of, where, and what you were accountEvents
ledger-1.csv         every movement of your credit, the newest first
usage-by-day-1.csv   what you used by day and model, failed requests included; days are UTC
requests-1.csv       every request that is still kept, the oldest first
prompts-1.jsonl      the prompts and answers that you have kept, one request a line, the oldest first

A file of more than a million rows goes on in -2, -3 and so on. Amounts are US dollars, exact to 12
decimals; times are seconds since 1970-01-01 UTC.
`

const dayCsv = csvFormat<UsageGroup>({
  day: ({ groups }) => groups[0] ?? null,
  model: ({ groups }) => groups[1] ?? null,
  requests: (row) => row.totalRequests,
  tokens_in: (row) => row.totalTokensIn,
  tokens_out: (row) => row.totalTokensOut,
  cost_usd: (row) => ({ amount: formatUsd(row.totalCostPico) }),
})

/** Everything stored about an account, as files; may include data that changes during the export. */
export async function* ownData(
  account: Account,
  sessionId: string | undefined,
  services: ManagementServices,
): AsyncGenerator<ZipEntry> {
  const { id: accountId } = account
  const nowMs = services.clock()
  const billing = await services.billingDetails.find(accountId)
  const fromMs = Math.min(account.createdAtMs, nowMs - leastDays * dayMs)
  const filter = { accountId, fromMs: Math.floor(fromMs / dayMs) * dayMs, toMs: nowMs + 1 }
  const wholeDays = { ...filter, toMs: (Math.floor(nowMs / dayMs) + 1) * dayMs }
  const identityProvider = services.identityProvider ?? defaultIdentityProvider
  yield textEntry('README.txt', readMe)
  yield jsonEntry('account.json', accountRecord(account, identityProvider))
  yield jsonEntry('billing.json', billing === undefined ? null : billingFields(billing))
  yield jsonEntry('keys.json', await allKeys(accountId, services))
  yield jsonEntry('projects.json', await allProjects(accountId, services))
  yield jsonEntry('budgets.json', await allBudgets(accountId, services))
  yield jsonEntry('vendor-keys.json', await allVendorKeys(accountId, services))
  yield jsonEntry('organizations.json', await allOrganizations(accountId, services))
  yield jsonEntry('sessions.json', await sessionsOf(services, account, sessionId))
  yield jsonEntry('topups.json', await allTopups(account, services))
  yield jsonEntry('payments.json', await allPayments(accountId, services))
  yield jsonEntry('alerts.json', await allAlerts(accountId, services))
  yield* rowEntries('ledger', ledgerRows(services.ledger, accountId, {}), ledgerCsv)
  yield* rowEntries('usage-by-day', usageByDay(services, wholeDays), dayCsv)
  yield* rowEntries('requests', services.usage.export(filter), requestCsv)
  yield* rowEntries('prompts', promptsOf(account, services), jsonLines(requestLogLine), 'jsonl')
}

type LogLine = ReturnType<typeof requestLogRecord>
const requestLogLine = (line: LogLine): LogLine => line

/** Holds one page at a time in memory. */
async function* promptsOf(account: Account, { promptLog }: ManagementServices): AsyncGenerator<LogLine> {
  if (promptLog === undefined) return
  const keptMs = daysOf(account, promptLog.settings.days) * dayMs
  let last: ListedLog | undefined
  do {
    const page = await promptLog.page(account.id, last)
    for (const one of page) yield requestLogRecord(one.requestId, one, keptMs)
    last = page.at(-1)
  } while (last !== undefined)
}

async function allKeys(accountId: string, services: ManagementServices) {
  const keys = await everyPage((page) => services.apiKeys.list(accountId, page))
  return keyRecords(keys, services)
}

async function allProjects(accountId: string, { projects }: ManagementServices) {
  return (await everyPage((page) => projects.list(accountId, page))).map(projectRecord)
}

async function allBudgets(accountId: string, services: ManagementServices) {
  const { budgets } = services
  const all = await everyPage((page) => budgets.list(accountId, page))
  const nowMs = services.clock()
  const spent = await budgets.findSpent(all, nowMs)
  return all.map((budget) => budgetRecord(budget, spent.get(budget.id)!, nowMs))
}

async function allVendorKeys(accountId: string, { ownKeys }: ManagementServices) {
  return ((await ownKeys?.store.list(accountId)) ?? []).map(vendorKeyRecord)
}

async function allOrganizations(personId: string, { organizations }: ManagementServices) {
  const found = await organizations.ofPerson(personId)
  return found.map(({ id, name, status, joinedAtMs, ...member }) =>
    organizationRecord({ id, displayName: name, status, createdAtMs: joinedAtMs }, member),
  )
}

async function allTopups(account: Account, { checkout }: ManagementServices) {
  if (checkout === undefined) return []
  const { topups, receiptIssuer } = checkout
  const all = await everyPage<Topup>((page) => topups.list(account.id, page))
  return all.map((topup) => ({
    ...topupRecord(topup),
    checkout_url: null,
    receipt: topup.paidAtMs === null ? null : receiptOf(topup, account, receiptIssuer),
  }))
}

async function allPayments(accountId: string, services: ManagementServices) {
  const { checkout } = services
  if (checkout?.auto === undefined) return null
  const { store } = checkout.auto
  const chargedPico = await store.chargedPico(accountId, services.clock())
  return {
    methods: (await store.methods(accountId)).map(paymentMethodRecord),
    auto_topup: autoTopupRecord(await store.find(accountId), { chargedPico, action: undefined }),
  }
}

async function allAlerts(accountId: string, services: ManagementServices) {
  const { alerts, eventTargets, events, deliveries } = services
  const targets = await eventTargets.list(accountId)
  const accountEvents = await everyPage((page) => events.list(accountId, page))
  const sent = await everyPage((page) => deliveries.list(accountId, {}, page))
  return {
    rules: (await alerts.list(accountId)).map(ruleRecord),
    targets: await Promise.all(targets.map((target) => targetRecordOf(target, services))),
    events: accountEvents.map(eventRecord),
    deliveries: sent.map(deliveryRecord),
  }
}

async function* usageByDay(
  { usage }: Pick<ManagementServices, 'usage'>,
  filter: Parameters<ManagementServices['usage']['breakdown']>[0],
): AsyncGenerator<UsageGroup> {
  let cursor: string | null = null
  do {
    const page = { limit: groupsAtOnce, ...(cursor !== null && { cursor }) }
    const found: Awaited<ReturnType<typeof usage.breakdown>> = await usage.breakdown(
      filter,
      ['day', 'model'],
      page,
    )
    yield* found.rows
    cursor = found.nextCursor
  } while (cursor !== null)
}

async function everyPage<Row>(
  list: (page: { limit: number; cursor?: string }) => Promise<{ rows: Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page: { rows: Row[]; nextCursor: string | null } = await list({
      limit: pageRows,
      ...(cursor !== null && { cursor }),
    })
    rows.push(...page.rows)
    cursor = page.nextCursor
  } while (cursor !== null)
  return rows
}
