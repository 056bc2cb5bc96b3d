import type { HttpAnswer } from './http-answer.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/**
 * Each way out is a file of ours that is loaded when it is taken: the one through proxies takes longer than
 * all else together. (`import('node:http')` would be no way: it reads every export, and one loads `fetch`.)
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
