import { GatewayError } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccountScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, nullable } from '../validation/fields.ts'
import { notFound } from '../not-found.ts'

/** The owner of a key, in requests that create one or hand it over. */
export const ownerFields = {
  member_id: Type.Optional(
    nullable(
      Type.Unsafe<string>({
        ...identifierOf('mem'),
        description: 'In an organization: the member who owns it. Null: the organization itself.',
      }),
    ),
  ),
  project_id: Type.Optional(
    nullable(Type.Unsafe<string>({ ...identifierOf('prj'), description: 'Its project. Null: none.' })),
  ),
}

/** Filters of lists of keys. */
export const ownerQuery = {
  member_id: Type.Optional(identifierOf('mem')),
  project_id: Type.Optional(identifierOf('prj')),
}

/**
 * The owner of a new key: by default whoever creates it.
 * @throws {GatewayError} 403 for somebody else's key if the role may only create its own
 */
export function newOwner(
  request: FastifyRequest,
  {
    member_id: memberId,
    project_id: projectId = null,
  }: { member_id?: string | null; project_id?: string | null },
  scope: AccountScope,
): { memberId: string | null; projectId: string | null } {
  const onlyOf = scope.onlyOf(request)
  if (onlyOf !== undefined && memberId !== undefined && memberId !== onlyOf)
    throw new GatewayError('permission_error', '`member_id`: your role only allows keys of your own.', {
      param: 'member_id',
    })
  return {
    memberId: memberId === undefined ? (scope.changer(request)?.memberId ?? null) : memberId,
    projectId,
  }
}

/** Which of an account's keys to list. @throws {GatewayError} 404 for an unknown member or project */
export async function ownerFilter(
  accountId: string,
  { member_id: memberId, project_id: projectId }: { member_id?: string; project_id?: string },
  onlyOf: string | undefined,
  { organizations, projects }: Pick<ManagementServices, 'organizations' | 'projects'>,
): Promise<{ memberId?: string; projectId?: string }> {
  const isForeign = onlyOf !== undefined && memberId !== onlyOf
  if (memberId !== undefined && (isForeign || !(await organizations.member(accountId, memberId))))
    throw notFound('Member', 'member_id')
  if (projectId !== undefined && !(await projects.find(accountId, projectId)))
    throw notFound('Project', 'project_id')
  return { ...(memberId !== undefined && { memberId }), ...(projectId !== undefined && { projectId }) }
}
