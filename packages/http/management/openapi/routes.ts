import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import packageManifest from '../../package.json' with { type: 'json' }
import { defaultIdentityProvider, subjectField } from '../accounts/record.ts'
import { registerGuide } from '../agents/routes.ts'
import { registerDocsPage } from '../docs-page/routes.ts'
import { registerEntityTags } from '../entity-tag.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { openapiDocument, type GeneratedPaths } from './document.ts'
import type { OpenapiDocument } from './document-types.ts'

const documentSchema = Type.Object({
  openapi: Type.String({ pattern: '^3\\.1\\.' }),
  info: Type.Object({ title: Type.String(), version: Type.String() }),
  paths: Type.Object({}),
})

/**
 * The description of both surfaces, for programs, people and agents; open to everybody. To be called before any
 * other route is registered: it is told of the routes as they come.
 */
export async function registerDescription(
  app: ManagementApp,
  services: Pick<ManagementServices, 'identityProvider'>,
): Promise<void> {
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, convertConstToEnum: false })
  const subject = subjectField(services.identityProvider ?? defaultIdentityProvider)
  // Made when it is first asked for: no start waits for it.
  let made: OpenapiDocument | undefined
  const document = (): OpenapiDocument => {
    const { paths } = app.swagger() as { paths: GeneratedPaths }
    return (made ??= openapiDocument(paths, packageManifest.version, subject))
  }
  await app.register(async (open) => {
    const pages = open.withTypeProvider<TypeBoxTypeProvider>()
    registerEntityTags(pages)
    let text: string | undefined
    pages.get(
      '/openapi.json',
      { schema: { response: { 200: Type.Unsafe<string>(documentSchema) } } },
      async (_request, reply) => {
        text ??= JSON.stringify(document(), null, 1)
        return reply.type('application/json; charset=utf-8').serializer(String).send(text)
      },
    )
    registerDocsPage(pages, '/docs', document)
    registerGuide(pages, '/llms.txt')
  })
}
