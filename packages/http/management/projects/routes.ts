import { ProjectRefused, type ProjectRefusal } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type } from 'typebox'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { projectRecord, projectSchema } from './record.ts'
import { notFound } from '../not-found.ts'

const most = 1_000

const nameBody = requestObject({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', 'x-expected': 'a name' }),
})

/** Projects, which group an account's keys. */
export const registerProjects: ScopedRoutes<AccountScope, Pick<ManagementServices, 'projects' | 'clock'>> = (
  app,
  path,
  scope,
  { projects, clock },
) => {
  const params = Type.Object(scope.params)
  app.post(
    path,
    { schema: { params, body: nameBody, response: { 201: projectSchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const name = request.body.name.trim()
      const project = await projects.create({ accountId, name, most }, clock()).catch(throwProjectRefusal)
      return reply.code(201).send(projectRecord(project))
    },
  )

  const querystring = requestObject(pageQuery)
  app.get(
    path,
    { schema: { params, querystring, response: { 200: listOf(projectSchema) } } },
    async (request) => {
      const { id } = await scope.account(request)
      return listAnswer(await projects.list(id, pageOf(request.query)), projectRecord)
    },
  )

  const one = Type.Object({ ...scope.params, project_id: identifierOf('prj') })
  const answer = { 200: projectSchema }
  app.get(`${path}/:project_id`, { schema: { params: one, response: answer } }, async (request) => {
    const { id } = await scope.account(request)
    const project = await projects.find(id, request.params.project_id)
    if (project === undefined) throw refusals.unknown()
    return projectRecord(project)
  })
  app.patch(
    `${path}/:project_id`,
    { schema: { params: one, body: nameBody, response: answer } },
    async (request) => {
      const { id } = await scope.account(request)
      const name = request.body.name.trim()
      return projectRecord(
        await projects.rename(id, request.params.project_id, name).catch(throwProjectRefusal),
      )
    },
  )
  app.delete(`${path}/:project_id`, { schema: { params: one, response: answer } }, async (request) => {
    const { id } = await scope.account(request)
    return projectRecord(
      await projects.archive(id, request.params.project_id, clock()).catch(throwProjectRefusal),
    )
  })
}

const refusals: Record<ProjectRefusal, () => GatewayError> = {
  unknown: () => notFound('Project'),
  'name-taken': () =>
    new GatewayError('conflict_error', 'A project with this name already exists.', { param: 'name' }),
  'too-many': () =>
    new GatewayError(
      'conflict_error',
      `An account can have at most ${most} projects, including archived ones.`,
    ),
}

function throwProjectRefusal(error: unknown): never {
  throw error instanceof ProjectRefused ? refusals[error.refusal]() : error
}
