import { createHash } from 'node:crypto'
import type { ManagementApp } from '../management-app.ts'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import { docsPage, style } from './page.ts'

const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing but the page's own style: no script, no frame, no address elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The description of the API as a page to read. */
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
