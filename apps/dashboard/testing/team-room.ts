import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { seedRequests } from './seed.ts'

/** An organization with usage of some weeks, by two members and the organization itself. */
export interface TeamRoom {
  organizationId: string
  projectId: string
  /** The founder, and a service account. */
  memberIds: [string, string]
  keys: TestKey[]
}

/** Names that somebody chose to overflow. */
export const longName = `nightly ${'n'.repeat(60)}`

/** Two keys of the founder's and of a service account in a project, one of the organization's own in none. */
export async function furnishTeam(node: TestNode, personId: string, requests: number): Promise<TeamRoom> {
  const { organizations, projects } = node.storage
  const nowMs = Date.now()
  const wanted = { name: 'Engines', personId, tier: 'free', toldRoles: [], mostOfPerson: 3 }
  const organizationId = await organizations.create(wanted, nowMs)
  const service = await organizations.addService(organizationId, { name: longName, by: null }, nowMs)
  const { rows } = await organizations.members(organizationId, { limit: 10 })
  const founder = rows.find(({ kind }) => kind === 'person')!
  const { id: projectId } = await projects.create(
    { accountId: organizationId, name: 'search', most: 10 },
    nowMs,
  )
  const account = `/accounts/${organizationId}`
  const keys: TestKey[] = []
  for (const body of [
    { name: 'indexer', member_id: founder.id, project_id: projectId },
    { name: `batch ${longName}`, member_id: service.id, project_id: projectId },
    { name: 'shared' },
  ]) {
    const { id, raw } = await node.admin<{ id: string; raw: string }>(`${account}/keys`, {
      method: 'POST',
      body,
    })
    keys.push({ accountId: organizationId, id, raw })
  }
  await seedRequests(node, keys, { count: requests, days: 40 })
  return { organizationId, projectId, memberIds: [founder.id, service.id], keys }
}
