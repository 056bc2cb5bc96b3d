import { expect, test } from 'vitest'
import { startFullServer } from '../../../packages/http/management/testing/full-server.ts'
import { typesOf, type Document } from './openapi-types.ts'

/** `-u` writes it anew; a change of the API that the dashboard does not follow then shows in its types. */
test('the types of the API are those of the document that the gateway gives out', async () => {
  const server = await startFullServer()
  const document = (await server.call('GET', '/openapi.json')).json as unknown as Document
  await server.close()
  const source = typesOf(document, (path) => path.startsWith('/api/v1/') || path.startsWith('/v1/'))
  await expect(source).toMatchFileSnapshot('schema.ts')
})
