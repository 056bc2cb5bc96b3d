import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Page } from '../pages/page.ts'

/** Answers with a page inside of `oidc-provider`. */
export function showPage(context: KoaContextWithOIDC, { status, headers, body }: Page): void {
  context.status = status
  context.set(headers)
  context.body = body
}
