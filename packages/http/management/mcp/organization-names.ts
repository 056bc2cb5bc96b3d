import type { ConnectedApp } from '@turnpike/identity'
import type { ManagementServices } from '../services.ts'

/** Names of the organizations that apps act for, by identifier; only those the person belongs to. */
export async function organizationNames(
  apps: readonly Pick<ConnectedApp, 'organizationId'>[],
  personId: string,
  { organizations }: Pick<ManagementServices, 'organizations'>,
): Promise<ReadonlyMap<string, string>> {
  if (apps.every(({ organizationId }) => organizationId === null)) return new Map()
  const own = await organizations.ofPerson(personId)
  return new Map(own.map(({ id, name }) => [id, name]))
}
