import type { HttpAnswer } from './http-answer.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/**
 * Each way to send a request is a file of ours that is loaded on first use: the one for proxies takes longer
 * than everything else together. (`import('node:http')` is no alternative: it reads every export, one of
 * which loads `fetch`.)
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
