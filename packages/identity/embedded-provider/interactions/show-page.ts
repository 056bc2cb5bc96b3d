import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Page } from '../pages/page.ts'

/** Sends a page as the response to a request that `oidc-provider` handles. */
export function showPage(context: KoaContextWithOIDC, { status, headers, body }: Page): void {
  context.status = status
  context.set(headers)
  context.body = body
}
