import { OrganizationRefused, type ActingMember, type ApiKey, type Role } from '@turnpike/identity'
import type { Storage } from '../../open-storage.ts'
import { newAccount, uniqueText } from '../../testing/fixtures.ts'

/** An organization with its founder, and helpers to add to it. */
export interface TestOrganization {
  id: string
  founder: ActingMember & { personId: string }
  /** Adds a new person. */
  join(role: Role): Promise<ActingMember & { personId: string }>
  /** Creates a key for the given member, or for the organization itself. */
  key(memberId?: string | null, more?: { projectId?: string; drawsOn?: string | null }): Promise<MadeKey>
}

/** A key and the hash that requests find it by. */
export interface MadeKey extends ApiKey {
  secret: string
}

export async function newOrganization(storage: Storage): Promise<TestOrganization> {
  const { organizations } = storage
  const person = await newAccount(storage)
  const personId = person.id
  const made = { name: 'Engines', personId, tier: 'free', toldRoles: [], mostOfPerson: 10 }
  const id = await organizations.create(made, Date.now())
  const founder = { ...(await organizations.actingMember(id, personId))!, personId }
  return {
    id,
    founder,
    async join(role) {
      const { id: joining } = await newAccount(storage)
      const code = await invite(storage, id, role, founder)
      await organizations.acceptInvitation(code, joining, Date.now())
      return { ...(await organizations.actingMember(id, joining))!, personId: joining }
    },
    async key(memberId = null, { projectId, drawsOn = null } = {}) {
      const secret = uniqueText()
      const key = await storage.apiKeys.create(
        {
          accountId: id,
          name: 'test',
          keyPrefix: 'sk-turnpike-abcd',
          keyHash: secret,
          expiresAtMs: null,
          allowedModels: null,
          spendLimitPico: null,
          spendLimitPeriod: null,
          drawsOn,
          memberId,
          ...(projectId !== undefined && { projectId }),
        },
        Date.now(),
      )
      return { ...key, secret }
    },
  }
}

/** @returns the hash of its code */
export async function invite(
  { organizations }: Storage,
  organizationId: string,
  role: Role,
  by: ActingMember | null,
  email: string | null = null,
): Promise<string> {
  const codeHash = uniqueText()
  const expiresAtMs = Date.now() + 60_000
  await organizations.invite(
    { organizationId, codeHash, email, role, by, expiresAtMs, mostOpen: 50, mail: null },
    Date.now(),
  )
  return codeHash
}

/** The reason of the refusal; undefined if the work succeeded. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof OrganizationRefused) return error.refusal
    throw error
  }
}
