import type { ManagementApp } from '../management-app.ts'
import { guide } from './guide.ts'

/** The guide for agents. */
export function registerGuide(app: ManagementApp, path: string): void {
  app.get(path, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(guide))
}
