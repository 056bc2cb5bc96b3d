import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import packageManifest from '../../package.json' with { type: 'json' }
import { defaultIdentityProvider } from '../accounts/defaults.ts'
import { subjectField } from '../accounts/record.ts'
import { registerGuide } from '../agents/routes.ts'
import { registerDocsPage } from '../docs-page/routes.ts'
import { registerEntityTags } from '../answers/entity-tag.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { openapiDocument } from './document.ts'
import { generatePaths, type SchemaRoute } from './generated-paths.ts'
import type { OpenapiDocument } from './document-types.ts'

const documentSchema = Type.Object({
  openapi: Type.String({ pattern: '^3\\.1\\.' }),
  info: Type.Object({ title: Type.String(), version: Type.String() }),
  paths: Type.Object({}),
})

/**
 * Serves the description of both surfaces, for programs, people and agents; open to everybody. Call it before
 * other routes are registered, since it collects them as they come.
 */
export async function registerDescription(
  app: ManagementApp,
  services: Pick<ManagementServices, 'identityProvider'>,
): Promise<void> {
  const routes: SchemaRoute[] = []
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, path: url, schema })
  })
  const subject = subjectField(services.identityProvider ?? defaultIdentityProvider)
  const make = async (): Promise<OpenapiDocument> =>
    openapiDocument(await generatePaths(routes), packageManifest.version, subject)
  let made: Promise<OpenapiDocument> | undefined
  const document = (): Promise<OpenapiDocument> => (made ??= make())

  await app.register(async (open) => {
    const pages = open.withTypeProvider<TypeBoxTypeProvider>()
    registerEntityTags(pages)
    registerDocument(pages, '/openapi.json', document)
    registerDocsPage(pages, '/docs', document)
    registerGuide(pages, '/llms.txt')
  })
}

function registerDocument(app: ManagementApp, path: string, document: () => Promise<OpenapiDocument>): void {
  const schema = { response: { 200: Type.Unsafe<string>(documentSchema) } }
  let text: string | undefined
  app.get(path, { schema }, async (_request, reply) => {
    text ??= JSON.stringify(await document(), null, 1)
    return reply.type('application/json; charset=utf-8').serializer(String).send(text)
  })
}
