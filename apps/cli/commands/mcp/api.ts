import type { Api } from '@turnpike/mcp'
import { complete } from '../../api/completion.ts'
import { apiKeyFor, readModels } from '../../api/key-api.ts'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'

/** The gateway over the network, with this machine's login and key. */
export function apiOf(context: Context): Api {
  return {
    ask: (request) => askAsUser(context, request),
    models: () => readModels(context),
    complete: async (request, onText, signal) =>
      complete(context, await apiKeyFor(context), request, onText, signal),
    clock: () => context.clock(),
  }
}
