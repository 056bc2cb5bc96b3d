import type { Account } from '@turnpike/identity'
import { organizationNames } from '../mcp/organization-names.ts'
import type { ManagementServices } from '../services.ts'
import { appRecord, deviceRecord, loginRecord, type SessionRecord } from './record.ts'

type SessionServices = Pick<ManagementServices, 'logins' | 'deviceSignIns' | 'connectedApps' | 'clock'>

/** Everything that is signed in for an account, apart from its keys. */
export async function sessionsOf(
  {
    logins,
    deviceSignIns,
    connectedApps,
    organizations,
    clock,
  }: SessionServices & Pick<ManagementServices, 'organizations'>,
  { id, subject }: Pick<Account, 'id' | 'subject'>,
  currentId?: string,
): Promise<SessionRecord[]> {
  const [sessions = [], apps = [], devices = []] = await Promise.all([
    subject === null ? undefined : logins?.sessions.list(subject, clock()),
    subject === null ? undefined : connectedApps?.list(subject),
    deviceSignIns?.signIns.list(id),
  ])
  const names = await organizationNames(apps, id, { organizations })
  const records = [
    ...sessions.map((session) => loginRecord(session, currentId)),
    ...devices.map(deviceRecord),
    ...apps.map((app) => appRecord(app, names)),
  ]
  return records.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.last_used_at - one.last_used_at,
  )
}

/** Ends one of the account's sessions, on every node; false if the account has no such session. */
export async function endSession(
  { logins, deviceSignIns, connectedApps, clock }: SessionServices,
  { id: accountId, subject }: Pick<Account, 'id' | 'subject'>,
  id: string,
): Promise<boolean> {
  if (id.startsWith('sgn_')) return (await deviceSignIns?.signIns.endOf(accountId, id)) ?? false
  if (subject === null) return false
  if (id.startsWith('ses_')) return (await logins?.sessions.end(subject, id, clock())) ?? false
  return (await connectedApps?.end(subject, id)) ?? false
}

/** Ends all sessions but one, on every node. @param keptId undefined: all end */
export async function endSessions(
  { logins, deviceSignIns, connectedApps }: SessionServices,
  { id, subject }: Pick<Account, 'id' | 'subject'>,
  keptId: string | undefined,
): Promise<void> {
  // Devices first: if this failed after the login ended, nobody could end them any more.
  await deviceSignIns?.signIns.endOf(id)
  if (subject === null) return
  for (const app of (await connectedApps?.list(subject)) ?? []) await connectedApps?.end(subject, app.id)
  await logins?.sessions.endOthers(subject, keptId)
}
