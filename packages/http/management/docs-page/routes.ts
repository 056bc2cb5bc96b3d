import { createHash } from 'node:crypto'
import type { ManagementApp } from '../management-app.ts'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import { docsPage, script, style } from './page.ts'

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page's own style and script only: no frame, no other address. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The API's description as a page for people. */
export function registerDocsPage(
  app: ManagementApp,
  path: string,
  document: () => Promise<OpenapiDocument>,
): void {
  let page: string | undefined
  app.get(path, async (_request, reply) => {
    page ??= docsPage(await document())
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(page)
  })
}
