import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { seedRequests } from './seed.ts'

/** An organization with some weeks of usage, by two members and by the organization itself. */
export interface TeamRoom {
  organizationId: string
  projectId: string
  /** The founder, and a service account. */
  memberIds: [string, string]
  keys: TestKey[]
}

/** A name that overflows its column. */
export const longName = `nightly ${'n'.repeat(60)}`

/**
 * Creates two keys in a project, the founder's and a service account's, and one of the organization in no
 * project.
 */
export async function furnishTeam(node: TestNode, personId: string, requests: number): Promise<TeamRoom> {
  const { organizations, projects } = node.storage
  const nowMs = Date.now()
  const organizationData = { name: 'Engines', personId, tier: 'free', toldRoles: [], mostOfPerson: 3 }
  const organizationId = await organizations.create(organizationData, nowMs)
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
