import type { ConnectedApp } from '@turnpike/identity'
import type { ManagementServices } from '../services.ts'

/** By identifier: those that apps act for and their person belongs to. One that they left has none. */
export async function organizationNames(
  apps: readonly Pick<ConnectedApp, 'organizationId'>[],
  personId: string,
  { organizations }: Pick<ManagementServices, 'organizations'>,
): Promise<ReadonlyMap<string, string>> {
  if (apps.every(({ organizationId }) => organizationId === null)) return new Map()
  const own = await organizations.ofPerson(personId)
  return new Map(own.map(({ id, name }) => [id, name]))
}
