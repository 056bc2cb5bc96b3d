import type { Schemas } from './client.ts'

export type Role = Schemas['Me']['role']

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  billing: 'Billing',
  viewer: 'Viewer',
}
